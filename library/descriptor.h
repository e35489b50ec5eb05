/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DESCRIPTOR_H
#define NDFT_DESCRIPTOR_H

#include "base/status.h"
#include "base/uniform.h"

/*
 * The descriptor of a uniform transform, as the double-batched FFT library writes it:
 *
 *     descriptor = precision domain direction placement shape ["i" strides] ["o" strides]
 *     precision  = "s" | "d"      domain    = "c" | "r"      real to complex, or backward to real
 *     direction  = "f" | "b"      placement = "i" | "o"      in place, out of place
 *     shape      = [M "."] N1 ["x" N2 ["x" N3]] ["*" K]
 *     strides    = s0 "," s1 "," ... "," s(D+1)              of M, N1..ND, K
 *
 * e.g. scfo8.1009*33 and scfo16*32i1,1,20. Strides count reals of real tensors and complex numbers
 * of complex ones; the default is packed, the first mode fastest, where the half spectrum of a real
 * signal has floor(N1/2)+1 numbers and its place for the signal in place twice as many reals.
 */

enum { NDFT_LENGTH_MAX = 1 << 30 }; /* of an axis: 2 N - 1 is then within 31 bits */

/* NDFT_EINVAL names the character that is wrong: the grammar, a length of 0 or beyond
 * NDFT_LENGTH_MAX, more elements than 2^40, s0 other than 1, strides by which elements overlap, and
 * in place an input and an output of different sizes. */
ndft_status ndft_descriptor_parse(const char *text, ndft_transform *, ndft_error *);

/* Default strides left out. Returns the length as snprintf does; parse(print(x)) == x. */
int ndft_descriptor_print(const ndft_transform *, char *text, size_t size);

/* What variants are given of a transform. */
ndft_problem ndft_problem_of_transform(const ndft_transform *, double tol, ndft_tol_kind);

/* Both tensors of a transform of which all else is set, with default strides. */
void ndft_transform_place(ndft_transform *);

/* The most elements that a transform has, and that a mode spans with its stride. */
extern const int64_t ndft_elements_max;
bool ndft_tensor_too_long(const ndft_tensor *);

/* The first mode by which elements of a tensor overlap; -1: none do. A stride must reach beyond all
 * that the modes of smaller strides span, from the first to the last element, both counted. */
int ndft_tensor_overlap(const ndft_tensor *, int64_t *span);

/* A tensor's elements lie in runs along its first mode that is longer than 1: element i*length
 * begins run i. */
typedef struct ndft_tensor_runs {
    int64_t n, length, stride;
} ndft_tensor_runs;

ndft_tensor_runs ndft_tensor_runs_of(const ndft_tensor *);

/* Copies the elements alone from one memory of the tensor to another. */
void ndft_tensor_copy(const ndft_tensor *, ndft_prec, const void *from, void *to);

/* Whether input and output, in place, keep each other's elements to the same part of memory: equal
 * strides, those of a real tensor twice as long from N2 on. */
bool ndft_transform_aligned(const ndft_transform *);

/* Makes it so: by the strides of the input, else of the output, else by default strides. */
void ndft_transform_align(ndft_transform *);

#endif
