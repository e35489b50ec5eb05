/* SPDX-License-Identifier: Apache-2.0 */
#include "device/cuda_parts.h"

#include "build_id.inc"

#include <stddef.h>
#include <string.h>

/* The entry of libndft_cuda.so. */

#define NDFT_BUILT(name, backend, engine, ...) extern const ndft_variant ndft_##engine##_##backend;
#include "registry_cuda.inc"
#undef NDFT_BUILT

static const struct {
    const char *name;
    const ndft_variant *variant;
} variants[] = {
#define NDFT_BUILT(name, backend, engine, ...) {#name, &ndft_##engine##_##backend},
#include "registry_cuda.inc"
    {NULL, NULL},
};

static const ndft_variant *find(const char *name)
{
    for (size_t i = 0; variants[i].name; i++)
        if (!strcmp(variants[i].name, name)) return variants[i].variant;
    return NULL;
}

ndft_status ndft_cuda_parts_of(const char *build, const ndft_cuda_parts **parts, ndft_error *err)
{
    static const ndft_cuda_parts own = {&ndft_backend_cuda, find};
    *parts = &own;
    return ndft_same_build(NDFT_BUILD_ID, build, err);
}
