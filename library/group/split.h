/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SPLIT_H
#define NDFT_SPLIT_H

#include "group_plan.h"

/* What moves between two devices: one way, and what a message and a hand-over of threads cost. */
typedef struct ndft_link {
    double bytes_s, step_s;
} ndft_link;

/* What is asked for, where it is above 0, else what is usual of the group's devices. */
ndft_link ndft_link_of(const ndft_group *, double bytes_s, double step_s);

/* Of a split: its first division's cut, and that of the adjoint. */
ndft_cut ndft_split_cut(ndft_group_split, bool adjoint);

/* Whether all that can be known without plans lets a split serve the problem. */
bool ndft_split_serves(const ndft_group_plan *, ndft_group_split);

/*
 * Seconds that one execution of each operation of ops, cut alike, is predicted to take with arrays
 * in parts: what the fastest engine is estimated to take for a device's parts, and the sums of
 * images over a binary tree (docs/scaling.md). Where parts are a fixed number it is as though each
 * had a device of its own, since bits must not depend on how many there are. Infinite where no
 * engine serves.
 */
double ndft_split_seconds(const ndft_group_plan *, const ndft_plan_options *each, ndft_link,
                          ndft_cut, unsigned ops);

/* The split of those that serve that is predicted to take the least; of equals coils before outputs
 * before samples. */
ndft_group_split ndft_split_choose(const ndft_group_plan *, const ndft_plan_options *each,
                                   ndft_link);

#endif
