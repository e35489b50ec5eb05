/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_shape.h"

static const int radices[] = {30, 27, 25, 24, 21, 20, 18, 16, 15, 14,
                              12, 10, 9,  8,  7,  6,  5,  4,  3,  2};

static int sum_of(const ndft_stockham_shape *shape)
{
    int sum = 0;
    for (int i = 0; i < shape->passes; i++) sum += shape->radix[i];
    return sum;
}

static int is_better(const ndft_stockham_shape *a, const ndft_stockham_shape *b)
{
    if (b->passes == 0 || a->passes != b->passes) return b->passes == 0 || a->passes < b->passes;
    return sum_of(a) < sum_of(b);
}

/* Tries all radices of n after those of `shape`, none larger than the one before. */
static void divide(int n, int most, ndft_stockham_shape shape, ndft_stockham_shape *best)
{
    const int at = shape.passes++;
    if (n == 1) {
        shape.passes = at;
        if (is_better(&shape, best)) *best = shape;
        return;
    }
    if (at == NDFT_STOCKHAM_PASSES) return;
    for (unsigned i = 0; i < sizeof radices / sizeof *radices; i++) {
        shape.radix[at] = radices[i];
        if (radices[i] <= most && n % radices[i] == 0)
            divide(n / radices[i], radices[i], shape, best);
    }
}

/* The length itself where it is a radix; else up to 16, and up to 21 where that saves the fourth
 * pass or one after it. */
ndft_stockham_shape ndft_stockham_shape_of(int64_t length, int most)
{
    enum { SEVERAL = 16, FEWER = 21 };
    const ndft_stockham_shape none = {0}, one = {.passes = 1, .radix = {1}};
    ndft_stockham_shape best = none;
    if (length == 1) return one;
    if (length < 1 || length > NDFT_STOCKHAM_LONGEST) return none;
    for (unsigned i = 0; i < sizeof radices / sizeof *radices; i++)
        if (length == radices[i] && length <= most)
            return (ndft_stockham_shape){.passes = 1, .radix = {radices[i]}};
    divide((int)length, most < SEVERAL ? most : SEVERAL, none, &best);
    if (best.passes > 3 && most > SEVERAL) divide((int)length, FEWER, none, &best);
    return best;
}
