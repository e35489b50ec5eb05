/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_PRODUCT_CHOICE_H
#define NDFT_NUFFT_PRODUCT_CHOICE_H

#include "nufft/shape.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether f32 samples are spread by products of pairs of bf16 (product_parts.cuh), which lose more
 * than those of tf32: of two axes and more where tol has room for that. And what spreading by
 * products claims. */
bool ndft_nufft_takes_pairs(const ndft_problem *, const int *knobs);
double ndft_nufft_truncation_by_products(const ndft_problem *, const int *knobs);
double ndft_nufft_any_by_products(const ndft_problem *, ndft_op, const int *knobs);

/* Samples of a tile that a warp takes. */
int ndft_product_most(int dim);

#ifdef __cplusplus
}
#endif
#endif
