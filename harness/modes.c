/* SPDX-License-Identifier: Apache-2.0 */
#include "modes.h"

#include "fit.h"
#include "renew.h"
#include "seconds.h"

#include <math.h>
#include <string.h>

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
    NDFT_TRY(begin_batch(s));
    s->region.captured = s->region.repetitions;
    NDFT_TRY(b->capture(s->rig->exec, ndft_region_queue, &s->region, &s->region.graph));
    return begin_single(s);
}

static void note_mark(ndft_exec *exec, const char *stage)
{
    ndft_subject *s = (ndft_subject *)exec->listener;
    const char *const *known = s->candidate->entry->variant->stages;
    int i = 0;
    while (known[i] && strcmp(known[i], stage)) i++;
    if (s->n_marks < NDFT_MAX_MARKS) s->stage[s->n_marks] = i;
    s->n_marks++;
}

/* Every mark must end a stage of the variant's list, and few enough of them come. */
static ndft_status check_marks(const ndft_subject *s, ndft_error *err)
{
    const char *const *known = s->candidate->entry->variant->stages;
    int n_known = 0;
    while (known[n_known]) n_known++;
    if (n_known > NDFT_MAX_STEPS || s->n_marks < 1 || s->n_marks > NDFT_MAX_MARKS)
        return ndft_fail(err, NDFT_EDEVICE, "it has %d stages and marks %d; %d and %d are the most",
                         n_known, s->n_marks, NDFT_MAX_STEPS, NDFT_MAX_MARKS);
    for (int i = 0; i < s->n_marks; i++)
        if (s->stage[i] == n_known)
            return ndft_fail(err, NDFT_EDEVICE, "it marks a stage that its list does not have");
    return NDFT_OK;
}

static ndft_status begin_stages(ndft_subject *s)
{
    ndft_exec *exec = s->rig->exec;
    NDFT_TRY(begin_warm(s));
    exec->listener = s;
    exec->mark = note_mark;
    ndft_status status = ndft_region_queue(&s->region);
    exec->mark = NULL;
    exec->listener = NULL;
    if (status == NDFT_OK) status = s->rig->backend->sync(exec);
    if (status == NDFT_OK && s->consumes) status = ndft_rig_renew(s->rig);
    return status == NDFT_OK ? check_marks(s, exec->error) : status;
}

/* A stage is the difference between two times from the start: to its mark and to the one before,
 * each of an execution of its own, so that nothing has to be timed inside of one. */
static ndft_status take_stages(ndft_subject *s, ndft_sample *sample)
{
    const char *const *names = s->candidate->entry->variant->stages;
    double last = 0;
    ndft_reading now;
    for (int i = 0; names[i]; i++) sample->steps[i] = 0;
    for (int mark = 0; mark < s->n_marks; mark++) {
        ndft_region to_mark = s->region;
        to_mark.until = mark + 1;
        NDFT_TRY(ndft_region_time(&to_mark, &now));
        sample->steps[s->stage[mark]] += now.seconds - last;
        last = now.seconds;
    }
    return take_region(s, sample);
}

/* An execution with its marks, all of them. */
static ndft_status produce_stages(ndft_subject *s, ndft_sample *sample)
{
    ndft_region marked = s->region;
    marked.until = s->n_marks;
    ndft_reading reading;
    const ndft_status status = ndft_region_time(&marked, &reading);
    sample->seconds = reading.seconds;
    return status;
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

enum { PLAN, UPLOAD, EXECUTE, DOWNLOAD, N_STEPS };

static const char *const whole[] = {
    [PLAN] = "plan", [UPLOAD] = "upload", [EXECUTE] = "execute", [DOWNLOAD] = "download", NULL};

static ndft_status run_steps(const ndft_rig *rig, const ndft_plan *plan, double mark, double *steps)
{
    ndft_side in = ndft_side_in(rig->op), out = ndft_side_out(rig->op);
    ndft_exec *exec = rig->exec;
    ndft_status status = exec->upload(exec, rig->in[in], rig->given[in], rig->bytes[in]);
    steps[UPLOAD] = lap(rig, &mark, &status);
    if (status == NDFT_OK) status = ndft_execute(plan, rig->op, rig->in[in], rig->out[out]);
    steps[EXECUTE] = lap(rig, &mark, &status);
    if (status == NDFT_OK)
        status = rig->backend->download(exec, rig->fetched[out], rig->out[out], rig->bytes[out]);
    steps[DOWNLOAD] = lap(rig, &mark, &status);
    return status;
}

/* Planned for the one operation, with nothing left of the sample before. */
static ndft_status take_end_to_end(ndft_subject *s, ndft_sample *sample)
{
    const ndft_rig *rig = s->rig;
    ndft_plan plan;
    double mark = ndft_seconds();
    NDFT_TRY(ndft_plan_make(s->candidate->entry->variant, s->candidate->knobs, &rig->made->problem,
                            rig->op, rig->exec, &plan));
    ndft_status status = NDFT_OK;
    sample->steps[PLAN] = lap(rig, &mark, &status);
    if (status == NDFT_OK) status = run_steps(rig, &plan, mark, sample->steps);
    mark = ndft_seconds();
    ndft_plan_destroy(&plan);
    sample->steps[PLAN] += lap(rig, &mark, &status);
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

const char *const *ndft_mode_steps(ndft_mode mode, const ndft_variant *v)
{
    return mode == NDFT_END_TO_END ? whole : mode == NDFT_STAGES ? v->stages : NULL;
}

const char *ndft_mode_unfit(ndft_mode mode, const ndft_backend *backend, const ndft_variant *v)
{
    if (mode == NDFT_STAGES && !v->stages) return "it is one stage, and marks none";
    if (mode != NDFT_GRAPH) return NULL;
    return backend->capture ? v->uncapturable : "this backend has no graphs to capture it into";
}

ndft_status ndft_mode_begin(ndft_mode mode, ndft_subject *s)
{
    s->begun = true;
    s->execution_s = s->call_s = NAN;
    s->region = (ndft_region){
        .rig = s->rig, .plan = s->plan, .repetitions = 1, .consumes = s->consumes, .held = true};
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
    if (s->region.graph) s->rig->backend->graph_free(s->rig->exec, s->region.graph);
    s->region.graph = NULL;
}
