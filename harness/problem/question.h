/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_QUESTION_H
#define NDFT_QUESTION_H

#include "case/case.h"

#include <stdbool.h>

/* A problem and an operation as the classes see it. */
typedef struct ndft_question {
    ndft_kind_of_problem kind;
    const char *device; /* slug */
    const char *mode;   /* of timing */
    ndft_op op;
    int dim;
    ndft_prec prec;
    double tol;

    /* Of a nonuniform problem. */
    bool field, gradients;
    bool lines;      /* samples in uniform lines */
    double per_time; /* samples for each distinct time */
    double turns;    /* field x readout: span of off-resonance times t; NaN where not known */
    double voxels, samples, coils;

    /* Of a uniform one. */
    ndft_domain domain;
    bool in_place, contiguous; /* along N1 numbers lie side by side, on both sides */
    bool callbacks;            /* it has a load or a store function */
    double length, batch;      /* terms of a sum, and transforms */
    double factor;             /* the largest prime factor of any of its lengths */
} ndft_question;

/* Of a nonuniform problem. */
ndft_question ndft_question_of_problem(const ndft_problem *, ndft_op, const char *device);
/* Without its mask; of a file's trajectory no structure is known. */
ndft_question ndft_question_of_case(const ndft_case *, const char *device);
/* Of a uniform transform; callbacks: whether it has any, which a case's does not know yet. */
ndft_question ndft_question_of_transform(const ndft_transform *, bool callbacks, double tol,
                                         const char *device);

#endif
