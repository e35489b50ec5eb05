/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PEERS_WEIGH_LOOP_H
#define NDFT_PEERS_WEIGH_LOOP_H

#include "weigh.h"

#include "core/loop.h"

/* weigh.h for elements begin..end-1 of every column. */
NDFT_LOOP_DECLARE(void, peer_expand,
                  (const peer_weights *, int64_t begin, int64_t end, const void *in,
                   void *columns));
NDFT_LOOP_DECLARE(void, peer_join,
                  (const peer_weights *, int64_t begin, int64_t end, const void *columns,
                   void *out));

#endif
