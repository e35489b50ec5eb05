/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RIG_REFERENCE_H
#define NDFT_RIG_REFERENCE_H

#include "rig.h"

/*
 * Computes the reference of the rig's operation on first use: of every output where the host can
 * sum them or a GPU of the rig has done so (ndft_every_output), else of the host's sample, and then
 * the rig's note says why.
 */
ndft_status ndft_rig_reference(ndft_rig *);

/* The same with a variant that is to take the GPU's part; NULL: none. */
ndft_status ndft_rig_reference_by(ndft_rig *, const ndft_candidate *);

#endif
