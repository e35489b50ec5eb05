/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LIBRARIES_H
#define NDFT_LIBRARIES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Versions of what times depend on beside the program's own sources, as this process has it. */

enum { NDFT_VERSION_TEXT = 64 };

/* "libc", "fftw", "cuda_runtime", "cuda_driver", "cufft", "nvrtc", "nvjitlink", "jansson"; null
 * where there is none. A new reference. */
json_t *ndft_libraries(void);

/* Compiler and libraries that variants of a backend are made with and call, in one line of text; of
 * what they do not use nothing, so that records live on when it changes. */
void ndft_toolchain(const char *backend, char *text, size_t size);

/* The parts that are known in another file. Empty where there is none. */
typedef struct ndft_cuda_versions {
    char runtime[NDFT_VERSION_TEXT], driver[NDFT_VERSION_TEXT], cufft[NDFT_VERSION_TEXT];
    char nvrtc[NDFT_VERSION_TEXT], nvjitlink[NDFT_VERSION_TEXT];
} ndft_cuda_versions;

ndft_cuda_versions ndft_cuda_versions_find(void);

#ifdef __cplusplus
}
#endif

/* What this program was built from and with; written by cmake/build_info.cmake at build time. */
typedef struct ndft_build_facts {
    const char *version, *commit; /* commit "unknown" outside a git checkout */
    bool dirty;                   /* tracked files differed from the commit */
    const char *cc, *nvcc;        /* "gcc 12.2.0"; nvcc empty without CUDA */
    const char *flags, *type;
} ndft_build_facts;

extern const ndft_build_facts ndft_build_info;

#endif
