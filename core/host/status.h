/* What a host says of itself, for operators: as JSON (`lunask status`) and in the text format of
 * Prometheus. Nothing of callers, arguments or answers is in it; of a script, the one line that
 * keeps it from being loaded.
 *
 * To add a number that only grows: call/counters.h. One that goes up and down: a row in the table
 * of status.c. */
#ifndef LUNASK_HOST_STATUS_H
#define LUNASK_HOST_STATUS_H

#include "call/service.h"

/* Adds {"version":…,"name":…,"pid":…,"url":…,"started":…,"loaded":…,"generation":…,"scripts":…,
 * "tools":…,"prompts":…,"resources":…,"resource_templates":…,"now":{…},"counters":{…},"load_error":…}.
 * Times are seconds since 1970. `load_error` is null, or {"text":…,"source":…,"caret":…,"at":…},
 * the first mistake of the newest scripts, which are not those that run. */
void status_write(const struct service *s, struct buf *out);

/* Adds the same numbers as metrics, with their help (Prometheus exposition format, 0.0.4). */
void status_write_metrics(const struct service *s, struct buf *out);

#endif
