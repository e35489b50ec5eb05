/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CG_H
#define NDFT_CG_H

#include "contestant.h"

/*
 * Conjugate gradients (Hestenes and Stiefel, 1952) by a contestant's normal operator A, of vectors
 * that stay on its devices: of whole arrays on the first, in parts on each, which all do the same
 * with them. They solve A x = A v from x = 0, where v is the case's image, so that what A errs by
 * does not matter to x.
 */

/* Memory of the vectors, and the right hand side, by one operation. */
ndft_status ndft_cg_open(const ndft_contest *, ndft_contestant *);

/* As many iterations as the contest has: x to out_of, and the residual. Finished on return. */
ndft_status ndft_cg_run(const ndft_contest *, ndft_contestant *);

#endif
