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

/* The sums of one operation that is no normal one. */
typedef struct ndft_sums {
    const ndft_fixture *fixture;
    const ndft_candidate *variant;
    const ndft_problem *doubled; /* all of it, in double */
    ndft_op op;
    bool is_case;    /* of the case's own input, in its own operation or the first half of it */
    double *in;      /* host */
    double *out;     /* host: all outputs */
    void *device[2]; /* the input and a pass' outputs, while passes run */
} ndft_sums;

/* How they come about: several outputs, or transforms, at a time. */
typedef struct ndft_passes {
    int64_t all;
    int least;           /* of a pass, where they are to fill a device */
    double terms;        /* of one */
    size_t in;           /* bytes on the device, of the input of all of them */
    size_t each_in, out; /* and of one: its own input, and what comes out */
    ndft_status (*run)(const ndft_sums *, int64_t first, int64_t count);
} ndft_passes;

/* Runs all passes, each of few enough for a quarter of what memory is free, and holds what came of
 * them against the host's sums of the sample. */
ndft_status ndft_sum_all(ndft_sums *, const ndft_passes *);

/* The sums of one pass, a part of the problem: `bytes` of them to the host, once they are done. */
ndft_status ndft_sum_pass(const ndft_sums *, const ndft_problem *part, void *host, size_t bytes);

#endif
