/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PEERS_VKFFT_LAYOUT_H
#define NDFT_PEERS_VKFFT_LAYOUT_H

#include "vkfft_module.h"

#include "base/uniform.h"

/* How a uniform transform is asked of VkFFT: K is its batches, M or a gap between numbers along N1
 * an axis of its own before the others, which it leaves as it is. */

/* NULL, or why VkFFT does not serve this transform. */
const char *peer_vkfft_unsupported(const ndft_problem *);

/* Of a transform that it serves, its tuning parameters 0. */
vkfft_request peer_vkfft_request(const ndft_transform *);

#endif
