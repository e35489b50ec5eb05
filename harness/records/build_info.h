/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_BUILD_INFO_H
#define NDFT_BUILD_INFO_H

#include <stdbool.h>

/* What this program was built from and with; written by cmake/build_info.cmake at build time. */
typedef struct ndft_build_facts {
    const char *version, *commit; /* commit "unknown" outside a git checkout */
    bool dirty;                   /* tracked files differed from the commit */
    const char *cc, *nvcc;        /* "gcc 12.2.0"; nvcc empty without CUDA */
    const char *flags, *type;
} ndft_build_facts;

extern const ndft_build_facts ndft_build_info;

#endif
