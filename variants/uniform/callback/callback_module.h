/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CALLBACK_MODULE_H
#define NDFT_CALLBACK_MODULE_H

#include "callback_nvrtc.h"

#include "base/uniform.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Compiles the kernel of a variant with the load and store functions of a transform in it. program:
 * one of the sources that the build carries (NAME.cuh of variants/uniform); it includes
 * callback_access.cuh, and through it the functions, in the transform's precision. kind and errors
 * are ndft_nvrtc_compile's; the code is for free().
 */
ndft_status ndft_module_compile(const ndft_transform *, const char *program, int capability,
                                ndft_code kind, void **code, size_t *size, ndft_error *);

#ifdef __cplusplus
}
#endif
#endif
