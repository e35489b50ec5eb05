/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_REGISTRY_H
#define NDFT_REGISTRY_H

#include <ndft/variant.h>

/* All variants of variants.def, in its order. variant is NULL where it was not built. */
typedef struct ndft_registered {
    const char *name, *backend;
    const ndft_variant *variant;
    const char *build_id; /* hash of the variant's sources and flags, hexadecimal */
} ndft_registered;

extern const ndft_registered ndft_registry[];
extern const int ndft_registry_size;

#endif
