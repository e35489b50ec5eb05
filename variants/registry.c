/* SPDX-License-Identifier: Apache-2.0 */
#include "registry.h"

/* Expanded from variants.def at configure time: NDFT_BUILT(name, backend, "hash") and
 * NDFT_NOT_BUILT(name, backend, "hash") lines, in the order of variants.def. */

#define NDFT_BUILT(name, backend, hash) extern const ndft_variant ndft_##name##_##backend;
#define NDFT_NOT_BUILT(name, backend, hash)
#include "registry.inc"
#undef NDFT_BUILT
#undef NDFT_NOT_BUILT

const ndft_registered ndft_registry[] = {
#define NDFT_BUILT(name, backend, hash) {#name, #backend, &ndft_##name##_##backend, hash},
#define NDFT_NOT_BUILT(name, backend, hash) {#name, #backend, NULL, hash},
#include "registry.inc"
};

const int ndft_registry_size = sizeof ndft_registry / sizeof *ndft_registry;
