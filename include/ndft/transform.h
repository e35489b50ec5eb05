/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TRANSFORM_H
#define NDFT_TRANSFORM_H

#include <ndft/problem.h>
#include <ndft/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads the descriptor of a uniform transform, as the double-batched FFT library (Intel, 2022)
 * writes it:
 *
 *     descriptor = precision domain direction placement shape ["i" strides] ["o" strides]
 *     precision  = "s" | "d"      domain    = "c" | "r"      real to complex, or backward to real
 *     direction  = "f" | "b"      placement = "i" | "o"      in place, out of place
 *     shape      = [M "."] N1 ["x" N2 ["x" N3]] ["*" K]
 *     strides    = s0 "," s1 "," ... "," s(D+1)              of M, N1..ND, K
 *
 * e.g. "scfo8.1009*33": single precision, complex, forward, out of place, 8 x 33 transforms of
 * 1009. NDFT_EINVAL names the character that is wrong. Without load or store functions, which may
 * be set in what is read.
 */
NDFT_API ndft_status ndft_transform_parse(const char *descriptor, ndft_transform *transform);

/* What a transform is made with, beside its structure. */
typedef struct ndft_transform_options {
    size_t struct_size;     /* sizeof(ndft_transform_options) */
    double tol;             /* error that is allowed; 0: 1e-4 (f32), 1e-9 (f64) */
    ndft_tol_kind tol_kind; /* of what error */
    double scale;           /* of every output, as 1/N or 1/sqrt N, and of tol with it; 0: 1. A pass
                             * of its own; beside a store function 1 alone */
} ndft_transform_options;

/*
 * A uniform transform as a problem, whose plans have the one operation NDFT_FORWARD, whatever the
 * sign. in and out of an execution are the memory of its tensors, one and the same where it is in
 * place; between the elements of its output memory stays as it was. Load and store functions, and
 * what they are given, are the caller's and outlive all plans. options may be NULL.
 * NDFT_EINVAL where the structure is none that a descriptor could be, with the nearest that is.
 */
NDFT_API ndft_status ndft_transform_create(ndft_device *, const ndft_transform *,
                                           const ndft_transform_options *options,
                                           ndft_problem **problem);

#ifdef __cplusplus
}
#endif
#endif
