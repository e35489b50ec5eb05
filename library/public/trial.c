/* SPDX-License-Identifier: Apache-2.0 */
#include "trial.h"

#include "base/now.h"
#include "base/random.h"
#include "promise.h"

#include <float.h>
#include <limits.h>
#include <math.h>

static const double row_s = 3e-4, /* at least */
    cold_s = 5e-3,                /* of an execution, in which caches are filled anew anyway */
    long_s = 2e-2, long_on_gpu_s = 0.2, /* of one whose first takes hardly longer than others */
    least_patience_s = 1e-3;
static const double hardly = 0.9; /* of a row, while which the host queues it */

double ndft_trials_left(const ndft_trials *t) { return t->ends - ndft_now_s(); }

/* Numbers between -1 and 1, the same again and again: as many as are drawn at once, and then twice
 * what there is, since drawing half a gigabyte takes longer than there is time to measure. */
static ndft_status put_white(const ndft_trials *t, char *to)
{
    enum { AT_ONCE = 16 * 4093 }; /* a prime: transforms of it are no few peaks */
    static const ndft_random seed = {.state = 1};
    ndft_random random = seed;
    char part[AT_ONCE];
    ndft_exec *exec = t->plan->exec;
    const ndft_prec prec = t->problem->prec;
    size_t done = t->in_bytes < sizeof part ? t->in_bytes : sizeof part;
    for (size_t j = 0; j < done / ndft_real_size(prec); j++)
        ndft_put_real(part, prec, (int64_t)j, 2 * ndft_uniform(&random) - 1);
    NDFT_TRY(exec->upload(exec, to, part, done));
    for (size_t some; done < t->in_bytes; done += some) {
        some = t->in_bytes - done < done ? t->in_bytes - done : done;
        NDFT_TRY(t->plan->problem->device->backend->copy(exec, to + done, to, some));
    }
    return NDFT_OK;
}

/* A transform of N without a scale makes |x|_2 up to sqrt(2N) times as large, and a convolution in
 * it has numbers of up to (4N)^2 times that. */
static int most_in_a_row(const ndft_problem *p)
{
    const double growth = 0.5 * log2(2 * (double)ndft_transform_length(ndft_transform_of(p)));
    const double range = p->prec == NDFT_F32 ? FLT_MAX_EXP : DBL_MAX_EXP;
    const double room = range - 0.5 * log2((double)ndft_input_bytes(p, NDFT_FORWARD)) - 4 * growth;
    return (int)fmax(1, fmin(1e4, room / growth));
}

static ndft_status take_input(ndft_trials *t)
{
    ndft_exec *exec = t->plan->exec;
    NDFT_TRY(exec->alloc(exec, "input to time", t->in_bytes, &t->in));
    if (t->in_a_row == INT_MAX) return put_white(t, t->in);
    NDFT_TRY(exec->alloc(exec, "input to put back", t->in_bytes, &t->kept));
    return put_white(t, t->kept);
}

ndft_status ndft_trials_begin(ndft_trials *t, ndft_plan *plan, const ndft_problem *p, unsigned ops)
{
    size_t out_bytes = 0;
    const bool in_place = ndft_in_place(plan->problem->kind, p);
    *t = (ndft_trials){
        .plan = plan, .problem = p, .ops = ops, .in_a_row = in_place ? most_in_a_row(p) : INT_MAX};
    for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1) {
        if (!(ops & op)) continue;
        const size_t in = ndft_input_bytes(p, (ndft_op)op), out = ndft_output_bytes(p, (ndft_op)op);
        t->in_bytes = in > t->in_bytes ? in : t->in_bytes;
        out_bytes = out > out_bytes ? out : out_bytes;
    }
    const ndft_status status = take_input(t);
    if (in_place) t->out = t->in;
    if (in_place || status != NDFT_OK) return status;
    return plan->exec->alloc(plan->exec, "output to time", out_bytes, &t->out);
}

void ndft_trials_end(ndft_trials *t)
{
    ndft_exec *exec = t->plan->exec;
    if (t->out != t->in) exec->release(exec, t->out);
    exec->release(exec, t->kept);
    exec->release(exec, t->in);
    ndft_gate_drop(&t->gate, exec, t->plan->problem->device->backend);
}

