/* SPDX-License-Identifier: Apache-2.0 */
#include "modes.h"

#include "seconds.h"

#include <math.h>

/* What one sample is in each mode. */

static ndft_status take_region(ndft_subject *s, ndft_sample *sample)
{
    NDFT_TRY(ndft_region_time(&s->region, &sample->seconds, &sample->clock_mhz));
    sample->seconds /= s->region.repetitions;
    return NDFT_OK;
}

static ndft_status begin_batch(ndft_subject *s) { return ndft_region_calibrate(&s->region); }

/* Once, so that everything is loaded that will be queued on a held device. */
static ndft_status begin_single(ndft_subject *s)
{
    double seconds, clock;
    ndft_region first = s->region;
    first.held = false;
    return ndft_region_time(&first, &seconds, &clock);
}

static ndft_status take_cold(ndft_subject *s, ndft_sample *sample)
{
    NDFT_TRY(s->rig->backend->flush(s->rig->exec));
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
    const ndft_backend *b = s->rig->backend;
    NDFT_TRY(ndft_region_calibrate(&s->region));
    NDFT_TRY(b->capture(s->rig->exec, ndft_region_queue, &s->region, &s->region.graph));
    return begin_single(s);
}

/* The plan that the check has made would take memory from those to come. */
static ndft_status begin_end_to_end(ndft_subject *s)
{
    ndft_plan_destroy(s->plan);
    return NDFT_OK;
}

/* The seconds since *mark, which becomes now; waits for the device first. */
static double lap(const ndft_rig *rig, double *mark, ndft_status *status)
{
    double last = *mark;
    if (*status == NDFT_OK) *status = rig->backend->sync(rig->exec);
    *mark = ndft_seconds();
    return *mark - last;
}

static ndft_status run_steps(const ndft_rig *rig, const ndft_plan *plan, double mark, double *steps)
{
    ndft_side in = ndft_side_in(rig->op), out = ndft_side_out(rig->op);
    ndft_exec *exec = rig->exec;
    ndft_status status = exec->upload(exec, rig->in[in], rig->given[in], rig->bytes[in]);
    steps[NDFT_STEP_UPLOAD] = lap(rig, &mark, &status);
    if (status == NDFT_OK) status = ndft_execute(plan, rig->op, rig->in[in], rig->out[out]);
    steps[NDFT_STEP_EXECUTE] = lap(rig, &mark, &status);
    if (status == NDFT_OK)
        status = rig->backend->download(exec, rig->fetched[out], rig->out[out], rig->bytes[out]);
    steps[NDFT_STEP_DOWNLOAD] = lap(rig, &mark, &status);
    return status;
}

/* Planned for the one operation, with nothing left of the sample before. */
static ndft_status take_end_to_end(ndft_subject *s, ndft_sample *sample)
{
    const ndft_rig *rig = s->rig;
    ndft_plan plan;
    double mark = ndft_seconds();
    NDFT_TRY(ndft_plan_create(s->candidate->entry->variant, s->candidate->knobs,
                              &rig->made->problem, rig->op, rig->exec, &plan));
    ndft_status status = NDFT_OK;
    sample->steps[NDFT_STEP_PLAN] = lap(rig, &mark, &status);
    if (status == NDFT_OK) status = run_steps(rig, &plan, mark, sample->steps);
    mark = ndft_seconds();
    ndft_plan_destroy(&plan);
    sample->steps[NDFT_STEP_PLAN] += lap(rig, &mark, &status);
    sample->seconds = 0;
    for (int i = 0; i < NDFT_N_STEPS; i++) sample->seconds += sample->steps[i];
    return status;
}

static const struct {
    ndft_status (*begin)(ndft_subject *);
    ndft_status (*take)(ndft_subject *, ndft_sample *);
} modes[NDFT_N_MODES] = {
    [NDFT_BATCH] = {begin_batch, take_region},
    [NDFT_COLD] = {begin_single, take_cold},
    [NDFT_WARM] = {begin_warm, take_region},
    [NDFT_GRAPH] = {begin_graph, take_region},
    [NDFT_END_TO_END] = {begin_end_to_end, take_end_to_end},
};

const char *ndft_step_name(ndft_step step)
{
    static const char *const names[NDFT_N_STEPS] = {"plan", "upload", "execute", "download"};
    return names[step];
}

const char *ndft_mode_unfit(ndft_mode mode, const ndft_backend *backend, const ndft_variant *v)
{
    if (mode != NDFT_GRAPH) return NULL;
    return backend->capture ? v->uncapturable : "this backend has no graphs to capture it into";
}

ndft_status ndft_mode_begin(ndft_mode mode, ndft_subject *s)
{
    s->begun = true;
    s->region = (ndft_region){.rig = s->rig, .plan = s->plan, .repetitions = 1, .held = true};
    return modes[mode].begin(s);
}

ndft_status ndft_mode_take(ndft_mode mode, ndft_subject *s, ndft_sample *sample)
{
    *sample = (ndft_sample){NAN, NAN, {NAN, NAN, NAN, NAN}};
    return modes[mode].take(s, sample);
}

void ndft_mode_end(ndft_subject *s)
{
    if (s->region.graph) s->rig->backend->graph_free(s->rig->exec, s->region.graph);
    s->region.graph = NULL;
}
