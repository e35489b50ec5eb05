/* SPDX-License-Identifier: Apache-2.0 */
#include "agreement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t reals(const ndft_agreement *a)
{
    return a->contest->out_bytes / ndft_real_size(a->contest->made.problem.prec);
}

/* From the result what the plain plan's is. */
static void subtract(ndft_agreement *a)
{
    const bool is_float = a->contest->made.problem.prec == NDFT_F32;
    for (size_t i = 0; i < reals(a); i++)
        if (is_float)
            ((float *)a->result)[i] -= ((const float *)a->right)[i];
        else
            ((double *)a->result)[i] -= ((const double *)a->right)[i];
}

static double norm(const ndft_agreement *a, const void *values)
{
    double square = 0;
    for (size_t i = 0; i < reals(a); i++) {
        const double value = ndft_real_at(values, a->contest->made.problem.prec, (int64_t)i);
        square += value * value;
    }
    return sqrt(square);
}

static ndft_status fetch(const ndft_agreement *a, const ndft_contestant *one, void *output)
{
    const ndft_contest *c = a->contest;
    const ndft_before before = ndft_turn_to(c->backend, c->exec[0]);
    const ndft_status status =
        c->backend->download(c->exec[0], output, one->out_of[0], c->out_bytes);
    ndft_turn_back(c->backend, before);
    return status;
}

/* What the plain plan makes of an image on the host, in its place. */
static ndft_status through_plain(const ndft_agreement *a, void *image)
{
    const ndft_contest *c = a->contest;
    const ndft_before before = ndft_turn_to(c->backend, c->exec[0]);
    const ndft_status status = c->exec[0]->upload(c->exec[0], c->in, image, c->in_bytes);
    ndft_turn_back(c->backend, before);
    NDFT_TRY(status);
    NDFT_TRY(ndft_contestant_apply(c, a->plain));
    return fetch(a, a->plain, image);
}

static ndft_status find_side(ndft_agreement *a)
{
    memcpy(a->result, a->contest->made.image, a->contest->in_bytes);
    NDFT_TRY(through_plain(a, a->result));
    a->side = norm(a, a->result);
    return NDFT_OK;
}

/*
 * Solutions x and y of A x = b and C y = c, where A and C are within tol of each other and so are b
 * and c: what A makes of y - x is |A y - b| + |A x - b| at most, so in units of |b| both residuals
 * and a tol for each of A y, b and the two sums that residuals are recurrences for. Images
 * themselves may differ by as much more as A is badly conditioned.
 */
static ndft_status compare_solutions(ndft_agreement *a, ndft_contestant *one, bool *wrong)
{
    const double tol = a->contest->made.problem.tol;
    subtract(a);
    NDFT_TRY(through_plain(a, a->result));
    one->difference = norm(a, a->result) / a->side;
    *wrong = *wrong || !(one->difference <= one->residual + a->plain->residual + 4 * tol);
    return NDFT_OK;
}

/* Results of the operator are both within tol of what is right. */
static void compare_results(ndft_agreement *a, ndft_contestant *one, bool *wrong)
{
    one->error = ndft_truth_error(&a->truth, a->result);
    subtract(a);
    one->difference = norm(a, a->result) / norm(a, a->right);
    *wrong = *wrong || !(one->difference <= 2 * a->contest->made.problem.tol);
}

ndft_status ndft_agreement_open(ndft_agreement *a, const ndft_contest *c,
                                const ndft_contestant *plain)
{
    *a = (ndft_agreement){.contest = c,
                          .plain = plain,
                          .result = malloc(c->out_bytes),
                          .right = malloc(c->out_bytes)};
    if (!a->result || !a->right)
        return ndft_fail(c->err, NDFT_ENOMEM, "no host memory for results");
    if (c->iterations) return NDFT_OK; /* a reference is of the operator */
    return ndft_truth_find(ndft_kind_of(&c->problem), &c->made, c->op, c->problem.seed, &a->truth,
                           c->err);
}

ndft_status ndft_agreement_look(ndft_agreement *a, ndft_contestant *one, bool *wrong)
{
    const bool first = one == a->plain, iterates = a->contest->iterations;
    NDFT_TRY(fetch(a, one, first ? a->right : a->result));
    if (iterates) return first ? find_side(a) : compare_solutions(a, one, wrong);
    if (first)
        one->error = ndft_truth_error(&a->truth, a->right);
    else
        compare_results(a, one, wrong);
    return NDFT_OK;
}

void ndft_agreement_free(ndft_agreement *a)
{
    free(a->result);
    free(a->right);
    ndft_truth_free(&a->truth);
}
