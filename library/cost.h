/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COST_H
#define NDFT_COST_H

#include "base/variant.h"

/* The amounts of a declared cost, by the names that records give them. */

enum { NDFT_COST_SLOTS = 5, NDFT_COST_DRAM, NDFT_COST_LAUNCHES = 9, NDFT_COST_FIELDS };

const char *ndft_cost_name(int field);
bool ndft_cost_is_arithmetic(int field);
double ndft_cost_amount(const ndft_cost *, int field);
ndft_cost ndft_cost_sum(const ndft_cost *, const ndft_cost *);

#endif
