#include "host/status.h"

#include "eras/legacy.h"
#include "script/registry.h"
#include "wire/json_write.h"

#include <inttypes.h>
#include <unistd.h>

/* Numbers that go up and down. */
static int64_t calls(const struct service *s)
{
    return s->call_count;
}

static int64_t parked(const struct service *s)
{
    return s->parked;
}

static int64_t sessions(const struct service *s)
{
    return legacy_sessions(s);
}

static int64_t streams(const struct service *s)
{
    return s->subscription_count;
}

static int64_t broken(const struct service *s)
{
    return s->load_error != NULL;
}

static const struct {
    const char *name, *help;
    int64_t (*read)(const struct service *s);
} GAUGES[] = {
    {"calls_open", "Calls that have not ended, those that wait for a person included.", calls},
    {"calls_parked", "Calls of sessions that wait for a person.", parked},
    {"sessions", "Sessions of clients before 2026-07-28.", sessions},
    {"streams", "Open streams of subscriptions/listen.", streams},
    {"load_broken", "Whether the newest scripts do not load, so that older ones run.", broken},
};
enum { GAUGE_COUNT = sizeof GAUGES / sizeof GAUGES[0] };

/* What scripts offer, by kind. */
static const char *const OFFERED[OFFER_KINDS] = {
    [OFFER_TOOL] = "tools",
    [OFFER_PROMPT] = "prompts",
    [OFFER_RESOURCE] = "resources",
    [OFFER_TEMPLATE] = "resource_templates",
};

static void add_text(struct buf *out, const char *key, const char *text)
{
    buf_printf(out, "\"%s\":", key);
    if (text)
        json_write_string(out, bytes_of(text));
    else
        buf_addz(out, "null");
}

static void add_number(struct buf *out, const char *key, int64_t value)
{
    buf_printf(out, ",\"%s\":%" PRId64, key, value);
}

static void add_load_error(const struct service *s, struct buf *out)
{
    buf_addz(out, ",\"load_error\":");
    if (!s->load_error) {
        buf_addz(out, "null");
        return;
    }
    buf_addc(out, '{');
    add_text(out, "text", s->load_error);
    buf_addc(out, ',');
    add_text(out, "source", s->load_source);
    buf_addc(out, ',');
    add_text(out, "caret", s->load_caret);
    add_number(out, "at", s->load_failed_ms / 1000);
    buf_addc(out, '}');
}

void status_write(const struct service *s, struct buf *out)
{
    buf_addc(out, '{');
    add_text(out, "version", LUNASK_VERSION);
    buf_addc(out, ',');
    add_text(out, "name", s->settings->name);
    buf_addc(out, ',');
    add_text(out, "folder", s->settings->scripts);
    add_number(out, "pid", getpid());
    add_number(out, "started", s->started_ms / 1000);
    add_number(out, "loaded", s->loaded_ms / 1000);
    add_number(out, "generation", s->generation_number);
    add_number(out, "scripts", (int64_t)registry_script_count(s->generation));
    for (int kind = 0; kind < OFFER_KINDS; kind++)
        add_number(out, OFFERED[kind],
                   (int64_t)registry_count(s->generation, (enum offer_kind)kind));
    buf_addz(out, ",\"now\":{\"stopping\":");
    buf_addz(out, s->stopping ? "true" : "false");
    for (size_t i = 0; i < GAUGE_COUNT; i++)
        add_number(out, GAUGES[i].name, GAUGES[i].read(s));
    buf_addz(out, "},\"counters\":{");
    for (int i = 0; i < COUNTERS; i++)
        buf_printf(out, "%s\"%s\":%" PRIu64, i ? "," : "", counters_name((enum counter)i),
                   s->counters.n[i]);
    buf_addc(out, '}');
    add_load_error(s, out);
    buf_addc(out, '}');
}

static void add_metric(struct buf *out, const char *name, const char *help, const char *type)
{
    buf_printf(out, "# HELP lunask_%s %s\n# TYPE lunask_%s %s\n", name, help, name, type);
}

/* The name of a counter ends in _total by convention. */
static void add_counter(struct buf *out, enum counter which, uint64_t value)
{
    struct buf name = {0};
    buf_printf(&name, "%s_total", counters_name(which));
    add_metric(out, buf_text(&name), counters_help(which), "counter");
    buf_printf(out, "lunask_%s %" PRIu64 "\n", buf_text(&name), value);
    buf_free(&name);
}

static void add_seal_faults(const struct service *s, struct buf *out)
{
    add_metric(out, "state_faults_total", "requestStates that did not open, by reason.", "counter");
    for (int i = SEAL_OK + 1; i < SEAL_FAULTS; i++)
        buf_printf(out, "lunask_state_faults_total{reason=\"%s\"} %" PRIu64 "\n",
                   seal_fault_name((enum seal_fault)i), s->seal_faults[i]);
}

void status_write_metrics(const struct service *s, struct buf *out)
{
    add_metric(out, "build_info", "The version of the host.", "gauge");
    buf_printf(out, "lunask_build_info{version=\"%s\"} 1\n", LUNASK_VERSION);
    add_metric(out, "start_time_seconds", "When the worker started, since 1970.", "gauge");
    buf_printf(out, "lunask_start_time_seconds %" PRId64 "\n", s->started_ms / 1000);
    for (size_t i = 0; i < GAUGE_COUNT; i++) {
        add_metric(out, GAUGES[i].name, GAUGES[i].help, "gauge");
        buf_printf(out, "lunask_%s %" PRId64 "\n", GAUGES[i].name, GAUGES[i].read(s));
    }
    for (int i = 0; i < COUNTERS; i++)
        add_counter(out, (enum counter)i, s->counters.n[i]);
    add_seal_faults(s, out);
}
