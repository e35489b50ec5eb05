/* SPDX-License-Identifier: Apache-2.0 */
#include "modes.h"

#include "base/now.h"
#include "harness.h"
#include "problem/kinds.h"

#include <math.h>

/* What one sample is in each mode. */

static ndft_status take_region(ndft_subject *s, ndft_sample *sample)
{
    ndft_reading reading;
    NDFT_TRY(ndft_region_time(&s->region, &reading));
    sample->seconds = reading.seconds / s->region.repetitions;
    sample->clock_mhz = reading.clock_mhz;
    sample->call_s = reading.call_s;
    return NDFT_OK;
}

static ndft_status begin_batch(ndft_subject *s)
{
    ndft_reading last;
    const ndft_status status = ndft_region_calibrate(&s->region, &last);
    s->execution_s = last.seconds / s->region.repetitions;
    s->call_s = last.call_s;
    return status;
}

/* Once, so that everything is loaded that will be queued on a held device. */
static ndft_status begin_single(ndft_subject *s)
{
    ndft_reading reading;
    ndft_region first = s->region;
    first.held = false;
    return ndft_region_time(&first, &reading);
}

static ndft_status take_cold(ndft_subject *s, ndft_sample *sample)
{
    NDFT_TRY(s->fixture->instruments->flush(s->fixture->exec));
    return take_region(s, sample);
}

static ndft_status begin_warm(ndft_subject *s)
{
    s->region.before = 1;
    return begin_single(s);
}

/* Captures a whole batch; the first replay is for warming up. */
static ndft_status begin_graph(ndft_subject *s)
{
    const ndft_instruments *with = s->fixture->instruments;
    NDFT_TRY(begin_batch(s));
    s->region.captured = s->region.repetitions;
    NDFT_TRY(with->capture(s->fixture->exec, ndft_region_queue, &s->region, &s->region.graph));
    return begin_single(s);
}

static ndft_status begin_stages(ndft_subject *s)
{
    NDFT_TRY(begin_warm(s));
    return ndft_stages_count(&s->region, ndft_mode_steps(NDFT_STAGES, s->candidate), &s->stages);
}

static ndft_status take_stages(ndft_subject *s, ndft_sample *sample)
{
    NDFT_TRY(ndft_stages_time(&s->stages, &s->region, sample->steps));
    return take_region(s, sample);
}

/* An execution with its marks, all of them. */
static ndft_status produce_stages(ndft_subject *s, ndft_sample *sample)
{
    ndft_region marked = s->region;
    marked.until = s->stages.n;
    ndft_reading reading;
    const ndft_status status = ndft_region_time(&marked, &reading);
    sample->seconds = reading.seconds;
    return status;
}

/* The plan that the check has made would take memory from those to come. */
static ndft_status begin_end_to_end(ndft_subject *s)
{
    ndft_plan_destroy(*s->plan);
    *s->plan = NULL;
    return NDFT_OK;
}

/* The seconds since *mark, which becomes now; waits for the device first. */
static double lap(const ndft_fixture *fixture, double *mark, ndft_status *status)
{
    double last = *mark;
    if (*status == NDFT_OK) *status = fixture->backend->sync(fixture->exec);
    *mark = ndft_now_s();
    return *mark - last;
}

enum { PLAN, UPLOAD, EXECUTE, DOWNLOAD, N_STEPS };

static const char *const whole[] = {
    [PLAN] = "plan", [UPLOAD] = "upload", [EXECUTE] = "execute", [DOWNLOAD] = "download", NULL};

