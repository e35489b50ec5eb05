/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FIXTURE_REFERENCE_H
#define NDFT_FIXTURE_REFERENCE_H

#include "fixture.h"

/*
 * Sets what a candidate of this promise is compared with, computed on first use: every output,
 * where the host can sum them; else every output as a GPU sums them in double (ndft_every_output),
 * where there is one and its own errors are a hundredth of what is promised at most (for the kind
 * of data: of white data the typical one); else the host's sample, and then the fixture's note says
 * why unless there is no GPU.
 */
ndft_status ndft_fixture_reference(ndft_fixture *, ndft_promise);

/* Who sums every output, and where: a backend that is usable. */
typedef struct ndft_oracle {
    const ndft_backend *backend;
    ndft_candidate variant;
} ndft_oracle;

/* The same with one that takes the GPU's part; NULL: none. */
ndft_status ndft_fixture_reference_by(ndft_fixture *, ndft_promise, const ndft_oracle *);

#endif
