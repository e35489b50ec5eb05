/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_CUFFT_CUH
#define NDFT_UNIFORM_CUFFT_CUH

#include "core/device.cuh"

#include <ndft/uniform.h>

/* A uniform transform by one cuFFT plan. Its work area is memory of the plan's allocator, so that
 * running only launches. */
typedef struct ndft_uniform_cufft ndft_uniform_cufft;

/* Whether cuFFT's advanced layout can say where both tensors lie: one batch at most, every stride
 * a multiple of that of the axis before; real transforms in place in one piece along N1. */
bool ndft_uniform_cufft_direct(const ndft_transform *);

/* Callbacks of cuFFT for all of a plan's elements, linked into its kernels: LTO code of
 * ndft_fft_load and of ndft_fft_store, and device memory that is handed to both. cuFFT links each
 * code it is given, so that the two may share no global name, and asks for the names as C++ has
 * them. It reads the codes when the plan is made. */
struct ndft_cufft_callbacks {
    struct {
        void *code;
        size_t size;
    } load, store;
    void *info;
};

/* For a direct transform; callbacks null: none. What is made is for ndft_uniform_cufft_destroy,
 * after a failure too. */
ndft_status ndft_uniform_cufft_make(ndft_arrays *, const ndft_transform *,
                                    const ndft_cufft_callbacks *, ndft_uniform_cufft **);

/* A transform to reals overwrites its input. */
ndft_status ndft_uniform_cufft_run(const ndft_uniform_cufft *, void *in, void *out);

void ndft_uniform_cufft_destroy(ndft_uniform_cufft *); /* NULL is allowed */

#endif
