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
 * than two minutes, there are load or store functions; NDFT_ENOMEM; NDFT_EDEVICE. The message is
 * exec's.
 */
ndft_status ndft_every_output(const ndft_fixture *, const ndft_candidate *, double *result);

/* The same from the disk; false: it is not there. */
bool ndft_every_output_kept(const ndft_fixture *, double *result);

/* What these sums claim to err by; no part of what is judged by them may be smaller than a hundred
 * times that. */
ndft_promise ndft_every_output_errors(const ndft_fixture *, const ndft_candidate *);

/* That of the kind whose problems are sums over positions, and of uniform transforms. */
ndft_status ndft_every_sample(const ndft_fixture *, const ndft_candidate *, double *result);
ndft_status ndft_every_transform(const ndft_fixture *, const ndft_candidate *, double *result);

/* Sums of so many outputs, or transforms, from the first on; the passes of all of them, `each` at a
 * time, until it is clear that they take too long. NDFT_EUNSUPPORTED where each is 0. */
typedef ndft_status (*ndft_pass)(const void *context, int64_t first, int64_t count);
ndft_status ndft_run_passes(const ndft_fixture *, int64_t all, int64_t each, ndft_pass,
                            const void *context);

/* A pass' sums by the variant: `bytes` of them to the host, once they are done. */
ndft_status ndft_sum_pass(const ndft_fixture *, const ndft_candidate *, const ndft_problem *part,
                          ndft_op, void *device[2], void *host, size_t bytes);

/* How many of all are a pass, of so many terms and bytes each: few enough for a quarter of what
 * memory is free, `least` where they are to fill a device. 0: one alone would take too long. */
int64_t ndft_in_a_pass(const ndft_fixture *, int64_t all, int least, double terms, double bytes);

/* Whether sums of a problem in double and the host's of the sample are as near as was promised:
 * relative errors of white data alone. */
ndft_status ndft_every_judge(const ndft_fixture *, const ndft_candidate *, const ndft_problem *,
                             ndft_op, bool white, const ndft_difference *);

#endif