static ndft_status run_steps(const ndft_fixture *fixture, ndft_plan *plan, double mark,
                             double *steps)
{
    ndft_side in = ndft_side_in(fixture->op), out = ndft_side_out(fixture->op);
    ndft_exec *exec = fixture->exec;
    ndft_status status =
        exec->upload(exec, fixture->in[in], fixture->given[in], fixture->bytes[in]);
    steps[UPLOAD] = lap(fixture, &mark, &status);
    if (status == NDFT_OK) status = ndft_fixture_execute(fixture, plan, fixture->op);
    steps[EXECUTE] = lap(fixture, &mark, &status);
    if (status == NDFT_OK)
        status = fixture->backend->download(exec, fixture->fetched[out], fixture->out[out],
                                            fixture->bytes[out]);
    steps[DOWNLOAD] = lap(fixture, &mark, &status);
    return status;
}

/* Planned for the one operation, with nothing left of the sample before. */
static ndft_status take_end_to_end(ndft_subject *s, ndft_sample *sample)
{
    const ndft_fixture *fixture = s->fixture;
    ndft_plan *plan;
    double mark = ndft_now_s();
    NDFT_TRY(ndft_plan_candidate(fixture->device, s->candidate, &fixture->made->problem,
                                 fixture->op, &plan));
    ndft_status status = NDFT_OK;
    sample->steps[PLAN] = lap(fixture, &mark, &status);
    if (status == NDFT_OK) status = run_steps(fixture, plan, mark, sample->steps);
    mark = ndft_now_s();
    ndft_plan_destroy(plan);
    sample->steps[PLAN] += lap(fixture, &mark, &status);
    sample->seconds = 0;
    for (int i = 0; i < N_STEPS; i++) sample->seconds += sample->steps[i];
    return status;
}

static const struct {
    ndft_status (*begin)(ndft_subject *);
    ndft_status (*take)(ndft_subject *, ndft_sample *);
    ndft_status (*produce)(ndft_subject *, ndft_sample *); /* its time says nothing */
} modes[NDFT_N_MODES] = {
    [NDFT_BATCH] = {begin_batch, take_region, take_region},
    [NDFT_COLD] = {begin_single, take_cold, take_cold},
    [NDFT_WARM] = {begin_warm, take_region, take_region},
    [NDFT_GRAPH] = {begin_graph, take_region, take_region},
    [NDFT_STAGES] = {begin_stages, take_stages, produce_stages},
    [NDFT_END_TO_END] = {begin_end_to_end, take_end_to_end, take_end_to_end},
};

const char *const *ndft_mode_steps(ndft_mode mode, const ndft_candidate *candidate)
{
    if (mode == NDFT_END_TO_END) return whole;
    if (mode != NDFT_STAGES) return NULL;
    return ndft_traits_of(candidate->entry->variant, candidate->knobs).stages;
}

const char *ndft_mode_unsupported(ndft_mode mode, const ndft_instruments *with,
                                  const ndft_variant *v)
{
    if (mode == NDFT_STAGES && !v->stages) return "it is one stage, and marks none";
    if (mode != NDFT_GRAPH) return NULL;
    return with->capture ? v->uncapturable : "this backend has no graphs to capture it into";
}

ndft_status ndft_mode_begin(ndft_mode mode, ndft_subject *s)
{
    s->begun = true;
    s->execution_s = s->call_s = NAN;
    s->region = ndft_region_of(s->fixture, *s->plan);
    s->region.consumes = s->consumes;
    s->region.held = true;
    return modes[mode].begin(s);
}

ndft_status ndft_mode_take(ndft_mode mode, ndft_subject *s, ndft_sample *sample)
{
    *sample = (ndft_sample){.seconds = NAN, .clock_mhz = NAN, .call_s = NAN};
    return modes[mode].take(s, sample);
}

ndft_status ndft_mode_produce(ndft_mode mode, ndft_subject *s)
{
    ndft_sample untimed;
    s->region.consumes = false; /* in place its input is where the output is */
    const ndft_status status = modes[mode].produce(s, &untimed);
    s->region.consumes = s->consumes;
    return status;
}

void ndft_mode_end(ndft_subject *s)
{
    if (s->region.graph) s->fixture->instruments->graph_free(s->fixture->exec, s->region.graph);
    s->region.graph = NULL;
    ndft_stages_free(&s->stages);
}
