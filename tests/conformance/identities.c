/* SPDX-License-Identifier: Apache-2.0 */
#include "problem/kinds.h"
#include "properties.h"
#include "tally.h"
#include "traits.h"

#include "prepared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Properties that hold without an oracle, and the promise of the same bits. */

typedef struct applied {
    variant_suite *suite;
    const ndft_candidate *candidate;
} applied;

/* Runs once on the backend, host pointers. */
static ndft_status apply(void *context, const ndft_problem *p, ndft_op op, const void *in,
                         void *out, ndft_error *err)
{
    const applied *a = context;
    ndft_exec *exec;
    ndft_prepared plan;
    NDFT_TRY(a->suite->backend->open(0, &exec, err));
    ndft_status status = ndft_prepare(a->candidate->entry->variant, a->candidate->knobs, p,
                                      (unsigned)op, exec, &plan);
    if (status == NDFT_OK) {
        status = ndft_prepared_execute_host(&plan, op, in, out);
        ndft_prepared_destroy(&plan);
    }
    a->suite->backend->close(exec);
    return status;
}

static double claim(void *context, const ndft_problem *p, ndft_op op)
{
    return ndft_claim_of(&ndft_nonuniform, ((const applied *)context)->candidate, p, op).typical;
}

static void hold(applied *a, const ndft_property *property, const ndft_shape *shape)
{
    const ndft_operator operator= {apply, claim, a};
    ndft_measured measured = {0};
    ndft_error err = {0};
    char what[128];
    snprintf(what, sizeof what, "%s in %dd, f%d%s%s%s%s%s", property->name, shape->dim,
             shape->prec == NDFT_F32 ? 32 : 64, shape->gradients ? ", gradients" : "",
             shape->masked ? ", mask" : "", shape->decays ? ", decay" : "",
             shape->higher ? ", phase" : "", shape->off_grid ? ", off the grid" : "");
    ndft_status status = ndft_property_run(property, &operator, shape, &measured, &err);
    if (status == NDFT_EUNSUPPORTED)
        suite_unsupported(a->suite);
    else if (status != NDFT_OK)
        suite_fail(a->suite, a->candidate, what, "%s", err.message);
    else if (!(measured.discrepancy <= measured.bound))
        suite_fail(a->suite, a->candidate, what, "%.3g exceeds %.3g", measured.discrepancy,
                   measured.bound);
    else
        suite_pass(a->suite);
}

void test_properties(variant_suite *s, const ndft_registered *entry)
{
    static const int64_t grids[3][3] = {{67, 1, 1}, {11, 6, 1}, {5, 4, 3}};
    ndft_candidate candidate = ndft_candidate_of(entry);
    applied a = {s, &candidate};
    for (int i = 0; i < ndft_n_properties; i++) {
        const ndft_property *property = &ndft_properties[i];
        for (int dim = 1; dim <= 3; dim++) {
            for (int with = 0; with < 5; with++) { /* nothing, or one of what needs says */
                const int grad = with == 1, decay = with == 2, coils = 1 + dim % 2;
                const bool higher = with == 3, off_grid = with == 4;
                const unsigned has =
                    (grad ? NDFT_NEEDS_GRADIENTS : 0u) | (decay ? NDFT_NEEDS_DECAY : 0u) |
                    (higher ? NDFT_NEEDS_HIGHER : 0u) | (off_grid ? NDFT_NEEDS_POSITIONS : 0u);
                if (property->needs & ~has) continue;
                ndft_shape shape = {.dim = dim,
                                    .n_samples = 71,
                                    .coils = coils,
                                    .layout = coils > 1 ? NDFT_INTERLEAVED : NDFT_PLANAR,
                                    .tol = 1e-2,
                                    .gradients = grad,
                                    .decays = decay,
                                    .higher = higher,
                                    .off_grid = off_grid,
                                    .masked = dim == 2,
                                    .seed = (uint64_t)(dim + i)};
                memcpy(shape.n, grids[dim - 1], sizeof shape.n);
                for (int prec = NDFT_F32; prec <= NDFT_F64; prec++) {
                    shape.prec = (ndft_prec)prec;
                    hold(&a, property, &shape);
                }
            }
        }
    }
}

/* Two plans of the same problem give the same bits. */
static void compare_runs(applied *a, const char *text, const ndft_made *made, ndft_op op)
{
    const ndft_problem *p = &made->problem;
    size_t bytes = ndft_output_bytes(p, op);
    const void *in = ndft_made_input(made, op);
    char *out = calloc(2, bytes);
    ndft_error err = {0};
    ndft_status status = apply(a, p, op, in, out, &err);
    if (status == NDFT_OK) status = apply(a, p, op, in, out + bytes, &err);
    if (status == NDFT_EUNSUPPORTED)
        suite_unsupported(a->suite);
    else if (status != NDFT_OK)
        suite_fail(a->suite, a->candidate, text, "%s", err.message);
    else if (memcmp(out, out + bytes, bytes))
        suite_fail(a->suite, a->candidate, text, "two runs differ, but it claims determinism");
    else
        suite_pass(a->suite);
    free(out);
}

static void run_twice(applied *a, const char *text)
{
    ndft_case problem;
    ndft_made made;
    ndft_error err;
    const ndft_kind *kind = ndft_kind_serving(a->candidate->entry->kind);
    if (ndft_case_parse(text, &problem, &err) != NDFT_OK ||
        kind->make(&problem, &made, &err) != NDFT_OK) {
        suite_fail(a->suite, a->candidate, text, "%s", err.message);
        return;
    }
    compare_runs(a, text, &made, problem.op);
    ndft_made_free(&made);
}

void test_determinism(variant_suite *s, const ndft_registered *entry)
{
    static const char *const cases[][6] = {
        [NDFT_NONUNIFORM] = {"forward 2d n=37x29 m=1201 field=random:60Hz t=20ms coils=2",
                             "adjoint 2d n=37x29 m=1201 field=random:60Hz t=20ms grad=random:30Hz",
                             "normal 2d n=29x17 m=701 field=random:60Hz t=20ms coils=2",
                             "forward 3d n=9x11x7 m=1201 prec=f64",
                             "adjoint 1d n=701 m=1201 prec=f64"},
        [NDFT_UNIFORM] = {"uniform:scfo4.1009*3", "uniform:dcbi2.31x8*5", "uniform:srfo127*64",
                          "uniform:srbi101*7", "uniform:scfo16*32i1,1,20o1,2,32"},
        [NDFT_CONVOLUTION] = {"convolve:sf1009*3 cells=2017", "convolve:dn31x8*5 tol=1e-9"},
        [NDFT_CHIRPZ] = {"chirpz:s1009*3 outputs=97", "chirpz:d64 w=0.997:-0.01 tol=1e-9"}};
    ndft_candidate candidate = ndft_candidate_of(entry);
    applied a = {s, &candidate};
    for (int k = 0; k < entry->variant->n_knobs; k++) /* or as it can be asked to be */
        if (!strcmp(entry->variant->knobs[k].name, "deterministic")) candidate.knobs[k] = true;
    if (!ndft_traits_of(entry->variant, candidate.knobs).claim.deterministic) return;
    for (const char *const *text = cases[entry->kind]; *text; text++) run_twice(&a, *text);
}
