/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_BEST_H
#define NDFT_BEST_H

#include "base/uniform.h"
#include "prepared.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a choice was come by, best first. */
typedef enum ndft_match {
    NDFT_MATCH_EXACT,   /* the problem's own class was measured */
    NDFT_MATCH_NEAR,    /* the nearest class that was measured */
    NDFT_MATCH_DEFAULT, /* nothing measured serves: the order of variants.def */
} ndft_match;

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

/* "exact", "near", "default" */
const char *ndft_match_name(ndft_match);

#ifdef __cplusplus
}
#endif
#endif
