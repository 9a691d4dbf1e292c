#include "host/reload.h"

#include "base/clock.h"
#include "base/mem.h"
#include "host/config.h"
#include "script/difference.h"
#include "script/excerpt.h"
#include "script/finding.h"
#include "script/registry.h"
#include "script/vm.h"

#include <stdlib.h>
#include <string.h>

struct reload {
    struct service *service;
    struct buf config; /* the text of the settings' file when last looked at */
};

/* What the findings of one load are told to. */
struct report {
    const struct service *service;
    size_t findings;
    bool shown; /* the first mistake was, with these lines if there are any */
    struct buf source, caret;
};

/* A file that is not there is an empty one. */
static void read_config(const struct reload *r, struct buf *out)
{
    if (vm_read_file(r->service->settings->config, out, NULL) != 0) buf_clear(out);
}

struct reload *reload_new(struct service *service)
{
    struct reload *r = mem_alloc(sizeof *r);
    r->service = service;
    read_config(r, &r->config);
    return r;
}

void reload_free(struct reload *r)
{
    if (!r) return;
    buf_free(&r->config);
    free(r);
}

/* Keeps the lines of the first mistake. */
static void keep_excerpt(struct report *report, const struct buf *source, const struct buf *caret)
{
    if (report->shown) return;
    report->shown = true;
    buf_add(&report->source, buf_bytes(source));
    buf_add(&report->caret, buf_bytes(caret));
}

static void log_excerpt(struct report *report, const struct finding *f)
{
    const struct service *service = report->service;
    struct buf path = {0}, text = {0}, source = {0}, caret = {0};
    finding_path(f, bytes_of(service->settings->scripts), &path);
    if (vm_read_file(buf_text(&path), &text, NULL) == 0 &&
        excerpt_make(buf_bytes(&text), f->line, f->text, &source, &caret)) {
        log_line(service->log, LOG_ERROR, "%s", buf_text(&source));
        log_line(service->log, LOG_ERROR, "%s", buf_text(&caret));
    }
    keep_excerpt(report, &source, &caret);
    buf_free(&path);
    buf_free(&text);
    buf_free(&source);
    buf_free(&caret);
}

static void add_finding(void *arg, const struct finding *f)
{
    struct report *report = arg;
    if (report->findings++ >= RELOAD_FINDINGS) return;
    finding_log(f, report->service->log);
    if (!f->warning) log_excerpt(report, f);
}

static char *taken(struct buf *text)
{
    if (text->n) return buf_take(text, NULL);
    buf_free(text);
    return NULL;
}

/* Keeps what is to be told until the next load; NULL: nothing is wrong. */
static void set_load_error(struct service *service, const char *text, struct report *report)
{
    free(service->load_error);
    free(service->load_source);
    free(service->load_caret);
    service->load_error = text ? mem_copy(bytes_of(text)) : NULL;
    service->load_source = taken(&report->source);
    service->load_caret = taken(&report->caret);
    if (text) service->load_failed_ms = clock_wall_ms();
}

static struct generation *load(struct service *service)
{
    bool mended = service->load_error != NULL;
    struct error error;
    struct report report = {.service = service};
    const struct findings findings = {add_finding, &report};
    const struct registry_options options = {
        .folder = service->settings->scripts,
        .vm_memory = service->settings->vm_memory,
        .vm_cpu_us = service->settings->vm_cpu * 1000,
        .log = service->log,
        .findings = &findings,
    };
    struct generation *g = registry_load(&options, &error);
    if (report.findings > RELOAD_FINDINGS)
        log_line(service->log, LOG_WARNING, "and %zu more findings (lunask check lists them)",
                 report.findings - RELOAD_FINDINGS);
    if (g && mended) log_line(service->log, LOG_NOTICE, "the scripts load again: mended");
    set_load_error(service, g ? NULL : error.text, &report);
    return g;
}

static void log_difference(void *log, const char *line)
{
    log_line(log, LOG_NOTICE, "%s", line);
}

static void swap(struct service *service, struct generation *candidate, int64_t took_ms)
{
    struct generation *before = service->generation;
    service->generation = candidate;
    service->generation_number++;
    service->loaded_ms = clock_wall_ms();
    size_t scripts = registry_script_count(candidate);
    log_line(service->log, LOG_NOTICE, "reloaded %zu script%s in %lld ms", scripts,
             scripts == 1 ? "" : "s", (long long)took_ms);
    unsigned lists = difference_tell(before, candidate, log_difference, service->log);
    registry_release(before);
    if (lists && service->lists_changed) service->lists_changed(service->lists_changed_arg, lists);
}

/* Would a host that starts now take the settings? The address is not asked about: a flag may have
 * given it. */
static void log_new_settings(const struct service *service)
{
    struct buf listen = {0};
    struct settings fresh = {0};
    struct error error;
    bool v6 = strchr(service->settings->listen_host, ':') != NULL;
    buf_printf(&listen, v6 ? "[%s]:%d" : "%s:%d", service->settings->listen_host,
               service->settings->listen_port);
    const struct config_flags flags = {.scripts = service->settings->scripts,
                                       .config = service->settings->config,
                                       .listen = buf_text(&listen)};
    if (config_read(&flags, &fresh, &error) == 0)
        log_line(service->log, LOG_NOTICE, "%s has changed: restart the host to use its settings",
                 service->settings->config);
    else
        log_line(service->log, LOG_ERROR, "%s (the host runs on, but would not start with it)",
                 error.text);
    config_free(&fresh);
    buf_free(&listen);
}

static void look_at_config(struct reload *r)
{
    struct buf now = {0};
    read_config(r, &now);
    if (!bytes_equal(buf_bytes(&now), buf_bytes(&r->config))) log_new_settings(r->service);
    buf_free(&r->config);
    r->config = now;
}

int reload_run(struct reload *r)
{
    struct service *service = r->service;
    int64_t begin_ms = clock_mono_ms();
    struct generation *candidate = load(service);
    counters_add(&service->counters, candidate ? COUNTER_RELOADS : COUNTER_RELOADS_FAILED);
    if (candidate) {
        swap(service, candidate, clock_mono_ms() - begin_ms);
    } else {
        log_line(service->log, LOG_ERROR, "nothing was reloaded: what was loaded before goes on");
    }
    look_at_config(r);
    return candidate ? 0 : -1;
}
