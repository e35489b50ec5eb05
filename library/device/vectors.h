/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_VECTORS_H
#define NDFT_VECTORS_H

#include "base/exec.h"
#include "base/problem.h"

#include <ndft/tensor.h>

/* What ndft_backend has of these names, on the processor. */
ndft_status ndft_vectors_scale(ndft_exec *, ndft_prec, const ndft_tensor *, void *memory,
                               double factor);
ndft_status ndft_vectors_place(ndft_exec *, ndft_prec, int64_t batch, const int64_t from_n[3],
                               const void *from, const int64_t to_n[3], void *to);
ndft_status ndft_vectors_multiply(ndft_exec *, ndft_prec, int64_t batch, int64_t n,
                                  const void *factors, bool conjugate, void *values);
ndft_status ndft_vectors_add(ndft_exec *, ndft_prec, int64_t n, const void *x, const void *y,
                             void *sum);
ndft_status ndft_vectors_weigh(ndft_exec *, ndft_prec, const ndft_placement *, const void *maps,
                               const void *image, void *images);
ndft_status ndft_vectors_combine(ndft_exec *, ndft_prec, const ndft_placement *, const void *maps,
                                 const void *images, void *image);

#endif
