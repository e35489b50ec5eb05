/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHOOSE_H
#define NDFT_CHOOSE_H

#include "problem/kinds.h"
#include "rank.h"

#include <jansson.h>

/*
 * `--variant best`: the engine that a plan of the library takes for a case on every device that is
 * here, known by wisdom or by estimate. The program's wisdom is the file `wisdom` in the folder of
 * its cache (cache.h).
 */

enum { NDFT_MAX_CHOSEN = 4, NDFT_CHOICE_MAX = 1024 };

typedef struct ndft_chosen {
    ndft_device device;
    ndft_candidate candidate;   /* entry is NULL where nothing serves, and text says why */
    char text[NDFT_CHOICE_MAX]; /* which, why, its estimate, errors promised, what else there is */
    json_t *facts;              /* the same as `ndft best --json` has it, with all that serve, the
                                 * fastest by estimate first, and why others are passed over */
} ndft_chosen;

/* How a choice is made. */
typedef struct ndft_choosing {
    const char *backend; /* NULL: all that are here */
    bool deterministic;
    const char *mode;    /* "measure" or "exhaustive": on the device, and remembered; else NULL */
    double time_limit_s; /* of measuring; 0: as the library has it */
} ndft_choosing;

bool ndft_is_best(const char *variants); /* NULL is allowed */

/* Who serves a made problem on this device, whether it is here or not. */
void ndft_choose_on(const ndft_device *, const ndft_kind *, ndft_made *, ndft_op,
                    bool deterministic, ndft_chosen *);

/* One choice for each backend, or for this one alone, in report order. NDFT_EINVAL when the case
 * cannot be made; NDFT_EDEVICE when no such device is here; what plans fail with where they
 * measure. */
ndft_status ndft_choose(const ndft_case *, const ndft_choosing *, ndft_chosen[NDFT_MAX_CHOSEN],
                        int *n, ndft_error *);

void ndft_chosen_free(ndft_chosen *, int n);

/* The last that fits, so that a device goes before the processor, by estimate or wisdom, said on
 * stdout; NDFT_EUNSUPPORTED when none does. */
ndft_status ndft_choose_one(const ndft_case *, ndft_candidate *, ndft_error *);

#endif
