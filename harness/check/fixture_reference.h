/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FIXTURE_REFERENCE_H
#define NDFT_FIXTURE_REFERENCE_H

#include "fixture.h"

/*
 * Computes the reference of the fixture's operation on first use: of every output where the host
 * can sum them or a GPU can (ndft_every_output), else of the host's sample, and then the fixture's
 * note says why unless there is no GPU.
 */
ndft_status ndft_fixture_reference(ndft_fixture *);

/* Who sums every output, and where: a backend that is usable. */
typedef struct ndft_oracle {
    const ndft_backend *backend;
    ndft_candidate variant;
} ndft_oracle;

/* The same with one that takes the GPU's part; NULL: none. */
ndft_status ndft_fixture_reference_by(ndft_fixture *, const ndft_oracle *);

#endif
