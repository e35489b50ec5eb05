/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_EXECUTION_H
#define NDFT_EXECUTION_H

#include "contestant.h"

/* What a contestant is timed at: the operation, or iterations of conjugate gradients, and of ranks
 * what all of them do. */

/* Plans it, and has all that an execution needs, on its other ranks too. */
ndft_status ndft_execution_open(const ndft_contest *, ndft_contestant *);

/* Executes, and says what it took: of ranks the longest that any of them took. twice: behind one
 * of its own that is not timed. Finished on return. */
ndft_status ndft_execution_time(const ndft_contest *, ndft_contestant *, bool twice,
                                double *seconds);

#endif
