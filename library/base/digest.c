/* SPDX-License-Identifier: Apache-2.0 */
#include "digest.h"

#include "base/random.h"

#include <string.h>

static uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

static void add_word(ndft_digest *d, uint64_t word)
{
    d->lane[0] = rotate(d->lane[0] ^ word * 0x9e3779b185ebca87, 31) * 0xc2b2ae3d27d4eb4f;
    d->lane[1] = rotate(d->lane[1] + word * 0x165667b19e3779f9, 29) * 0x27d4eb2f165667c5;
}

void ndft_digest_start(ndft_digest *d)
{
    d->lane[0] = 0x6e646674; /* any two different constants */
    d->lane[1] = 0x64696765;
}

void ndft_digest_add(ndft_digest *d, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t word;
    add_word(d, size);
    for (; size >= sizeof word; size -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        add_word(d, word);
    }
    if (!size) return;
    word = 0;
    memcpy(&word, at, size);
    add_word(d, word);
}

void ndft_digest_finish(const ndft_digest *d, uint64_t hash[2])
{
    hash[0] = ndft_mix(d->lane[0] + rotate(d->lane[1], 17));
    hash[1] = ndft_mix(d->lane[1] ^ rotate(d->lane[0], 41));
}