ndft_status ndft_trials_put_gate(ndft_trials *t)
{
    return ndft_gate_make(&t->gate, t->plan->exec, t->plan->problem->device->backend);
}

static bool is_on_gpu(const ndft_trials *t) { return t->plan->exec->device.shared_bytes > 0; }

typedef struct taken {
    double seconds, queuing; /* by the host */
} taken;

/* Executes so often, behind a gate if there is one, and waits; what an execution overwrites is put
 * back before. */
static ndft_status run(const ndft_trials *t, const ndft_trial *trial, int count,
                       const ndft_gate *gate, taken *took)
{
    ndft_exec *exec = t->plan->exec;
    const ndft_backend *backend = t->plan->problem->device->backend;
    if (t->kept) NDFT_TRY(backend->copy(exec, t->in, t->kept, t->in_bytes));
    NDFT_TRY(backend->sync(exec));
    const double start = ndft_now_s();
    if (gate) NDFT_TRY(ndft_gate_close(gate, exec, backend));
    for (int i = 0; i < count; i++)
        for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1)
            if (t->ops & op)
                NDFT_TRY(ndft_prepared_execute(&trial->prepared, (ndft_op)op, t->in, t->out));
    took->queuing = ndft_now_s() - start;
    NDFT_TRY(backend->sync(exec));
    took->seconds = ndft_now_s() - start;
    if (gate) took->seconds = fmax(0.01 * took->seconds, took->seconds - gate->seconds);
    return NDFT_OK;
}

bool ndft_trial_is_long(const ndft_trial *trial) { return trial->first_s > long_s; }

double ndft_trial_row_s(const ndft_trials *t, const ndft_trial *trial)
{
    const double before = trial->first_s < cold_s ? trial->first_s : 0;
    const double gates = ceil((double)trial->count / t->in_a_row);
    return before + fmax(row_s, trial->first_s) + gates * t->gate.seconds;
}

ndft_status ndft_trial_row(const ndft_trials *t, const ndft_trial *trial, double *seconds,
                           bool *queued)
{
    const ndft_gate *gate = t->gate.seconds > 0 ? &t->gate : NULL;
    taken took;
    double queuing = 0;
    if (trial->first_s < cold_s) NDFT_TRY(run(t, trial, 1, NULL, &took));
    *seconds = 0;
    for (int done = 0, count; done < trial->count; done += count) {
        count = trial->count - done < t->in_a_row ? trial->count - done : t->in_a_row;
        NDFT_TRY(run(t, trial, count, gate, &took));
        *seconds += took.seconds / trial->count;
        queuing += took.queuing / trial->count;
    }
    *queued = is_on_gpu(t) && !gate && queuing >= hardly * *seconds;
    return NDFT_OK;
}

/* The first execution loads code on a GPU, and touches memory elsewhere. */
static ndft_status begin(const ndft_trials *t, ndft_trial *trial)
{
    const double enough_s = is_on_gpu(t) ? long_on_gpu_s : long_s;
    taken took;
    NDFT_TRY(run(t, trial, 1, NULL, &took));
    if (took.seconds < fmin(enough_s, ndft_trials_left(t))) NDFT_TRY(run(t, trial, 1, NULL, &took));
    trial->first_s = took.seconds;
    trial->count = (int)fmin(1e4, ceil(row_s / trial->first_s));
    return NDFT_OK;
}

ndft_status ndft_trial_hold(const ndft_trials *t, ndft_trial *trial, double patience_s)
{
    ndft_exec *exec = t->plan->exec;
    const ndft_candidate *c = &trial->ranked.candidate;
    const double usual_s = exec->patience_s;
    exec->patience_s = fmin(usual_s, fmax(least_patience_s, patience_s));
    ndft_status status = ndft_prepare_promised(c->entry->variant, c->knobs, t->problem, t->ops,
                                               exec, &trial->prepared);
    exec->patience_s = usual_s;
    trial->held = status == NDFT_OK;
    if (trial->held) status = begin(t, trial);
    if (status != NDFT_OK) ndft_trial_drop(trial);
    return status;
}

void ndft_trial_drop(ndft_trial *trial)
{
    if (trial->held) ndft_prepared_destroy(&trial->prepared);
    trial->held = false;
}
