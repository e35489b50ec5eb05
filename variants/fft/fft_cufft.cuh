/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FFT_CUFFT_CUH
#define NDFT_FFT_CUFFT_CUH

#include "core/device.cuh"

#include "base/uniform.h"

/*
 * Fast transforms by cuFFT, with no factor: all that the suite asks of it goes through here. A
 * plan's work area is memory of the caller's allocator, so that running only launches.
 */
typedef struct ndft_cufft ndft_cufft;

/* Element (b, x) of a side is at b distance + ((x0 embed[1] + x1) embed[2] + x2) stride, the
 * slowest axis first. embed[0] 0: packed, rows of reals in place padded as their spectrum is. */
struct ndft_cufft_side {
    long long embed[3], stride, distance;
};

struct ndft_cufft_shape {
    ndft_prec prec;
    ndft_domain domain;
    int dim;
    long long n[3]; /* the slowest first */
    ndft_cufft_side in, out;
    long long batch;
};

/* Complex, in place: n[0..dim-1] cells, x fastest, `stride` apart, in grids `distance` apart. */
ndft_cufft_shape ndft_cufft_grids(ndft_prec, int dim, const int64_t *n, int64_t stride,
                                  int64_t distance, int64_t grids);

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

/* A plan without its work area; callbacks null: none. What is made is for ndft_cufft_destroy, after
 * a failure too, which leaves it to exec for the next of its shape where that keeps things, and
 * then to other plans of the device. */
ndft_status ndft_cufft_make(ndft_exec *, const ndft_cufft_shape *, const ndft_cufft_callbacks *,
                            ndft_cufft **);

/* One work area for plans that do not run at the same time. */
ndft_status ndft_cufft_give_work(ndft_arrays *, ndft_cufft *const plans[], int count);

/* With its work area: complex, in place, packed grids one after the other. */
ndft_status ndft_cufft_make_grids(ndft_arrays *, ndft_prec, int dim, const int64_t n[3], int grids,
                                  ndft_cufft **);

/* sign: that of the exponent, which the domain of reals decides by itself. A transform to reals
 * overwrites its input. */
ndft_status ndft_cufft_run(ndft_cufft *, int sign, void *in, void *out);

void ndft_cufft_destroy(ndft_cufft *); /* NULL is allowed */

#endif
