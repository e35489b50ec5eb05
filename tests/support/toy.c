/* SPDX-License-Identifier: Apache-2.0 */
#include "toy.h"

#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void put(toy *t, char letter)
{
    if (t->length + 1 < (int)sizeof t->log) t->log[t->length++] = letter;
}

static ndft_status note(ndft_exec *exec, char letter)
{
    put((toy *)exec, letter);
    return NDFT_OK;
}

static ndft_status block_stream(ndft_exec *exec) { return note(exec, 'h'); }

static ndft_status release_stream(ndft_exec *exec) { return note(exec, 'l'); }

static ndft_status sync(ndft_exec *exec)
{
    toy *t = (toy *)exec;
    put(t, 'w');
    return t->lost ? ndft_fail(exec->error, NDFT_EDEVICE, "the toy is lost") : NDFT_OK;
}

static ndft_status flush(ndft_exec *exec)
{
    double seconds = ((toy *)exec)->flush_s;
    if (seconds > 0) nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * seconds)}, NULL);
    return note(exec, 'f');
}

static double pace(const toy *t, double now) { return t->pace ? t->pace(now) : 1; }

static ndft_status start(ndft_exec *exec, int timer)
{
    ((toy *)exec)->start[timer] = ((toy *)exec)->now;
    return note(exec, 's');
}

static ndft_status stop(ndft_exec *exec, int timer)
{
    ((toy *)exec)->stop[timer] = ((toy *)exec)->now;
    return note(exec, 'p');
}

static ndft_status read_timer(ndft_exec *exec, int timer, double *seconds, double *clock_mhz)
{
    toy *t = (toy *)exec;
    *seconds = t->stop[timer] - t->start[timer];
    *clock_mhz = ++t->reads == t->slow ? t->clock_mhz / 2 : t->clock_mhz;
    *clock_mhz /= pace(t, t->start[timer]);
    return note(exec, 'r');
}

static bool passed(ndft_exec *exec, int timer)
{
    (void)timer;
    return ((toy *)exec)->slow_host;
}

typedef struct graph {
    double lasts_s;
} graph;

static ndft_status capture(ndft_exec *exec, ndft_status (*queue)(void *), void *context, void **out)
{
    toy *t = (toy *)exec;
    double before = t->now;
    put(t, 'c');
    if (t->no_capture) return ndft_fail(exec->error, NDFT_EDEVICE, "the toy cannot be captured");
    NDFT_TRY(queue(context));
    graph *made = malloc(sizeof *made);
    made->lasts_s = t->now - before;
    t->now = before;
    *out = made;
    return NDFT_OK;
}

static ndft_status replay(ndft_exec *exec, void *captured)
{
    ((toy *)exec)->now += ((graph *)captured)->lasts_s;
    return note(exec, 'g');
}

static void graph_free(ndft_exec *exec, void *captured)
{
    put((toy *)exec, 'x');
    free(captured);
}

static ndft_state state(ndft_exec *exec)
{
    toy *t = (toy *)exec;
    t->states++;
    return (ndft_state){300 / pace(t, t->now), 50, 2600, t->throttle, NAN};
}

static ndft_counters counters(ndft_exec *exec)
{
    ndft_counters now = ndft_counters_blank();
    now.violated_s[NDFT_BY_HEAT] = ((toy *)exec)->violated_s += ((toy *)exec)->violated_each;
    return now;
}

static double energy(ndft_exec *exec)
{
    const toy *t = (const toy *)exec;
    return t->joules_step > 0 ? floor(300 * t->now / t->joules_step) * t->joules_step : NAN;
}

static ndft_nvml_facts facts(ndft_exec *exec)
{
    const double highest = ((toy *)exec)->highest_mhz;
    return (ndft_nvml_facts){.max_sm_clock_mhz = highest > 0 ? highest : NAN};
}

static double away(ndft_exec *exec) { return ((toy *)exec)->away_s; }

static bool pin(ndft_exec *exec, bool on) { return ((toy *)exec)->pinned = on; }

/* The table's ranges have no exec; it is told by their payload. */
static void range_push(ndft_phase phase, const char *label, uint64_t payload)
{
    (void)label;
    if (phase == NDFT_PHASE_TIME) put((toy *)(uintptr_t)payload, '<');
}

static void range_pop(void) {}

static size_t free_bytes(ndft_exec *exec)
{
    (void)exec;
    return 0;
}

static ndft_status upload(ndft_exec *exec, void *device, const void *host, size_t bytes)
{
    (void)device;
    (void)host;
    (void)bytes;
    return note(exec, 'u');
}

static ndft_status download(ndft_exec *exec, void *host, const void *device, size_t bytes)
{
    (void)host;
    (void)device;
    (void)bytes;
    return note(exec, 'd');
}

