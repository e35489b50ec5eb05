/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_shape.h"

static const int radices[] = {31, 30, 29, 27, 25, 24, 23, 21, 20, 19, 18, 17, 16, 15,
                              14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2};

/* Of primes there is no smaller radix. */
static bool may_be(int radix, int most) { return radix <= most || ndft_stockham_is_prime(radix); }

static int sum_of(const ndft_stockham_shape *shape)
{
    int sum = 0;
    for (int i = 0; i < shape->passes; i++) sum += shape->radix[i];
    return sum;
}

/* What of two shapes is better, by a choice. */
typedef struct order {
    int passes; /* 0: as few as there can be */
    bool fits;
} order;

static int cells_of(const ndft_stockham_shape *s)
{
    const int twice = 2 * s->radix[s->passes - 1];
    return twice > s->radix[0] ? twice : s->radix[0];
}

enum { LONG = 64 };

static int product_of(const ndft_stockham_shape *shape)
{
    int product = 1;
    for (int i = 0; i < shape->passes; i++) product *= shape->radix[i];
    return product;
}

static bool is_better_mirrored(const ndft_stockham_shape *a, const ndft_stockham_shape *b,
                               const order *o)
{
    if (a->passes != o->passes || b->passes != o->passes) return a->passes == o->passes;
    const int misfit[] = {cells_of(a) > a->radix[0], cells_of(b) > b->radix[0]};
    if (o->fits && misfit[0] != misfit[1]) return misfit[1];
    if (cells_of(a) != cells_of(b)) return cells_of(a) < cells_of(b);
    if (o->passes == 2 && product_of(a) >= LONG && misfit[0] != misfit[1]) return misfit[1];
    return sum_of(a) < sum_of(b);
}

static bool is_better(const ndft_stockham_shape *a, const ndft_stockham_shape *b, const order *o)
{
    if (o->passes) return is_better_mirrored(a, b, o);
    if (b->passes == 0 || a->passes != b->passes) return b->passes == 0 || a->passes < b->passes;
    return sum_of(a) < sum_of(b);
}

/* Tries all radices of n after those of `shape`, none larger than the one before. */
static void divide(int n, int most, const order *o, ndft_stockham_shape shape,
                   ndft_stockham_shape *best)
{
    const int at = shape.passes++;
    if (n == 1) {
        shape.passes = at;
        if (is_better(&shape, best, o)) *best = shape;
        return;
    }
    if (at == NDFT_STOCKHAM_PASSES) return;
    for (unsigned i = 0; i < sizeof radices / sizeof *radices; i++) {
        const int radix = shape.radix[at] = radices[i];
        if (may_be(radix, most) && n % radix == 0)
            divide(n / radix, radix < most ? radix : most, o, shape, best);
    }
}

enum { SEVERAL = 16, FEWER = 21 };

/* The length itself where it is a radix; else up to 16, and up to 21 where that saves the fourth
 * pass or one after it. */
ndft_stockham_shape ndft_stockham_shape_of(int64_t length, int most)
{
    const order few = {0, false};
    const ndft_stockham_shape none = {0}, one = {.passes = 1, .radix = {1}};
    ndft_stockham_shape best = none;
    if (length == 1) return one;
    if (length < 1 || length > NDFT_STOCKHAM_LONGEST) return none;
    for (unsigned i = 0; i < sizeof radices / sizeof *radices; i++)
        if (length == radices[i] && length <= most)
            return (ndft_stockham_shape){.passes = 1, .radix = {radices[i]}};
    divide((int)length, most < SEVERAL ? most : SEVERAL, &few, none, &best);
    if (best.passes > 3 && most > SEVERAL) divide((int)length, FEWER, &few, none, &best);
    return best;
}

ndft_stockham_shape ndft_stockham_mirrored_shape(int64_t length, int passes, bool fits, int wide)
{
    const order mirrored = {passes, fits};
    const ndft_stockham_shape none = {0};
    ndft_stockham_shape best = none;
    divide((int)length, SEVERAL, &mirrored, none, &best);
    if (best.passes != passes)
        divide((int)length, FEWER, &mirrored, none, &best);
    else if (wide && cells_of(&best) > best.radix[0])
        divide((int)length, wide, &mirrored, none, &best);
    return best;
}

ndft_stockham_shape ndft_stockham_folded_shape(int64_t length, int most)
{
    static const int first[] = {27, 25, 21};
    const order few = {0, false};
    ndft_stockham_shape best = ndft_stockham_shape_of(length, most);
    for (unsigned i = 0; best.passes > 1 && i < sizeof first / sizeof *first; i++) {
        const ndft_stockham_shape begun = {.passes = 1, .radix = {first[i]}};
        if (length % first[i] == 0) divide((int)length / first[i], SEVERAL, &few, begun, &best);
    }
    return best;
}

/* Exactly so many radices of n, none larger than the one before, whose first is the least. */
static bool split(int n, int most, int passes, int *radix)
{
    if (passes == 0) return n == 1;
    for (int r = 2; r <= most; r++) {
        if (n % r) continue;
        *radix = r;
        if (split(n / r, r, passes - 1, radix + 1)) return true;
    }
    return false;
}

ndft_stockham_shape ndft_stockham_convolved_shape(int64_t length)
{
    static const int widest[] = {18, 20, 18, 13}; /* of one pass, of two.. */
    ndft_stockham_shape shape = {0};
    for (int passes = 1; passes <= 4 && !shape.passes; passes++)
        if (split((int)length, widest[passes - 1], passes, shape.radix)) shape.passes = passes;
    return shape;
}

ndft_stockham_shape ndft_stockham_long_shape(int64_t length)
{
    const order few = {0, false};
    const ndft_stockham_shape none = {0};
    ndft_stockham_shape best = ndft_stockham_shape_of(length, FEWER);
    divide((int)length, NDFT_STOCKHAM_MOST, &few, none, &best);
    if (best.passes == 4 && best.radix[0] == 2 * best.radix[1] && best.radix[1] == best.radix[3]) {
        best.radix[1] = best.radix[0];
        best.radix[0] = best.radix[3];
    }
    return best;
}
