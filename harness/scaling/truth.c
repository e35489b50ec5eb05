/* SPDX-License-Identifier: Apache-2.0 */
#include "truth.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

/* Pairs that may be summed, and outputs of those that there are. */
static const double most_pairs = 1 << 28;
enum { MOST_OUTPUTS = 64 };

/* Every so manieth of them. */
static void thin(ndft_truth *t)
{
    const int64_t step = t->n / MOST_OUTPUTS;
    if (step < 2) return;
    for (int64_t i = 0; i < MOST_OUTPUTS; i++) t->outputs[i] = t->outputs[i * step];
    t->n = MOST_OUTPUTS;
}

/* Of all outputs the terms of each; the normal operator needs every sample for any output. */
static double pairs_of(const ndft_truth *t)
{
    const ndft_problem *p = &t->made->problem;
    const double voxels = (double)p->n_voxels, samples = (double)p->n_samples;
    if (t->op == NDFT_NORMAL) return 2 * voxels * samples;
    return (double)t->n * (t->op == NDFT_FORWARD ? voxels : samples);
}

ndft_status ndft_truth_find(const ndft_kind *kind, const ndft_made *made, ndft_op op, uint64_t seed,
                            ndft_truth *t, ndft_error *err)
{
    *t = (ndft_truth){.kind = kind, .made = made, .op = op};
    t->n = kind->sample(&made->problem, op, seed, &t->outputs);
    if (t->outputs) thin(t);
    if (pairs_of(t) > most_pairs) return NDFT_OK;
    t->values = malloc((size_t)t->n * (size_t)made->problem.coils * 2 * sizeof *t->values);
    if (!t->values) return ndft_fail(err, NDFT_ENOMEM, "no host memory for the reference");
    return kind->reference(made, op, t->outputs, t->n, t->values, omp_get_max_threads(), err);
}

double ndft_truth_error(const ndft_truth *t, const void *out)
{
    if (!t->values) return NAN;
    return t->kind
        ->compare(&t->made->problem, t->op, ndft_made_input(t->made, t->op), out, t->outputs, t->n,
                  t->values)
        .rel_l2;
}

void ndft_truth_free(ndft_truth *t)
{
    free(t->outputs);
    free(t->values);
}
