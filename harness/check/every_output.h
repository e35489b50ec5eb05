/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_EVERY_OUTPUT_H
#define NDFT_EVERY_OUTPUT_H

#include "fixture.h"

/*
 * Every output of a problem in double, where the host can sum but a sample of them: by a plain
 * variant on the fixture's device, from the very numbers of the problem, which are exact in double,
 * in passes that its memory holds. On the sample it is held against the host's reference, within
 * what the variant promises in double. The normal operator is done and checked in its two halves;
 * of uniform transforms a pass is a part of the batch. Kept on disk by the problem's content.
 *
 * result: as the kind's reference gives it, for all outputs. NDFT_EUNSUPPORTED with the sentence
 * why the device's sums cannot be the reference: it disagrees with the host, it would take longer
 * than the fixture's reference_s, there are load or store functions; NDFT_ENOMEM; NDFT_EDEVICE. The
 * message is exec's.
 */
ndft_status ndft_every_output(const ndft_fixture *, const ndft_candidate *, double *result);

/* The same from the disk; false: it is not there. */
bool ndft_every_output_kept(const ndft_fixture *, double *result);

/* What these sums claim to err by; no part of what is judged by them may be smaller than a hundred
 * times that. */
ndft_promise ndft_every_output_errors(const ndft_fixture *, const ndft_candidate *);

#endif
