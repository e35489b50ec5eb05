/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TEST_NUFFT_PROBLEM_H
#define NDFT_TEST_NUFFT_PROBLEM_H

#include "nufft/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Problems without arrays, by which shapes are chosen. */

static const int preset[NDFT_NUFFT_KNOBS] = {200, NDFT_WINDOW_KB, NDFT_WEIGHTS_POLYNOMIAL, 0,
                                             NDFT_FIELD_SVD};

static const ndft_device device = {.backend = "cpu", .memory_bytes = (size_t)1 << 40};

static inline ndft_problem problem_of(int dim, int64_t n, ndft_prec prec, double tol)
{
    return (ndft_problem){.dim = dim,
                          .prec = prec,
                          .coils = 6,
                          .tol = tol,
                          .n = {n, dim > 1 ? n : 1, dim > 2 ? n : 1},
                          .n_voxels = 1 << 20,
                          .n_samples = 1 << 20};
}

static inline ndft_nufft_shape shape_of(const ndft_problem *p, const int *knobs, int rank)
{
    ndft_nufft_shape shape;
    ndft_error error;
    assert_null(ndft_nufft_unsupported(p, &device, knobs));
    assert_int_equal(ndft_nufft_shape_make(p, knobs, rank, &error, &shape), NDFT_OK);
    return shape;
}

/* tol=1e-4 takes 5 cells, in 3D 6, a digit about one cell more; a field map has room. */

#endif
