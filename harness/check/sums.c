/* SPDX-License-Identifier: Apache-2.0 */
#include "sums.h"

#include "base/now.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

static const double pass_pairs = 0x1p37; /* about a second where double is fast */

/* How many are a pass; 0: one alone would take too long. */
static int64_t in_a_pass(const ndft_sums *s, const ndft_passes *p)
{
    ndft_exec *exec = s->fixture->exec;
    const double left = (double)exec->free_bytes(exec) - (double)p->in;
    const double room = left / 4 / (double)(p->each_in + p->out);
    const double count = fmin(fmax(pass_pairs / p->terms, p->least), fmax(room, 1));
    return p->terms > s->fixture->reference_s * pass_pairs ? 0
                                                           : (int64_t)fmin(count, (double)p->all);
}

ndft_status ndft_sum_pass(const ndft_sums *s, const ndft_problem *part, void *host, size_t bytes)
{
    const ndft_fixture *fixture = s->fixture;
    ndft_plan *plan;
    NDFT_TRY(ndft_plan_candidate(fixture->device, s->variant, part, s->op, &plan));
    ndft_status status = ndft_execute(plan, s->op, s->device[0], s->device[1]);
    if (status == NDFT_OK) status = fixture->backend->sync(fixture->exec);
    if (status == NDFT_OK)
        status = fixture->backend->download(fixture->exec, host, s->device[1], bytes);
    ndft_plan_destroy(plan);
    return status;
}

/* Until it is clear that they take too long. */
static ndft_status run_passes(const ndft_sums *s, const ndft_passes *p, int64_t each)
{
    const double start = ndft_now_s(), most_s = s->fixture->reference_s;
    for (int64_t first = 0; first < p->all; first += each) {
        const int64_t left = p->all - first;
        ndft_watch_phase(s->fixture->watch, NULL, NDFT_PHASE_REFERENCE, NAN); /* a sign of life */
        NDFT_TRY(p->run(s, first, each < left ? each : left));
        const double expected = (ndft_now_s() - start) * (double)p->all / (double)(first + each);
        if (each < left && expected > most_s)
            return ndft_fail(s->fixture->exec->error, NDFT_EUNSUPPORTED,
                             "all outputs in double would take %.3g s on the device, more than "
                             "%g s",
                             expected, most_s);
    }
    return NDFT_OK;
}

static ndft_status sum_on_device(ndft_sums *s, const ndft_passes *p)
{
    ndft_exec *exec = s->fixture->exec;
    const int64_t each = in_a_pass(s, p);
    if (!each)
        return ndft_fail(exec->error, NDFT_EUNSUPPORTED,
                         "one of the outputs in double would take more than %g s on the device",
                         s->fixture->reference_s);
    const size_t in = p->in + (size_t)each * p->each_in, out = (size_t)each * p->out;
    s->device[0] = s->device[1] = NULL;
    ndft_status status = exec->alloc(exec, "input in double", in, &s->device[0]);
    if (status == NDFT_OK) status = exec->alloc(exec, "outputs in double", out, &s->device[1]);
    if (status == NDFT_OK) status = run_passes(s, p, each);
    exec->release(exec, s->device[1]);
    exec->release(exec, s->device[0]);
    return status;
}

/* The host's sums of the sample; those of the case's own input are kept on disk. */
static ndft_status sum_on_host(const ndft_sums *s, const int64_t *outputs, int64_t n,
                               double *result)
{
    const ndft_made *made = s->fixture->made;
    const int threads = omp_get_max_threads();
    ndft_error *err = s->fixture->exec->error;
    if (!s->is_case)
        return ndft_reference(s->doubled, s->op, s->in, outputs, n, result, threads, err);
    return s->fixture->kind->reference(made, s->op, outputs, n, result, threads, err);
}

/* Whether both are as near as was promised: relative errors of white data alone. */
static ndft_status judge(const ndft_sums *s, const ndft_difference *d)
{
    const ndft_promise promise = ndft_claim_of(s->fixture->kind, s->variant, s->doubled, s->op);
    const bool white = s->is_case && ndft_is_white(s->fixture);
    if (d->max_err <= promise.any && (!white || d->rel_l2 <= promise.typical)) return NDFT_OK;
    return ndft_fail(s->fixture->exec->error, NDFT_EUNSUPPORTED,
                     "the device's sums in double are %.3g away from the host's and %.3g |x|_1, "
                     "more than the claims of %.3g and %.3g",
                     d->rel_l2, d->max_err, promise.typical, promise.any);
}

static ndft_status hold_against_host(const ndft_sums *s)
{
    const ndft_kind *kind = ndft_kind_of(s->fixture->problem);
    const ndft_problem *p = s->doubled;
    int64_t *outputs;
    const int64_t n = kind->sample(p, s->op, s->fixture->made->hash[0], &outputs);
    double *host = malloc((size_t)(n * p->coils) * 2 * sizeof *host);
    ndft_status status = host ? sum_on_host(s, outputs, n, host)
                              : ndft_fail(s->fixture->exec->error, NDFT_ENOMEM,
                                          "no host memory for a sample of the reference");
    if (status == NDFT_OK) {
        const ndft_difference d = kind->compare(p, s->op, s->in, s->out, outputs, n, host);
        status = judge(s, &d);
    }
    free(host);
    free(outputs);
    return status;
}

ndft_status ndft_sum_all(ndft_sums *s, const ndft_passes *passes)
{
    NDFT_TRY(sum_on_device(s, passes));
    return hold_against_host(s);
}
