/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FORESEE_H
#define NDFT_FORESEE_H

#include "kinds.h"

/*
 * A class is measured on one problem, and others in it differ: what is padded to whole tiles, lines
 * or groups grows by steps. The declared costs know these steps. The time of an entry is foreseen
 * as what it took, times the growth of its lower bounds, each of which grows with its amount:
 *
 *     t = t_measured sum_r b_r (c_r / c_r,measured) / sum_r b_r
 */

/*
 * Sorts the order of a pick for this problem by the times foreseen; entries within 2 % of the least
 * stay as they were decided. Those that are unfit here, or were measured without ceilings, keep
 * their places. The order in the file's tree is changed.
 */
void ndft_foresee(const ndft_pick *, const ndft_kind *, const ndft_problem *, ndft_op,
                  const ndft_device *);

#endif
