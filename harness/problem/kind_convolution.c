/* SPDX-License-Identifier: Apache-2.0 */
#include "kinds.h"

#include "convolution_sums.h"
#include "descriptor.h"
#include "make/export.h"
#include "make/make.h"

/* The row of convolutions: three operations between two boxes of a batch. */

static ndft_status reference(const ndft_made *made, ndft_op op, const int64_t *outputs,
                             int64_t n_outputs, double *result, int threads, ndft_error *err)
{
    return ndft_convolution_reference(&made->convolution, op, ndft_made_input(made, op), outputs,
                                      n_outputs, result, threads, err);
}

static ndft_difference compare(const ndft_problem *p, ndft_op op, const void *in, const void *out,
                               const int64_t *outputs, int64_t n_outputs, const double *result)
{
    return ndft_convolution_compare(ndft_convolution_of(p), op, in, out, outputs, n_outputs,
                                    result);
}

/* The output as a tensor, x fastest, one of the batch after the other. */
static ndft_tensor output_of(const ndft_problem *p, ndft_op op)
{
    const int64_t *n = op == NDFT_FORWARD ? ndft_convolution_of(p)->outputs : p->n;
    return (ndft_tensor){.shape = {1, n[0], n[1], n[2], p->coils},
                         .stride = {1, 1, n[0], n[0] * n[1], n[0] * n[1] * n[2]}};
}

static ndft_status write(const char *path, const ndft_problem *p, ndft_op op, const void *out,
                         ndft_error *err)
{
    const ndft_tensor t = output_of(p, op);
    return ndft_export_tensor(path, p->dim, &t, out, p->prec, err);
}

/* Element after element, each for all of the batch. */
static ndft_status write_reference(const char *path, const ndft_problem *p, ndft_op op,
                                   double *result, ndft_error *err)
{
    ndft_tensor t = output_of(p, op);
    for (int mode = NDFT_MODE_N; mode < NDFT_MODE_K; mode++) t.stride[mode] *= p->coils;
    t.stride[NDFT_MODE_K] = 1;
    return ndft_export_tensor(path, p->dim, &t, result, NDFT_F64, err);
}

const ndft_kind ndft_convolution_kind = {
    .problems = NDFT_CONVOLUTION,
    .name = "convolution",
    .make = ndft_make_convolution,
    .sample = ndft_sample_outputs,
    .reference = reference,
    .compare = compare,
    .export = ndft_export_convolution,
    .outputs = ndft_output_length,
    .write = write,
    .write_reference = write_reference,
    .useful = ndft_coil_pairs,
};
