/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_OUTPUT_H
#define NDFT_OUTPUT_H

#include "operands.h"

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
