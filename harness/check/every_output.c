/* SPDX-License-Identifier: Apache-2.0 */
#include "every_output.h"

#include "base/now.h"
#include "cache.h"

#include <math.h>

static const double most_s = 120;
static const double pass_pairs = 0x1p37; /* about a second where double is fast */

int64_t ndft_in_a_pass(const ndft_fixture *fixture, int64_t all, int least, double terms,
                       double bytes)
{
    const double room = (double)fixture->exec->free_bytes(fixture->exec) / 4 / bytes;
    const double count = fmin(fmax(pass_pairs / terms, least), fmax(room, 1));
    return terms > most_s * pass_pairs ? 0 : (int64_t)fmin(count, (double)all);
}

ndft_status ndft_sum_pass(const ndft_fixture *fixture, const ndft_candidate *variant,
                          const ndft_problem *part, ndft_op op, void *device[2], void *host,
                          size_t bytes)
{
    ndft_exec *exec = fixture->exec;
    ndft_plan *plan;
    NDFT_TRY(ndft_plan_candidate(fixture->device, variant, part, op, &plan));
    ndft_status status = ndft_execute(plan, op, device[0], device[1]);
    if (status == NDFT_OK) status = fixture->backend->sync(exec);
    if (status == NDFT_OK) status = fixture->backend->download(exec, host, device[1], bytes);
    ndft_plan_destroy(plan);
    return status;
}

ndft_status ndft_run_passes(const ndft_fixture *fixture, int64_t all, int64_t each, ndft_pass pass,
                            const void *context)
{
    const double start = ndft_now_s();
    if (!each)
        return ndft_fail(fixture->exec->error, NDFT_EUNSUPPORTED,
                         "one of the outputs in double would take more than %g s on the device",
                         most_s);
    for (int64_t first = 0; first < all; first += each) {
        ndft_watch_phase(fixture->watch, NULL, NDFT_PHASE_REFERENCE, NAN); /* a sign of life */
        NDFT_TRY(pass(context, first, first + each < all ? each : all - first));
        const double expected = (ndft_now_s() - start) * (double)all / (double)(first + each);
        if (first + each < all && expected > most_s)
            return ndft_fail(fixture->exec->error, NDFT_EUNSUPPORTED,
                             "all outputs in double would take %.3g s on the device, more than "
                             "%g s",
                             expected, most_s);
    }
    return NDFT_OK;
}

ndft_status ndft_every_judge(const ndft_fixture *fixture, const ndft_candidate *variant,
                             const ndft_problem *doubled, ndft_op op, bool white,
                             const ndft_difference *d)
{
    const ndft_promise promise = ndft_claim_of(fixture->kind, variant, doubled, op);
    if (d->max_err <= promise.any && (!white || d->rel_l2 <= promise.typical)) return NDFT_OK;
    return ndft_fail(fixture->exec->error, NDFT_EUNSUPPORTED,
                     "the device's sums in double are %.3g away from the host's and %.3g |x|_1, "
                     "more than the claims of %.3g and %.3g",
                     d->rel_l2, d->max_err, promise.typical, promise.any);
}

/* A claim asks for sizes and bounds, which double leaves as they are, and for no array. */
ndft_promise ndft_every_output_errors(const ndft_fixture *fixture, const ndft_candidate *variant)
{
    ndft_uniform_problem doubled = {.problem = fixture->made->problem};
    if (fixture->kind->problems == NDFT_UNIFORM) doubled = fixture->made->uniform;
    doubled.problem.prec = NDFT_F64;
    doubled.transform.prec = NDFT_F64;
    return ndft_claim_of(fixture->kind, variant, &doubled.problem, fixture->op);
}

static ndft_kept kept_as(const ndft_fixture *fixture)
{
    const ndft_problem *p = &fixture->made->problem;
    const uint64_t *hash = fixture->made->hash;
    return (ndft_kept){{hash[0], hash[1]},
                       fixture->op,
                       ~hash[0], /* the sample's is hash[0] */
                       2 * fixture->kind->outputs(p, fixture->op) * p->coils};
}

bool ndft_every_output_kept(const ndft_fixture *fixture, double *result)
{
    const ndft_kept kept = kept_as(fixture);
    return ndft_cache_load(&kept, result);
}

ndft_status ndft_every_output(const ndft_fixture *fixture, const ndft_candidate *variant,
                              double *result)
{
    const bool uniform = fixture->kind->problems == NDFT_UNIFORM;
    const ndft_kept kept = kept_as(fixture);
    NDFT_TRY((uniform ? ndft_every_transform : ndft_every_sample)(fixture, variant, result));
    ndft_cache_store(&kept, result);
    return NDFT_OK;
}
