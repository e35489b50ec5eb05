/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_OUTPUT_H
#define NDFT_OUTPUT_H

#include "base/problem.h"
#include "base/status.h"

enum { NDFT_LANES = 8, NDFT_BLOCK = 256 };

/*
 * The problem as the reference reads it: for both sides of the operator one array of doubles per
 * coordinate. Each is padded to a whole number of blocks with zeros, which contribute nothing
 * because the vectors are padded with zeros too.
 *
 *     phi/(2 pi) = sum_d (k_hi + k_lo)_d x_d + (f_hi + f_lo) t,    k = k_d/N_d, f = dw/(2 pi)
 *
 * where a phase of higher order continues k by c_l/(2 pi) and x by b_l, axes in all,
 *
 * and what decay leaves, exp(-rate t).
 */
enum { NDFT_AXES = 3 + NDFT_HIGHER_TERMS };

typedef struct ndft_operands {
    int dim, axes;
    bool field, gradients, decay;
    int64_t samples, voxels; /* padded lengths */
    double *k_hi[NDFT_AXES], *k_lo[NDFT_AXES], *t;
    double *x[NDFT_AXES], *f_hi, *f_lo, *g[3], *rate;
    double *memory;
} ndft_operands;

/* NDFT_ENOMEM. */
ndft_status ndft_operands_make(const ndft_problem *, ndft_operands *, ndft_error *);
void ndft_operands_free(ndft_operands *);

/* length rounded up to whole blocks. */
int64_t ndft_padded(int64_t length);

/* A vector as planar padded doubles: coil c has its real parts at [2*c*padded] and its imaginary
 * parts at [(2*c+1)*padded]. NULL: no memory. */
double *ndft_split(ndft_prec, const ndft_placement *, const void *vector);

/* The same of the images of all coils that a problem's maps make of one. */
double *ndft_split_by_maps(const ndft_problem *, const void *image);

/* A compensated complex sum in lanes: lane l adds the terms l, l + LANES, ... */
typedef struct ndft_sum {
    double re[NDFT_LANES], im[NDFT_LANES], re_error[NDFT_LANES], im_error[NDFT_LANES];
} ndft_sum;

/*
 * One output of the forward or adjoint operator for all coils. in: a vector of ndft_split over the
 * side that is summed; sums: room for one per coil; result: re,im per coil.
 */
typedef void ndft_output(const ndft_operands *, const double *in, int coils, int64_t output,
                         ndft_sum *sums, double *result);

/* The fastest code for this processor; all of them give the same bits. */
ndft_output *ndft_output_for(ndft_op op);

#endif
