/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DIVIDED_H
#define NDFT_DIVIDED_H

#include "case/suite.h"
#include "harness.h"

/* Of devices, for one case. */
enum { NDFT_MOST_NUMBERS = 8 };

/* A case of a suite that groups of devices divide, `.*[.]cuda gpus={1,2} ranks=2 cg=10 : CASE`:
 * these are knobs of the group, and the others are its engine's. */
typedef struct ndft_divided {
    ndft_case problem;
    char text[NDFT_CASE_MAX];
    char gpus[64], ranks[64];  /* numbers of devices, and of processes with one each, "1,2,4" */
    int cg;                    /* iterations of conjugate gradients; 0: the operation alone */
    char variant[NDFT_ID_MAX]; /* the engine of all parts; empty: the library chooses */
    char backend[16];          /* empty: CUDA where there is a GPU, else the processor */
} ndft_divided;

typedef struct ndft_divided_list {
    ndft_divided *items; /* in order of first mention */
    int n;
} ndft_divided_list;

/*
 * Takes the items with gpus= or ranks= out of a suite and joins those of a case and engine. Their
 * expression matches one variant, or all of a backend, or all that there are. backend: only this
 * one; NULL: all. NDFT_EINVAL with the item's place, NDFT_ENOMEM.
 */
ndft_status ndft_divided_take(ndft_suite *, const char *backend, ndft_divided_list *, ndft_error *);

void ndft_divided_free(ndft_divided_list *);

#endif
