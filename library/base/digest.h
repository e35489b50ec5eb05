/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DIGEST_H
#define NDFT_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/*
 * A 128-bit content hash, not cryptographic: two 64-bit lanes of multiply and rotate over the
 * 8-byte words, finished with SplitMix64's mixer. Depends on lengths and order of what was added.
 */
typedef struct ndft_digest {
    uint64_t lane[2];
} ndft_digest;

void ndft_digest_start(ndft_digest *);

/* bytes may be NULL with size 0: an absent array, which differs from one of zeros. */
void ndft_digest_add(ndft_digest *, const void *bytes, size_t size);

void ndft_digest_finish(const ndft_digest *, uint64_t hash[2]);

#endif
