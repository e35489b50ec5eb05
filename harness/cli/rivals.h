/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RIVALS_H
#define NDFT_RIVALS_H

#include <jansson.h>

/* What is said of ours beside peers below the records of a case: what plan, set-points and N
 * executions take together, since who calls a few times pays for plans, and how peers' times are
 * had without us. */

/* Keeps what the record of a peer or of ours says of it, where it passed with a timing in batch or
 * graph. kept is an array. */
void ndft_rivals_take(json_t *kept, const json_t *record);

/* For each of these modes the table, for each peer from which N on each of ours takes less, and the
 * peer's command; nothing without a peer. */
void ndft_rivals_print(const json_t *kept);

#endif
