/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CALLBACK_H
#define NDFT_CALLBACK_H

#include <ndft/slot.h>

/*
 * Load and store functions: what a uniform transform does in place of reading an element of its
 * input or writing one of its output, after the user callbacks of the double-batched FFT library
 * (Intel, 2022). One source serves as C and as CUDA C when it includes this header alone and keeps
 * to what both languages share:
 *
 *     NDFT_CALLBACK ndft_value pad(ndft_slot from, const int64_t *index, const void *data)
 *     {
 *         const ndft_value zero = {0, 0};
 *         return index[NDFT_MODE_N] < 700 ? ndft_read(from) : zero;
 *     }
 *
 *     NDFT_CALLBACK void halve(ndft_slot to, ndft_value value, const int64_t *index,
 *                              const void *data)
 *     {
 *         value.re /= 2;
 *         value.im /= 2;
 *         ndft_write(to, value);
 *     }
 *
 * index[NDFT_MODES] are the element's modes in its tensor. A function reads or writes the element
 * that it is given or none at all, which of the two depends on the index alone, and keeps nothing
 * from call to call: it is called in any order, by many threads, and a load function any number of
 * times for one element. What is not read may be anything, what is not written stays as it was.
 */

/* Modes of a tensor: M, N1, N2, N3, K; those beyond the dimension are 1 with stride 0. */
enum { NDFT_MODE_M, NDFT_MODE_N, NDFT_MODE_K = 4, NDFT_MODES };

/* What the transform takes for the element of its input at index. */
typedef ndft_value ndft_load_function(ndft_slot from, const int64_t *index, const void *data);
/* Is given the value of the output's element at index, and where it would go. */
typedef void ndft_store_function(ndft_slot to, ndft_value value, const int64_t *index,
                                 const void *data);

/*
 * A load or store function with the data it is passed. CPU variants and the reference call its C
 * function; CUDA variants compile its source in plan (NVRTC) into their own kernels. Where one of
 * the two is NULL, the variants of that backend are unsupported. Everything outlives the plans.
 */
typedef struct ndft_callback {
    const char *name;   /* of the function in the source */
    const char *module; /* of the source in the compiler's messages, as of a file */
    const char *source; /* CUDA C; NULL: none */
    union {
        ndft_load_function *load;
        ndft_store_function *store;
    };                /* C; NULL: none */
    const void *data; /* on the host; a plan for another device copies it there */
    size_t bytes;     /* of data; 0: none */
} ndft_callback;

#endif
