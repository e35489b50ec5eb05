/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_HARNESS_PEER_H
#define NDFT_HARNESS_PEER_H

#include "harness.h"

#include "base/peer.h"

#include <stdbool.h>

/* The peer that an entry is, or NULL: it is ours, or not built. */
const ndft_peer *ndft_peer_entry(const ndft_registered *);

/* Whether an entry takes part only where an expression spells its name: ablations, peers and
 * engines, for which their schemes stand. */
bool ndft_by_name_only(const ndft_registered *);

/* NULL, or why no device can run it here: it was not built, or its library is not there. Loads a
 * peer's library. */
const char *ndft_not_built(const ndft_registered *);

#endif
