/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SELECT_UNIFORM_H
#define NDFT_SELECT_UNIFORM_H

#include "select.h"

/* What classes of uniform transforms are told apart by; select.h has the fields. */

/* The class of a pick, as json_unpack does: nonzero with the reason where it is not as the schema
 * says. */
int ndft_select_read_transform(json_t *class, ndft_pick *, json_error_t *why);

/* Whether a class is of the question's domain, whether it is the question's own, and how far a
 * deciding case is from it but for the tolerance. */
bool ndft_transforms_comparable(const ndft_pick *, const ndft_question *);
bool ndft_transforms_alike(const ndft_pick *, const ndft_question *);
double ndft_transforms_apart(const ndft_question *there, const ndft_question *);

#endif
