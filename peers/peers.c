/* SPDX-License-Identifier: Apache-2.0 */
#include "base/peer.h"

/* Expanded from peers.def at configure time: NDFT_PEER(name, backend), in its order. */

#define NDFT_PEER(name, backend) extern const ndft_peer ndft_##name##_##backend##_peer;
#include "peers.inc"
#undef NDFT_PEER

const ndft_peer *ndft_peer_of(const ndft_variant *variant)
{
    static const ndft_peer *const all[] = {
#define NDFT_PEER(name, backend) &ndft_##name##_##backend##_peer,
#include "peers.inc"
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->variant == variant) return all[i];
    return NULL;
}
