/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CUDA_PARTS_H
#define NDFT_CUDA_PARTS_H

#include "backend.h"
#include "base/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What libndft_cuda.so.0 hands to libndft, which opens it when a CUDA device is first asked for:
 * the backend, and the variants by name. It has no registry and no messages of its own, and exports
 * its one entry alone.
 */
typedef struct ndft_cuda_parts {
    const ndft_backend *backend;
    const ndft_variant *(*variant)(const char *engine); /* NULL: it has none of this name */
} ndft_cuda_parts;

/* NDFT_EDEVICE where build is not its own: both come from the same sources and flags. */
typedef ndft_status ndft_cuda_entry(const char *build, const ndft_cuda_parts **, ndft_error *);

#define NDFT_CUDA_ENTRY "ndft_cuda_parts_of"

__attribute__((visibility("default"))) ndft_cuda_entry ndft_cuda_parts_of;

/* What the entry answers with. */
static inline ndft_status ndft_same_build(const char *own, const char *asked, ndft_error *err)
{
    if (!__builtin_strcmp(own, asked)) return NDFT_OK;
    return ndft_fail(err, NDFT_EDEVICE,
                     "libndft_cuda.so is of build %s, libndft of build %s; install both together",
                     own, asked);
}

#ifdef __cplusplus
}
#endif
#endif
