/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_AMORTISED_H
#define NDFT_AMORTISED_H

#include <jansson.h>

/* What plan, set-points and N executions take together, ours beside peers': who calls a few times
 * pays for plans. */

/* Keeps what the record of a peer or of ours says of it, where it passed with a timing in batch.
 * kept is an array. */
void ndft_amortised_take(json_t *kept, const json_t *record);

/* The table, and for each peer from which N on each of ours takes less; nothing without a peer. */
void ndft_amortised_print(const json_t *kept);

#endif
