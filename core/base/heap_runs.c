#include "base/heap_runs.h"

#include <string.h>

enum { PLACE = 16, PLACES = HEAP_RUNS_SIZE / PLACE, STEPPED = 128 };

/* Of a block of each class. */
static const uint8_t CLASS_PLACES[HEAP_RUNS_CLASSES] = {
    1, 2, 3, 4, 5, 6, 7, 8, 12, 16,
};

static unsigned class_of(size_t n)
{
    unsigned last = (unsigned)n - 1;
    if (last < STEPPED) return last / PLACE;
    return STEPPED / PLACE + (last - STEPPED) / (4 * PLACE);
}

static struct heap_run *run_of(const struct heap_runs *runs, const void *p)
{
    return &runs->table[(size_t)((const char *)p - runs->area.start) / HEAP_RUNS_SIZE];
}

static char *start_of(const struct heap_runs *runs, const struct heap_run *run)
{
    return runs->area.start + (size_t)(run - runs->table) * HEAP_RUNS_SIZE;
}

static void push(struct heap_run **list, struct heap_run *run)
{
    run->prev = NULL;
    run->next = *list;
    if (*list) (*list)->prev = run;
    *list = run;
}

static void take_out(struct heap_run **list, struct heap_run *run)
{
    if (run->next) run->next->prev = run->prev;
    if (run->prev)
        run->prev->next = run->next;
    else
        *list = run->next;
}

/* Returns a run that was free, warm ones first, or one from the rest of the area; or NULL. */
static struct heap_run *free_run(struct heap_runs *runs)
{
    struct heap_run **list = runs->idle ? &runs->idle : &runs->clean;
    struct heap_run *run = *list;
    if (!heap_area_hold(runs->room, HEAP_RUNS_SIZE, runs->idle ? HEAP_RUNS_SIZE : 0)) return NULL;
    if (run) {
        take_out(list, run);
        return run;
    }
    run = &runs->table[runs->opened];
    if (heap_area_open(&runs->area, start_of(runs, run) + HEAP_RUNS_SIZE)) {
        runs->opened++;
        return run;
    }
    runs->room->held -= HEAP_RUNS_SIZE;
    return NULL;
}

static struct heap_run *add_run(struct heap_runs *runs, unsigned class)
{
    struct heap_run *run = free_run(runs);
    if (!run) return NULL;
    heap_area_show(start_of(runs, run), 0, HEAP_RUNS_SIZE);
    run->free = run->fresh = run->live = 0;
    run->class = (uint8_t) class;
    run->places = CLASS_PLACES[class];
    run->most = (uint16_t)(PLACES / run->places);
    push(&runs->open[class], run);
    return run;
}

static char *pop_block(const struct heap_runs *runs, struct heap_run *run)
{
    uint64_t next;
    char *p = start_of(runs, run) + (size_t)(run->free - 1) * PLACE;
    heap_area_show(p, sizeof next, sizeof next);
    memcpy(&next, p, sizeof next);
    next ^= runs->cookie;
    if (next > PLACES) heap_area_damaged();
    run->free = (uint16_t)next;
    return p;
}

void *heap_runs_alloc(struct heap_runs *runs, size_t n)
{
    char *p;
    unsigned class = class_of(n);
    struct heap_run *run = runs->open[class];
    if (!run && !(run = add_run(runs, class))) return NULL;
    if (run->free) {
        p = pop_block(runs, run);
    } else {
        p = start_of(runs, run) + (size_t)run->fresh * PLACE;
        run->fresh = (uint16_t)(run->fresh + run->places);
    }
    if (++run->live == run->most) take_out(&runs->open[class], run);
    heap_area_show(p, n, (size_t)run->places * PLACE);
    return p;
}

/* The last run of a class stays, or a script that takes and drops one block would pay for a run
 * each time. */
static void retire(struct heap_runs *runs, struct heap_run *run)
{
    struct heap_run **open = &runs->open[run->class];
    if (*open == run && !run->next) return;
    take_out(open, run);
    push(&runs->idle, run);
    runs->room->held -= HEAP_RUNS_SIZE;
    runs->room->idle += HEAP_RUNS_SIZE;
}

void heap_runs_release(struct heap_runs *runs, void *p)
{
    struct heap_run *run = run_of(runs, p);
    size_t place = (size_t)((char *)p - runs->area.start) % HEAP_RUNS_SIZE / PLACE;
    uint64_t next = run->free ^ runs->cookie;
    heap_area_show(p, sizeof next, sizeof next);
    memcpy(p, &next, sizeof next);
    heap_area_show(p, 0, (size_t)run->places * PLACE);
    run->free = (uint16_t)(place + 1);
    if (run->live-- == run->most) push(&runs->open[run->class], run);
    if (run->live == 0) retire(runs, run);
}

bool heap_runs_owns(const struct heap_runs *runs, const void *p)
{
    return (const char *)p < runs->area.end;
}

bool heap_runs_resize(struct heap_runs *runs, void *p, size_t n, bool anyhow)
{
    const struct heap_run *run = run_of(runs, p);
    if (n > HEAP_RUNS_LARGEST) return false;
    unsigned class = class_of(n);
    if (class > run->class || (class < run->class && !anyhow)) return false;
    heap_area_show(p, n, (size_t)run->places * PLACE);
    return true;
}

void heap_runs_trim(struct heap_runs *runs)
{
    for (struct heap_run *run = runs->idle, *next; run; run = next) {
        char *start = start_of(runs, run);
        next = run->next;
        if (heap_area_give_back(start, start + HEAP_RUNS_SIZE) < HEAP_RUNS_SIZE) continue;
        take_out(&runs->idle, run);
        push(&runs->clean, run);
        runs->room->idle -= HEAP_RUNS_SIZE;
    }
}
