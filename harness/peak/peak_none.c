/* SPDX-License-Identifier: Apache-2.0 */
#include "probe.h"

/* The probes of a CUDA device in a build without nvcc: there are none. */

static const ndft_probe *const lists[] = {NULL};

const ndft_probes ndft_probes_cuda = {.backend = "cuda", .lists = lists};
