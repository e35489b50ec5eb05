/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_WORK_H
#define NDFT_WORK_H

#include "case/suite.h"
#include "divided.h"
#include "group.h"

#include <signal.h>

/* A plan of work: suite items joined into groups, each one case on one backend in one mode. */
typedef struct ndft_work {
    ndft_case problem;
    char *text; /* canonical */
    const ndft_backend *backend;
    ndft_mode mode;
    ndft_candidate *candidates;
    int n;
} ndft_work;

typedef struct ndft_workload {
    ndft_work *items; /* in order of first mention; backends of a case next to each other */
    int size;
    int candidates;            /* over all items */
    int id_width;              /* of the longest id */
    ndft_divided_list divided; /* beside the items: cases for groups of devices */
} ndft_workload;

/* Of all that items ask for, what is wanted. */
typedef struct ndft_wanted {
    const char *backend;                      /* only this one; NULL: all */
    unsigned modes;                           /* bits 1 << ndft_mode; 0: batch */
    const volatile sig_atomic_t *interrupted; /* the user asked to stop planning; NULL: never */
} ndft_wanted;

/* NDFT_EINVAL, with the nearest, for a name that no backend has; NULL is allowed. */
ndft_status ndft_backend_check(const char *backend, ndft_error *);

/*
 * Joins the items, dropping repetitions; each case comes once in every mode. An item takes the
 * variants of its kind that its expression matches and that have the knobs it sets; variants that
 * were not built are always taken, to be reported; an item all of whose variants are on other
 * backends is passed over. NDFT_EINVAL when nothing has the knobs that an item sets, or nothing is
 * left; NDFT_EINTR. Takes time in proportion to what is planned.
 */
ndft_status ndft_work_plan(const ndft_item *, size_t n, const ndft_wanted *, ndft_workload *,
                           ndft_error *);

/* The same for a suite file, or for one line of a suite where line is not NULL. NDFT_EINVAL also
 * when there is no case in it. */
ndft_status ndft_work_read(const char *path, const char *line, const ndft_wanted *, ndft_workload *,
                           ndft_error *);

void ndft_work_free(ndft_workload *);

/* The seed that all its cases share; -1: they differ. */
long long ndft_workload_seed(const ndft_workload *);

#endif
