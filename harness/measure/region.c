/* SPDX-License-Identifier: Apache-2.0 */
#include "region.h"

#include "base/now.h"

#include <math.h>
#include <stdio.h>

static const double sample_s = 1e-3;
enum { MAX_REPETITIONS = 10000 };

ndft_region ndft_region_of(ndft_fixture *fixture, ndft_plan *plan)
{
    const ndft_prepared *engine = ndft_plan_engine(plan);
    const ndft_cost cost =
        ndft_executed_cost(engine->variant, engine->problem, fixture->op, engine->knobs);
    return (ndft_region){
        .fixture = fixture, .plan = plan, .launches = fmax(cost.launches, 1), .repetitions = 1};
}

static ndft_status execute(const ndft_region *r)
{
    return ndft_fixture_execute(r->fixture, r->plan, r->fixture->op);
}

static ndft_status execute_times(const ndft_region *r, int times)
{
    for (int i = 0; i < times; i++) NDFT_TRY(execute(r));
    return NDFT_OK;
}

static ndft_status replay(const ndft_region *r)
{
    for (int i = 0; i < r->repetitions; i += r->captured)
        NDFT_TRY(r->fixture->instruments->replay(r->fixture->exec, r->graph));
    return NDFT_OK;
}

ndft_status ndft_region_queue(void *region)
{
    const ndft_region *r = region;
    return execute_times(r, r->captured ? r->captured : r->repetitions);
}

static bool may_hold(const ndft_region *r)
{
    return r->held && r->fixture->instruments->block_stream;
}

/* How many executions a device that is held back can queue. */
static int queue_size(const ndft_region *r) { return (int)(NDFT_QUEUE / r->launches); }

ndft_status ndft_region_listen(const ndft_region *r, void (*mark)(ndft_exec *, const char *stage),
                               void *listener)
{
    ndft_exec *exec = r->fixture->exec;
    exec->listener = listener;
    exec->mark = mark;
    const ndft_status status = execute(r);
    exec->mark = NULL;
    exec->listener = NULL;
    return status;
}

/* Counts the marks of an execution, and stops the timer at one of them. */
typedef struct countdown {
    const ndft_instruments *with;
    int left;
    ndft_status status;
} countdown;

static void count(ndft_exec *exec, const char *stage)
{
    countdown *c = (countdown *)exec->listener;
    (void)stage;
    if (--c->left == 0) c->status = c->with->timer_stop(exec, 0);
}

static ndft_status execute_until(const ndft_region *r)
{
    countdown c = {r->fixture->instruments, r->until, NDFT_EDEVICE};
    NDFT_TRY(ndft_region_listen(r, count, &c));
    if (c.left <= 0) return c.status;
    return ndft_fail(r->fixture->exec->error, NDFT_EDEVICE,
                     "it marked fewer stages than the time before");
}

/* After so many executions a device that still works on what was before is well behind the host.
 * All of a long sample would not fit into the driver's queue. */
static int head_start(const ndft_region *r)
{
    const int few = queue_size(r) / 4;
    return few >= r->repetitions ? r->repetitions : few > 0 ? few : 1;
}

/* All between the two marks, and the marks. */
static ndft_status queue(const ndft_region *r, int timer, int previous, ndft_reading *reading)
{
    const ndft_instruments *with = r->fixture->instruments;
    ndft_exec *exec = r->fixture->exec;
    NDFT_TRY(with->timer_start(exec, timer));
    if (r->until) return execute_until(r);
    const int few = head_start(r);
    const double start = ndft_now_s();
    NDFT_TRY(r->graph ? replay(r) : execute_times(r, few));
    reading->dry = with->timer_passed && (previous < 0 || with->timer_passed(exec, previous));
    if (!r->graph) NDFT_TRY(execute_times(r, r->repetitions - few));
    reading->call_s = (ndft_now_s() - start) / r->repetitions;
    return with->timer_stop(exec, timer);
}

void ndft_region_push(const ndft_fixture *fixture)
{
    char label[NDFT_ID_MAX + NDFT_CASE_MAX];
    int length = fixture->candidate ? ndft_id_print(fixture->candidate, label, NDFT_ID_MAX) : 0;
    snprintf(label + length, sizeof label - (size_t)length, " %s", fixture->label);
    fixture->instruments->range_push(NDFT_PHASE_TIME, label, fixture->made->hash[0]);
}

ndft_status ndft_region_start(const ndft_region *r, int timer, int previous, ndft_reading *reading)
{
    *reading = (ndft_reading){NAN, NAN, NAN, false};
    ndft_region_push(r->fixture);
    const ndft_status status = queue(r, timer, previous, reading);
    r->fixture->instruments->range_pop();
    return status;
}

ndft_status ndft_region_time(const ndft_region *r, ndft_reading *reading)
{
    const ndft_instruments *with = r->fixture->instruments;
    ndft_exec *exec = r->fixture->exec;
    const bool held = may_hold(r) && (r->graph || r->before + r->repetitions <= queue_size(r));
    *reading = (ndft_reading){NAN, NAN, NAN, false};
    if (held) NDFT_TRY(with->block_stream(exec));
    ndft_status status = NDFT_OK;
    for (int i = 0; i < r->before && status == NDFT_OK; i++) status = execute(r);
    if (status == NDFT_OK) status = ndft_region_start(r, 0, -1, reading);
    if (!held) reading->call_s = NAN;
    reading->dry = false;
    ndft_status released = held ? with->release_stream(exec) : NDFT_OK;
    if (status == NDFT_OK) status = released;
    if (status == NDFT_OK)
        status = with->timer_read(exec, 0, &reading->seconds, &reading->clock_mhz);
    const ndft_status renewed = r->consumes ? ndft_fixture_renew(r->fixture) : NDFT_OK;
    return status == NDFT_OK ? renewed : status;
}

/* Beyond what a held device can queue launches would be timed, which take the host longer than a
 * short kernel takes. */
static int most_repetitions(const ndft_region *r)
{
    const int room = may_hold(r) ? queue_size(r) : 0, most = room > 0 ? room : MAX_REPETITIONS;
    const int in_a_row = r->consumes ? ndft_most_in_a_row(r->fixture) : most;
    return in_a_row < most ? in_a_row : most;
}

ndft_status ndft_region_calibrate(ndft_region *r, ndft_reading *last)
{
    const int most = most_repetitions(r);
    ndft_region first = *r;
    first.held = false; /* the first launch of a kernel may load it, and that may wait */
    first.repetitions = r->repetitions = 1;
    NDFT_TRY(ndft_region_time(&first, last));
    while (last->seconds < 10 * sample_s) { /* a long execution is warm, and needs no company */
        NDFT_TRY(ndft_region_time(r, last));
        if (last->seconds >= 0.8 * sample_s || r->repetitions >= most) return NDFT_OK;
        double factor = fmin(fmax(sample_s / fmax(last->seconds, 1e-9), 1.25), 10);
        r->repetitions = (int)fmin(ceil(factor * r->repetitions), most);
    }
    return NDFT_OK;
}
