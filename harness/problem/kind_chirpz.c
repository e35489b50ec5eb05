/* SPDX-License-Identifier: Apache-2.0 */
#include "kinds.h"

#include "chirpz_sums.h"
#include "make/export.h"
#include "make/make.h"

/* The row of chirp z-transforms: one operation, from vectors of a batch to others. */

static ndft_status reference(const ndft_made *made, ndft_op op, const int64_t *outputs,
                             int64_t n_outputs, double *result, int threads, ndft_error *err)
{
    (void)op;
    return ndft_chirpz_reference(&made->chirpz, made->image, outputs, n_outputs, result, threads,
                                 err);
}

static ndft_difference compare(const ndft_problem *p, ndft_op op, const void *in, const void *out,
                               const int64_t *outputs, int64_t n_outputs, const double *result)
{
    (void)op;
    return ndft_chirpz_compare(ndft_chirpz_of(p), in, out, outputs, n_outputs, result);
}

static ndft_status write(const char *path, const ndft_problem *p, ndft_op op, const void *out,
                         ndft_error *err)
{
    return ndft_export_vector(path, p, ndft_side_out(op), out, p->prec, NDFT_PLANAR, err);
}

static ndft_status write_reference(const char *path, const ndft_problem *p, ndft_op op,
                                   double *result, ndft_error *err)
{
    return ndft_export_vector(path, p, ndft_side_out(op), result, NDFT_F64, NDFT_INTERLEAVED, err);
}

const ndft_kind ndft_chirpz_kind = {
    .problems = NDFT_CHIRPZ,
    .name = "chirpz",
    .make = ndft_make_chirpz,
    .sample = ndft_sample_outputs,
    .reference = reference,
    .compare = compare,
    .export = ndft_export_chirpz,
    .outputs = ndft_output_length,
    .write = write,
    .write_reference = write_reference,
    .useful = ndft_coil_pairs,
};
