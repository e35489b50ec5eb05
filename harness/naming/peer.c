/* SPDX-License-Identifier: Apache-2.0 */
#include "peer.h"

const ndft_peer *ndft_peer_entry(const ndft_registered *entry)
{
    return entry->variant ? ndft_peer_of(entry->variant) : NULL;
}

bool ndft_by_name_only(const ndft_registered *entry)
{
    return entry->ablates || entry->peer || ndft_is_engine(entry);
}

const char *ndft_not_built(const ndft_registered *entry)
{
    const ndft_peer *peer = ndft_peer_entry(entry);
    if (peer) return peer->missing();
    return entry->variant ? NULL : "it was not built: no nvcc, or no library it needs";
}
