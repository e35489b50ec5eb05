/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CODE_CACHE_H
#define NDFT_CODE_CACHE_H

#include "callback_module.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * ndft_nvrtc_compile to machine code without options, or what it has made before of the same
 * sources, which include nothing but each other: in this process, or as the cache folder has it
 * (base/cache_file.h) of the same NVRTC.
 */
ndft_status ndft_nvrtc_compile_once(const ndft_source_text *program,
                                    const ndft_source_text *headers, int n_headers, int capability,
                                    void **code, size_t *size, ndft_error *);

#ifdef __cplusplus
}
#endif
#endif
