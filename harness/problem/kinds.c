/* SPDX-License-Identifier: Apache-2.0 */
#include "kinds.h"

#include "cache.h"
#include "make/export.h"
#include "naming/peer.h"

static ndft_status reference(const ndft_made *made, ndft_op op, const int64_t *outputs,
                             int64_t n_outputs, double *result, int threads, ndft_error *err)
{
    return ndft_reference_cached(&made->problem, op, ndft_made_input(made, op), made->hash,
                                 made->hash[0], outputs, n_outputs, result, threads, err);
}

static ndft_status write(const char *path, const ndft_problem *p, ndft_op op, const void *out,
                         ndft_error *err)
{
    return ndft_export_vector(path, p, ndft_side_out(op), out, p->prec, p->layout, err);
}

static ndft_status write_reference(const char *path, const ndft_problem *p, ndft_op op,
                                   double *result, ndft_error *err)
{
    return ndft_export_vector(path, p, ndft_side_out(op), result, NDFT_F64, NDFT_INTERLEAVED, err);
}

/* Whole lines where it has lines. */
static ndft_problem first_samples(const ndft_problem *p, int64_t m)
{
    ndft_problem part = *p;
    int64_t line = p->structure.line_length;
    if (line > 0 && m > line) m -= m % line;
    if (line > m) part.structure.line_length = m;
    part.n_samples = m;
    part.structure.distinct_times = 0;
    return part;
}

const ndft_kind ndft_nonuniform = {
    .problems = NDFT_NONUNIFORM,
    .name = "nonuniform",
    .make = ndft_make,
    .sample = ndft_sample_outputs,
    .reference = reference,
    .compare = ndft_compare,
    .export = ndft_export,
    .outputs = ndft_output_length,
    .write = write,
    .write_reference = write_reference,
    .useful = ndft_coil_pairs,
    .part = first_samples,
    .oracle = "naive",
};

const ndft_kind *ndft_kind_serving(ndft_kind_of_problem problems)
{
    static const ndft_kind *const kinds[] = {&ndft_nonuniform, &ndft_uniform_kind,
                                             &ndft_convolution_kind, &ndft_chirpz_kind};
    return kinds[problems];
}

const ndft_kind *ndft_kind_of(const ndft_case *c) { return ndft_kind_serving(c->kind); }

ndft_status ndft_kind_match(const ndft_case *c, const ndft_registered *entry, ndft_error *err)
{
    if (entry->kind == c->kind) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL, "%s.%s serves %s cases, and this one is %s", entry->name,
                     entry->backend, ndft_kind_serving(entry->kind)->name, ndft_kind_of(c)->name);
}

ndft_promise ndft_claim_of(const ndft_kind *kind, const ndft_candidate *candidate,
                           const ndft_problem *p, ndft_op op)
{
    return ndft_promise_of(kind->problems, candidate->entry->variant, candidate->knobs, p, op);
}

bool ndft_fits(const ndft_kind *kind, const ndft_candidate *candidate, const ndft_problem *p,
               ndft_op op, const ndft_device *device, ndft_check *check)
{
    const ndft_variant *v = candidate->entry->variant;
    const char *missing = ndft_not_built(candidate->entry);
    if (missing) return ndft_set_verdict(check, NDFT_NOT_BUILT, "%s", missing);
    if (candidate->entry->kind != kind->problems)
        return ndft_set_verdict(check, NDFT_UNSUPPORTED, "it does not serve %s problems",
                                kind->name);
    if (op & ~ndft_served_ops(v, candidate->knobs))
        return ndft_set_verdict(check, NDFT_UNSUPPORTED, "it does not serve %s", ndft_op_name(op));
    const char *why = ndft_plan_unsupported(v, candidate->knobs, p, op, device);
    if (why) return ndft_set_verdict(check, NDFT_UNSUPPORTED, "%s", why);
    if (candidate->entry->ablates) return true; /* it claims nothing */
    const ndft_promise promise = ndft_claim_of(kind, candidate, p, op);
    check->claim = promise.typical;
    check->claim_any = promise.any;
    ndft_error err = {0};
    return ndft_promise_holds(&promise, p, &err) == NDFT_OK ||
           ndft_set_verdict(check, NDFT_UNSUPPORTED, "%s", err.message);
}
