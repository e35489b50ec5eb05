/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PEERS_VKFFT_MODULE_H
#define NDFT_PEERS_VKFFT_MODULE_H

#include <stdint.h>

/*
 * VkFFT behind a few calls, as a shared library of its own, libvkfft.so: VkFFT is headers that
 * write their kernels for a transform and have them compiled by NVRTC when its plan is made (D.
 * Tolmachev, IEEE Access 11 (2023) 12039). All numbers are of 64 bits, so that other languages can
 * call it.
 */

enum { VKFFT_AXES = 4 }; /* VKFFT_MAX_FFT_DIMENSIONS */

/*
 * A transform in the words of VkFFTConfiguration. The complex side is its buffer; out of place the
 * other side is its inputBuffer: what a transform to complex numbers reads, and what one to reals
 * writes, which may overwrite the buffer on its way. Axis 0 lies in one piece; strides[d] is from
 * one index of axis d + 1 to the next, or of the batch after the last, in numbers of their side.
 */
typedef struct vkfft_request {
    int64_t dim, size[VKFFT_AXES], batches;
    int64_t omit; /* 1: axis 0 is a batch, too */
    int64_t f64, real, inverse, in_place;
    int64_t stride[VKFFT_AXES], input_stride[VKFFT_AXES];
    int64_t bytes, input_bytes; /* of both sides, from the first number to the last */
    /* Its tuning parameters, by their names there; 0 leaves one to VkFFT. */
    int64_t coalescedMemory, aimThreads, useLUT, registerBoost, performBandwidthBoost;
    int64_t fixMaxRaderPrimeMult, fixMaxRaderPrimeFFT, fixMaxRadixBluestein;
} vkfft_request;

#pragma GCC visibility push(default) /* what is looked up by name */

/* Results are VkFFT's, 0 if all went well. A plan is of the calling thread's current CUDA context
 * and its execution launches on the stream, and does nothing else. */
int ndft_vkfft_plan(const vkfft_request *, void *stream, void **plan);
int ndft_vkfft_execute(void *plan, void *in, void *out);
void ndft_vkfft_destroy(void *plan);
const char *ndft_vkfft_error(int result); /* its name */

#pragma GCC visibility pop

#endif
