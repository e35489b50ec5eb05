/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CALLBACK_KERNEL_CUH
#define NDFT_CALLBACK_KERNEL_CUH

#include "core/device.cuh"

#include "base/uniform.h"

/* A kernel with load and store functions in it, made in plan. */

/* The host's ndft_called_access (callback_access.cuh): data of the functions on the device. */
struct ndft_called_data {
    const void *load, *store;
};

struct ndft_called_kernel {
    cudaLibrary_t library; /* null: none */
    cudaKernel_t kernel;
    ndft_called_data data;
};

/* Copies the data of both functions to the device; null where there is none. */
ndft_status ndft_called_upload(ndft_arrays *, const ndft_transform *, ndft_called_data *);

/* Compiles `program` for exec's device (callback_module.h) and loads its kernel ndft_called; what
 * is made is for ndft_called_destroy, after a failure too. */
ndft_status ndft_called_make(ndft_arrays *, const ndft_transform *, const char *program,
                             ndft_called_kernel *);

/* args: pointers to the kernel's parameters, as of cudaLaunchKernel. */
ndft_status ndft_called_launch(const ndft_called_kernel *, ndft_exec *, unsigned blocks,
                               unsigned threads, void **args);

void ndft_called_destroy(ndft_called_kernel *);

#endif
