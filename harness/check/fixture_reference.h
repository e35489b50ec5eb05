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

/*
 * Every output of a nonuniform problem in double, where the host can sum but a sample of them: by a
 * plain variant on the fixture's device, from the very arrays of the problem, which are exact in
 * double, in passes that its memory holds. On the sample (ndft_sample_outputs) it is held against
 * the host's reference, within what the variant promises in double. The normal operator is done and
 * checked in its two halves. Kept on disk by the problem's content.
 *
 * result: as ndft_reference gives it, for all outputs. NDFT_EUNSUPPORTED with the sentence why the
 * device's sums cannot be the reference: what it rounds is no small part of the problem's own
 * roundoff, it disagrees with the host, it would take longer than two minutes; NDFT_ENOMEM;
 * NDFT_EDEVICE. The message is exec's.
 */
ndft_status ndft_every_output(const ndft_fixture *, const ndft_candidate *, double *result);

/* The same from the disk; false: it is not there. */
bool ndft_every_output_kept(const ndft_fixture *, double *result);

#endif
