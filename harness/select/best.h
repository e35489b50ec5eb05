/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_HARNESS_BEST_H
#define NDFT_HARNESS_BEST_H

#include "id.h"
#include "problem/kinds.h"
#include "select.h"

/* The candidates for one problem on one device in order of preference, one after the other: those
 * of the deciding class, then the order of variants.def. Those that do not fit are passed over. */
typedef struct ndft_best {
    const ndft_kind *kind;
    const ndft_problem *problem;
    unsigned ops;
    const ndft_device *device;
    ndft_select select; /* root is NULL where no file decides */
    ndft_found found;
    size_t entry;       /* next in the order of the class */
    int registered;     /* next in the order of variants.def */
    char trouble[1024]; /* why no file decides, or what was passed over */
    ndft_choice *choice;
} ndft_best;

/* Reads the decision that is in force; whatever is wrong with it ends in the choice's text. The
 * problem, device and choice must outlive the ndft_best. */
void ndft_best_begin(ndft_best *, const ndft_kind *, const ndft_problem *, unsigned ops,
                     const ndft_device *, ndft_choice *);

/* Finds the next candidate that fits and describes it in the choice. NDFT_EUNSUPPORTED when there
 * is none left. */
ndft_status ndft_best_next(ndft_best *, ndft_candidate *, ndft_error *);

/* Says why the latest candidate could not be used after all, before the next one is asked for. */
void ndft_best_refuse(ndft_best *, const char *why);

void ndft_best_end(ndft_best *);

#endif