static ndft_status execute(void *plan, ndft_op op, const void *in, void *out)
{
    toy_plan *p = plan;
    (void)op;
    (void)in;
    (void)out;
    put(p->on, p->letter);
    if (++p->executed == p->fails_at)
        return ndft_fail(&p->on->error, NDFT_EDEVICE, "plan %c broke", p->letter);
    const double cost = p->cost * pace(p->on, p->on->now);
    if (!p->marks) p->on->now += cost;
    for (int i = 0; i < p->marks; i++) {
        p->on->now += cost / p->marks;
        const char *renamed = i + 1 == p->marks ? p->last_mark : NULL;
        ndft_mark(&p->on->exec, renamed ? renamed : i % 2 ? "second" : "first");
    }
    p->cost += p->grows;
    return NDFT_OK;
}

/* The problem's readout times, for which a toy has no other use, are the toy's plans; the knob says
 * which. */
static toy_plan *plan_of(const ndft_problem *problem, const int *knobs)
{
    return (toy_plan *)problem->t + knobs[0];
}

static ndft_status make_plan(const ndft_problem *problem, const int *knobs, unsigned ops,
                             ndft_exec *exec, void **plan)
{
    (void)ops;
    *plan = plan_of(problem, knobs);
    return note(exec, 'P');
}

static void destroy(void *plan) { put(((toy_plan *)plan)->on, 'D'); }

static ndft_cost cost(const ndft_problem *problem, ndft_op op, const int *knobs)
{
    const toy_plan *p = plan_of(problem, knobs);
    (void)op;
    p->on->now += p->asked_s;
    return (ndft_cost){.launches = p->launches};
}

static const ndft_backend backend = {.name = "toy", .download = download, .sync = sync};

static const ndft_instruments instruments = {.backend = "toy",
                                             .timer_start = start,
                                             .timer_stop = stop,
                                             .timer_read = read_timer,
                                             .timer_passed = passed,
                                             .block_stream = block_stream,
                                             .release_stream = release_stream,
                                             .flush = flush,
                                             .capture = capture,
                                             .replay = replay,
                                             .graph_free = graph_free,
                                             .state = state,
                                             .counters = counters,
                                             .energy = energy,
                                             .facts = facts,
                                             .away = away,
                                             .pin = pin,
                                             .range_push = range_push,
                                             .range_pop = range_pop};

static const char *const stages[] = {"first", "second", NULL};

static const ndft_variant variant = {.name = "toy",
                                     .n_knobs = 1,
                                     .ops = NDFT_FORWARD,
                                     .plan = make_plan,
                                     .execute = execute,
                                     .destroy = destroy,
                                     .cost = cost,
                                     .stages = stages,
                                     .knobs = &(ndft_knob){.name = "plan"}};

ndft_status toy_measure(toy *t, toy_plan *toys, int n, const ndft_timing_options *options,
                        ndft_timing *timings)
{
    static const ndft_registered entry = {"toy", "toy",           &variant, "",   NULL,
                                          NULL,  NDFT_NONUNIFORM, "",       false};
    const ndft_case problem = {.seed = 1};
    ndft_made made = {.problem = {.t = toys}, .hash = {(uintptr_t)t}};
    ndft_candidate candidates[8];
    const ndft_candidate *pointers[8];
    ndft_plan *plans[8] = {NULL};
    t->exec.error = &t->error;
    t->exec.upload = upload;
    t->exec.free_bytes = free_bytes;
    ndft_instruments at_once = instruments;
    at_once.timer_passed = NULL;
    at_once.block_stream = at_once.release_stream = NULL;
    ndft_fixture fixture = {.backend = &backend,
                            .instruments = t->queues_nothing ? &at_once : &instruments,
                            .exec = &t->exec,
                            .problem = &problem,
                            .made = &made,
                            .op = NDFT_FORWARD,
                            .label = "case",
                            .device = ndft_device_around(&backend, &t->exec),
                            .in = {&t->exec},
                            .out = {NULL, &t->error}};
    ndft_status status = fixture.device ? NDFT_OK : NDFT_ENOMEM;
    const int before = t->length;
    for (int i = 0; i < n && status == NDFT_OK; i++) {
        toys[i].on = t;
        candidates[i] = (ndft_candidate){&entry, {i}};
        pointers[i] = &candidates[i];
        status = ndft_plan_candidate(fixture.device, &candidates[i], &made.problem, NDFT_FORWARD,
                                     &plans[i]);
    }
    t->length = before; /* of making plans nothing is noted */
    if (status == NDFT_OK)
        status = ndft_measure(&fixture, pointers, plans, NULL, n, options, timings);
    const int after = t->length;
    for (int i = 0; i < n; i++) ndft_plan_destroy(plans[i]);
    t->length = after;
    ndft_device_close(fixture.device);
    return status;
}

bool toy_log_matches(const toy *t, const char *expression)
{
    char whole[256], log[sizeof t->log];
    regex_t regex;
    snprintf(whole, sizeof whole, "^(%s)$", expression);
    memcpy(log, t->log, (size_t)t->length);
    log[t->length] = 0;
    if (regcomp(&regex, whole, REG_EXTENDED | REG_NOSUB)) return false;
    bool matches = !regexec(&regex, log, 0, NULL, 0);
    regfree(&regex);
    if (!matches) fprintf(stderr, "the log, which does not match %s: %.400s\n", whole, log);
    return matches;
}
