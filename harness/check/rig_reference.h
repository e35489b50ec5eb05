/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RIG_REFERENCE_H
#define NDFT_RIG_REFERENCE_H

#include "rig.h"

/*
 * Computes the reference of the rig's operation on first use: of every output where the host can
 * sum them or a GPU can (ndft_every_output), else of the host's sample, and then the rig's note
 * says why unless there is no GPU.
 */
ndft_status ndft_rig_reference(ndft_rig *);

/* Who sums every output, and where: a backend that is usable. */
typedef struct ndft_oracle {
    const ndft_backend *backend;
    ndft_candidate variant;
} ndft_oracle;

/* The same with one that takes the GPU's part; NULL: none. */
ndft_status ndft_rig_reference_by(ndft_rig *, const ndft_oracle *);

#endif
