/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PEERS_VKFFT_ALONE_H
#define NDFT_PEERS_VKFFT_ALONE_H

#include "vkfft_module.h"

#include "base/uniform.h"

/* The arguments of alone.py that have a transform done again: where its numbers lie, and what of
 * the request is not 0. */
void peer_vkfft_alone(const ndft_transform *, const vkfft_request *, char *text, size_t size);

#endif
