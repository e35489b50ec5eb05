/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PREDICT_H
#define NDFT_PREDICT_H

#include "problem/kinds.h"
#include "select.h"

/*
 * A class is measured on one problem or a few, and others in it differ: work grows with the size,
 * in each variant by another law, and what is padded to whole tiles, lines or groups grows by
 * steps. The declared costs know these laws and steps, the file what a unit of each amount takes.
 * From a case that it was measured on, a setting's time is predicted as what it took there times
 * its growth,
 *
 *     t = t_measured sum_r s_r (c_r / c_r,measured) / sum_r s_r
 *
 * with s_r the part of the time that the amount c_r stands for (parts_s). Of the six cases nearest
 * to the problem, whatever their classes, the logarithms are averaged with weights 1/(d^2 + 0.3).
 */

/*
 * Adds to the order of the pick that was found for this question what other classes were measured
 * with, and takes the entries that were checked to too little accuracy from the nearest class that
 * has better; then sorts it by the times predicted. Those that are unsupported here, or of which no
 * parts are known, stay behind those that they were behind. The order in the file's tree is
 * changed. Nothing is added beyond 64 entries, and an order that has more stays as it is in the
 * file.
 */
void ndft_predict(const ndft_select *, const ndft_pick *, const ndft_question *, const ndft_kind *,
                  const ndft_problem *, ndft_op, const ndft_device *);

#endif
