/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PLANTED_GRAPHS_H
#define NDFT_PLANTED_GRAPHS_H

#include "backend.h"

/* Gives a backend of the processor graphs: what is captured is queued again for each replay, with
 * exec's stream set, by which a planted variant knows that it is replayed. */
void planted_graphs(ndft_backend *);

#endif
