/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_HARNESS_BEST_H
#define NDFT_HARNESS_BEST_H

#include "id.h"
#include "prepared.h"
#include "problem/kinds.h"
#include "select.h"

/* A variant and who chose it; owned by the caller, nothing in it needs freeing. */
typedef struct ndft_choice {
    ndft_match match;
    double distance;   /* of a near match: from the nearest deciding case, in factors of two */
    char variant[256]; /* the full id, NAME.BACKEND:knob=value,... */
    char record[32];   /* key of the deciding record; empty for a default */
    char text[2048];   /* all of it as a sentence, with what was passed over and why */
} ndft_choice;

/*
 * Plans the variant that measurements on this device found to be the fastest for problems like this
 * one, for the operations in ops (bits of ndft_op; with several, the decision is that of the first
 * of forward, adjoint, normal). exec, problem and plan are as for ndft_prepare_promised, and the
 * plan is executed and destroyed like any other.
 *
 * The decision is read from the file $NDFT_SELECT, else results/SLUG/select.json below the working
 * directory, SLUG being exec->device.slug; `./ndft select` writes it from records, and
 * docs/selection.md describes it. The class of the problem decides, else the nearest class, where
 * one unit of distance is a factor of two in voxels, samples or coils. Where the choice is
 * unsupported for this very problem, or memory does not suffice, the next of the class is taken:
 * its ties, then the best of every other variant, then the default order. Without a file, and with
 * one that is damaged or was made on another device or from other builds of the variants, the first
 * variant in the order of variants.def that fits is planned. choice->text says which of these
 * happened.
 *
 * NDFT_EUNSUPPORTED when no variant of exec's backend serves the problem; NDFT_ENOMEM and
 * NDFT_EDEVICE as from ndft_prepare_promised. Messages go to exec->error.
 */
ndft_status ndft_plan_best(const ndft_problem *, unsigned ops, ndft_exec *, ndft_prepared *plan,
                           ndft_choice *choice);

/* The same for a uniform transform, whose classes docs/selection.md has, too. */
ndft_status ndft_plan_best_uniform(const ndft_uniform_problem *, ndft_exec *, ndft_prepared *plan,
                                   ndft_choice *choice);

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
