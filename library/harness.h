/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LIBRARY_HARNESS_H
#define NDFT_LIBRARY_HARNESS_H

#include "cost.h"
#include "device/backend.h"
#include "id.h"
#include "prepared.h"
#include "promise.h"
#include "structure.h"
#include "traits.h"

#include <ndft.h>

/*
 * What the suite sees of the library beside its public headers: variants by the registry, with
 * their knobs, promises and costs, and plans as users have them, which are executed by
 * ndft_execute. What it names itself is the engine and the context that it works in, so that guard
 * bands, counted memory, marks and held streams are there.
 */

/* A device whose context is the caller's, who opened it and closes it after the device. NULL:
 * there is no memory. */
ndft_device *ndft_device_around(const ndft_backend *, ndft_exec *);

/*
 * A plan by this very engine, whoever it is and whatever it promises: ablations and peers too. It
 * works in the device's own context, where its messages are, and has as long as it likes to try out
 * algorithms; the problem stays the caller's and outlives it. As ndft_plan_create, or what the
 * variant's plan says.
 */
ndft_status ndft_plan_candidate(ndft_device *, const ndft_candidate *, const ndft_problem *,
                                unsigned ops, ndft_plan **);

/* What it has prepared. */
const ndft_prepared *ndft_plan_engine(const ndft_plan *);

/* What a description says of it beside its times, maps and mask. */
ndft_problem_desc ndft_description_of(const ndft_problem *);

/* A problem of samples and voxels, whoever made it, as users of a device have it. */
ndft_status ndft_problem_again(ndft_device *, const ndft_problem *, ndft_problem **again);

/* What a problem says of itself beside its arrays: bounds, lines, shared times. NDFT_ENOMEM. */
ndft_status ndft_problem_derive(ndft_problem *, ndft_error *);

#endif
