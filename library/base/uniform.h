/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_H
#define NDFT_UNIFORM_H

#include "base/problem.h"

#include <ndft/tensor.h>

#ifndef NDFT_INDEX /* of functions that kernels have, too: variants/uniform/uniform_index.cuh */
#define NDFT_INDEX static inline
#endif

typedef enum ndft_kind_of_problem { NDFT_NONUNIFORM, NDFT_UNIFORM } ndft_kind_of_problem;

/*
 * What a variant of this kind is given: its ndft_problem is the beginning of this structure. There
 * dim, prec, tol and n are the transform's, n_voxels and n_samples the complex numbers that the
 * memory of input and output has room for (one vector of both where in place), coils is 1, and
 * there are no arrays. The one operation is NDFT_FORWARD, whatever the sign; in place it is
 * executed with in == out.
 */
typedef struct ndft_uniform_problem {
    ndft_problem problem;
    ndft_transform transform;
} ndft_uniform_problem;

static inline const ndft_transform *ndft_transform_of(const ndft_problem *p)
{
    return &((const ndft_uniform_problem *)p)->transform;
}

/*
 * What unsupported says of load and store functions, NULL where nothing is in the way: a variant
 * that has none, one that calls them in C, and one that compiles them.
 */
static inline const char *ndft_unsupported_callbacks(const ndft_problem *p)
{
    const ndft_transform *t = ndft_transform_of(p);
    return t->load || t->store ? "it has no callbacks" : NULL;
}

static inline const char *ndft_unsupported_callbacks_c(const ndft_problem *p)
{
    const ndft_transform *t = ndft_transform_of(p);
    const bool given = (!t->load || t->load->load) && (!t->store || t->store->store);
    return given ? NULL : "the load or store function is not given in C";
}

static inline const char *ndft_unsupported_callbacks_cuda(const ndft_problem *p)
{
    const ndft_transform *t = ndft_transform_of(p);
    const bool given = (!t->load || t->load->source) && (!t->store || t->store->source);
    return given ? NULL : "the load or store function is not given in CUDA C";
}

/* Elements of a tensor. */
static inline int64_t ndft_tensor_size(const ndft_tensor *t)
{
    int64_t size = 1;
    for (int i = 0; i < NDFT_MODES; i++) size *= t->shape[i];
    return size;
}

/* Elements from the first to the last in memory, both counted. */
static inline int64_t ndft_tensor_extent(const ndft_tensor *t)
{
    int64_t extent = 1;
    for (int i = 0; i < NDFT_MODES; i++) extent += (t->shape[i] - 1) * t->stride[i];
    return extent;
}

/* Mode indices of element e, the first mode fastest. */
NDFT_INDEX void ndft_tensor_index(const ndft_tensor *t, int64_t e, int64_t index[NDFT_MODES])
{
    for (int i = 0; i < NDFT_MODES; i++) {
        index[i] = e % t->shape[i];
        e /= t->shape[i];
    }
}

/* Where in memory the element with these indices is. */
NDFT_INDEX int64_t ndft_tensor_offset(const ndft_tensor *t, const int64_t index[NDFT_MODES])
{
    int64_t offset = 0;
    for (int i = 0; i < NDFT_MODES; i++) offset += index[i] * t->stride[i];
    return offset;
}

/* Element e's place in memory. */
static inline int64_t ndft_tensor_place(const ndft_tensor *t, int64_t e)
{
    int64_t index[NDFT_MODES];
    ndft_tensor_index(t, e, index);
    return ndft_tensor_offset(t, index);
}

/* Transforms in the batch, and terms of each sum. */
static inline int64_t ndft_transform_batch(const ndft_transform *t)
{
    return t->shape[NDFT_MODE_M] * t->shape[NDFT_MODE_K];
}

static inline int64_t ndft_transform_length(const ndft_transform *t)
{
    return t->shape[1] * t->shape[2] * t->shape[3];
}

/* Of 1 it is 1. */
static inline int64_t ndft_largest_prime(int64_t n)
{
    int64_t largest = 1;
    for (int64_t p = 2; p * p <= n; p++)
        for (; n % p == 0; n /= p) largest = p;
    return n > 1 ? n : largest;
}

/* The largest prime factor of a transform's lengths. */
static inline int64_t ndft_transform_prime(const ndft_transform *t)
{
    int64_t largest = 1;
    for (int d = 0; d < t->dim; d++) {
        const int64_t prime = ndft_largest_prime(t->shape[NDFT_MODE_N + d]);
        largest = prime > largest ? prime : largest;
    }
    return largest;
}

/* Complex numbers that a tensor's memory takes, a last lone real rounded up. */
static inline int64_t ndft_tensor_room(const ndft_tensor *t)
{
    const int64_t extent = ndft_tensor_extent(t);
    return t->real ? (extent + 1) / 2 : extent;
}

#endif
