/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CALLBACK_MODULE_H
#define NDFT_CALLBACK_MODULE_H

#include "base/status.h"
#include "base/uniform.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NVIDIA's run-time compiler of CUDA C, which needs no GPU. Its library is loaded when it is first
 * asked for, so that programs that never compile need none. */

/* A source under the name that #include finds it by. */
typedef struct ndft_source_text {
    const char *name, *text;
} ndft_source_text;

typedef enum ndft_code {
    NDFT_CODE_CUBIN, /* machine code of one architecture, for cudaLibraryLoadData */
    NDFT_CODE_LTO,   /* for linking into another kernel, as cufftXtSetJITCallback does */
} ndft_code;

/* Its version, 1000 major + minor; errors as below. */
ndft_status ndft_nvrtc_version(int *version, ndft_error *);

/*
 * Compiles a program for compute capability `capability` (90 = 9.0) with n_options options; the
 * code is for free(). NDFT_EINVAL with the compiler's own text, NDFT_EDEVICE where the library is
 * missing or too old, NDFT_ENOMEM.
 */
ndft_status ndft_nvrtc_compile(const ndft_source_text *program, const ndft_source_text *headers,
                               int n_headers, const char *const *options, int n_options,
                               int capability, ndft_code, void **code, size_t *size, ndft_error *);

/*
 * Compiles the kernel of a variant with the load and store functions of a transform in it. program:
 * one of the sources that the build carries (NAME.cuh of variants/uniform); it includes
 * callback_access.cuh, and through it the functions, in the transform's precision. kind and errors
 * are ndft_nvrtc_compile's; the code is for free().
 */
ndft_status ndft_module_compile(const ndft_transform *, const char *program, int capability,
                                ndft_code kind, void **code, size_t *size, ndft_error *);

/* The same of a program and headers of a variant's own. */
ndft_status ndft_module_compile_with(const ndft_transform *, const ndft_source_text *program,
                                     const ndft_source_text *headers, int n_headers, int capability,
                                     ndft_code kind, void **code, size_t *size, ndft_error *);

#ifdef __cplusplus
}
#endif
#endif
