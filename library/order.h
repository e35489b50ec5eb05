/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ORDER_H
#define NDFT_ORDER_H

#include "base/random.h"

/*
 * The order of one round among n: a fresh random one; of two, A B and B A by turns, whose sequence
 * A B B A A B B A ... cancels a linear drift in every four samples.
 */
void ndft_order_round(int *order, int n, int round, ndft_random *);

/* There and back by turns: the first to the last, the last to the first. */
void ndft_order_there_and_back(int *order, int n, int round);

/* "abba" for two, else "random". */
const char *ndft_order_name(int n);

#endif
