#include "call/counters.h"

static const struct {
    const char *name, *help;
} KINDS[COUNTERS] = {
    [COUNTER_CALLS] = {"calls", "Handler runs begun, a retry with an answer included."},
    [COUNTER_CALLS_FAILED] = {"calls_failed", "Calls whose handler raised, or was stopped."},
    [COUNTER_CALLS_CANCELLED] = {"calls_cancelled",
                                 "Calls ended by their client, by call_timeout or by a stop."},
    [COUNTER_QUESTIONS] = {"questions", "Questions sent to clients."},
    [COUNTER_STATES_REFUSED] = {"states_refused", "requestStates that did not open."},
    [COUNTER_RELOADS] = {"reloads", "Reloads that took the place of what ran."},
    [COUNTER_RELOADS_FAILED] = {"reloads_failed", "Reloads that changed nothing: a script is "
                                                  "broken."},
    [COUNTER_BUSY] = {"limit_calls", "Calls refused because too many were running (calls)."},
    [COUNTER_CPU] = {"limit_vm_cpu", "Calls stopped because their CPU time was used up (vm_cpu)."},
    [COUNTER_MEMORY] = {"limit_vm_memory", "Calls that failed for want of memory (vm_memory)."},
    [COUNTER_ALLOCATIONS] = {"limit_allocations",
                             "Calls stopped because they went on without memory (vm_memory)."},
    [COUNTER_VMS_DROPPED] = {"vms_dropped",
                             "Script states that were dropped whole, to be loaded anew."},
    [COUNTER_LOG_CUT] = {"limit_log", "Calls that logged more than they may."},
    [COUNTER_CALL_TIMEOUT] = {"limit_call_timeout", "Calls stopped by call_timeout."},
    [COUNTER_ANSWER_TIMEOUT] = {"limit_answer_timeout",
                                "Calls that nobody answered in time (answer_timeout)."},
    [COUNTER_ROUNDS] = {"limit_rounds", "Calls that asked too often (rounds)."},
    [COUNTER_PARKED_CALLS] = {"limit_parked_calls",
                              "Calls that could not wait for a person (parked_calls)."},
    [COUNTER_STATE_TOO_LARGE] = {"limit_state", "Calls whose requestState would be too large."},
};

const char *counters_name(enum counter which)
{
    return KINDS[which].name;
}

const char *counters_help(enum counter which)
{
    return KINDS[which].help;
}

void counters_add(struct counters *c, enum counter which)
{
    c->n[which]++;
}
