/* SPDX-License-Identifier: Apache-2.0 */
#include "registry.h"

/* Expanded from variants.def at configure time: NDFT_BUILT(name, backend, engine, "hash",
 * ablates, without, kind,
 * "library", peer) and NDFT_NOT_BUILT of the same lines, in the order of variants.def; in
 * programs that have them, those of peers.def behind. */

#define NDFT_BUILT(name, backend, engine, ...) extern const ndft_variant ndft_##engine##_##backend;
#define NDFT_NOT_BUILT(name, backend, engine, ...)
#include NDFT_REGISTRY
#undef NDFT_BUILT
#undef NDFT_NOT_BUILT

ndft_registered ndft_registry[] = {
#define NDFT_BUILT(name, backend, engine, ...)                                                     \
    {#name, #backend, &ndft_##engine##_##backend, __VA_ARGS__},
#define NDFT_NOT_BUILT(name, backend, engine, ...) {#name, #backend, NULL, __VA_ARGS__},
#include NDFT_REGISTRY
};

const int ndft_registry_size = sizeof ndft_registry / sizeof *ndft_registry;
