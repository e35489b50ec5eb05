/* SPDX-License-Identifier: Apache-2.0 */
#include "order.h"

/* Fisher and Yates' shuffle (Durstenfeld 1964). */
static void shuffle(int *order, int n, ndft_random *random)
{
    for (int i = n - 1; i > 0; i--) {
        int j = (int)(ndft_uniform(random) * (i + 1));
        int moved = order[i];
        order[i] = order[j];
        order[j] = moved;
    }
}

void ndft_order_round(int *order, int n, int round, ndft_random *random)
{
    ndft_order_there_and_back(order, n, round);
    if (n != 2) shuffle(order, n, random);
}

void ndft_order_there_and_back(int *order, int n, int round)
{
    for (int i = 0; i < n; i++) order[i] = round % 2 ? n - 1 - i : i;
}

const char *ndft_order_name(int n) { return n == 2 ? "abba" : "random"; }
