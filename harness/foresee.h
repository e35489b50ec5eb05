/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FORESEE_H
#define NDFT_FORESEE_H

#include "kinds.h"

/*
 * A class is measured on one problem, and others in it differ: work grows with the size, in each
 * variant by another law, and what is padded to whole tiles, lines or groups grows by steps. The
 * declared costs know these laws and steps, the file what a unit of each amount takes. From a case
 * that it was measured on, a setting's time is foreseen as what it took there times its growth,
 *
 *     t = t_measured sum_r s_r (c_r / c_r,measured) / sum_r s_r
 *
 * with s_r the part of the time that the amount c_r stands for (parts_s). Of the four cases nearest
 * to the problem, whatever their classes, the logarithms are averaged with weights 1/(d^2 + 0.1).
 */

/*
 * Sorts the order of the pick that was found for this question by the times foreseen; entries
 * within 2 % of the least stay as they were decided. Those that are unfit here, or of which no
 * parts are known, stay behind those that they were behind. The order in the file's tree is
 * changed.
 */
void ndft_foresee(const ndft_select *, const ndft_pick *, const ndft_question *, const ndft_kind *,
                  const ndft_problem *, ndft_op, const ndft_device *);

#endif
