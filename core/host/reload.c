#include "host/reload.h"

#include "base/clock.h"
#include "base/mem.h"
#include "host/config.h"
#include "script/difference.h"
#include "script/excerpt.h"
#include "script/finding.h"
#include "script/registry.h"
#include "script/vm.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What one load found. */
struct report {
    const struct settings *settings;
    struct log *log;
    size_t findings;
    bool shown; /* the first mistake was, with these lines if there are any */
    struct buf source, caret;
    struct error error;
};

struct reload {
    struct store_job job; /* first: it is what `run` and `done` get */
    struct service *service;
    bool busy, again;
    atomic_bool cut;

    /* The load's own from its beginning to its end. */
    struct buf config; /* the text of the settings' file when last looked at */
    struct generation *candidate;
    struct report report;
    int64_t begin_ms;
};

/* A file that is not there is an empty one. */
static void read_config(const struct settings *settings, struct buf *out)
{
    if (vm_read_file(settings->config, out, NULL) != 0) buf_clear(out);
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
    struct buf path = {0}, text = {0}, source = {0}, caret = {0};
    finding_path(f, bytes_of(report->settings->scripts), &path);
    if (vm_read_file(buf_text(&path), &text, NULL) == 0 &&
        excerpt_make(buf_bytes(&text), f->line, f->text, &source, &caret)) {
        log_line(report->log, LOG_ERROR, "%s", buf_text(&source));
        log_line(report->log, LOG_ERROR, "%s", buf_text(&caret));
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
    finding_log(f, report->log);
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

/* On the pool's thread. */
static void load(struct reload *r)
{
    struct report *report = &r->report;
    const struct findings findings = {add_finding, report};
    const struct registry_options options = {
        .folder = report->settings->scripts,
        .vm_memory = report->settings->vm_memory,
        .vm_cpu_us = report->settings->vm_cpu * 1000,
        .log = report->log,
        .findings = &findings,
        .cut = &r->cut,
    };
    r->candidate = registry_load(&options, &report->error);
    if (r->candidate) registry_leave(r->candidate);
    if (report->findings > RELOAD_FINDINGS)
        log_line(report->log, LOG_WARNING, "and %zu more findings (lunask check lists them)",
                 report->findings - RELOAD_FINDINGS);
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

static void drop(struct reload *r)
{
    registry_release(r->candidate);
    r->candidate = NULL;
}

/* Would a host that starts now take the settings? The address is not asked about: a flag may have
 * given it. */
static void log_new_settings(const struct settings *settings, struct log *log)
{
    struct buf listen = {0};
    struct settings fresh = {0};
    struct error error;
    bool v6 = strchr(settings->listen_host, ':') != NULL;
    buf_printf(&listen, v6 ? "[%s]:%d" : "%s:%d", settings->listen_host, settings->listen_port);
    const struct config_flags flags = {
        .scripts = settings->scripts, .config = settings->config, .listen = buf_text(&listen)};
    if (config_read(&flags, &fresh, &error) == 0)
        log_line(log, LOG_NOTICE, "%s has changed: restart the host to use its settings",
                 settings->config);
    else
        log_line(log, LOG_ERROR, "%s (the host runs on, but would not start with it)", error.text);
    config_free(&fresh);
    buf_free(&listen);
}

/* On the pool's thread: the file of the settings is a script, too, which may take its time. */
static void look_at_config(struct reload *r)
{
    struct buf now = {0};
    read_config(r->report.settings, &now);
    if (!bytes_equal(buf_bytes(&now), buf_bytes(&r->config)))
        log_new_settings(r->report.settings, r->report.log);
    buf_free(&r->config);
    r->config = now;
}

static void run(struct store_job *job, struct store *none)
{
    struct reload *r = (struct reload *)job;
    (void)none;
    load(r);
    if (!atomic_load(&r->cut)) look_at_config(r);
}

static void enter(struct reload *r)
{
    if (!r->candidate || registry_enter(r->candidate, &r->report.error) == 0) return;
    log_line(r->report.log, LOG_ERROR, "%s", r->report.error.text);
    drop(r);
}

static void finish(struct reload *r)
{
    struct service *service = r->service;
    enter(r);
    bool loaded = r->candidate != NULL, mended = loaded && service->load_error;
    counters_add(&service->counters, loaded ? COUNTER_RELOADS : COUNTER_RELOADS_FAILED);
    if (mended) log_line(service->log, LOG_NOTICE, "the scripts load again: mended");
    set_load_error(service, loaded ? NULL : r->report.error.text, &r->report);
    if (loaded)
        swap(service, r->candidate, clock_mono_ms() - r->begin_ms);
    else
        log_line(service->log, LOG_ERROR, "nothing was reloaded: what was loaded before goes on");
    r->candidate = NULL;
}

static void begin(struct reload *r)
{
    const struct service *service = r->service;
    r->busy = true;
    r->again = false;
    r->report = (struct report){.settings = service->settings, .log = service->log};
    r->begin_ms = clock_mono_ms();
    service->work(service->work_arg, &r->job);
}

static void done(struct store_job *job)
{
    struct reload *r = (struct reload *)job;
    r->busy = false;
    if (r->service->stopping)
        drop(r);
    else
        finish(r);
    buf_free(&r->report.source);
    buf_free(&r->report.caret);
    if (r->again) begin(r);
}

struct reload *reload_new(struct service *service)
{
    struct reload *r = mem_alloc(sizeof *r);
    r->job.run = run;
    r->job.done = done;
    r->service = service;
    atomic_init(&r->cut, false);
    read_config(service->settings, &r->config);
    return r;
}

void reload_free(struct reload *r)
{
    if (!r) return;
    buf_free(&r->config);
    free(r);
}

void reload_begin(struct reload *r)
{
    if (r->busy)
        r->again = true;
    else
        begin(r);
}

void reload_cut(struct reload *r)
{
    r->again = false;
    atomic_store(&r->cut, true);
}

bool reload_busy(const struct reload *r)
{
    return r->busy;
}
