/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STOCKHAM_SHAPE_H
#define NDFT_STOCKHAM_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The radices of a line's passes, from 2 to 21, 23, 29 and 31; of one pass also 24, 25, 27 and 30.
 */

enum { NDFT_STOCKHAM_PASSES = 6, NDFT_STOCKHAM_LONGEST = 16384, NDFT_STOCKHAM_MOST = 30 };
enum { NDFT_STOCKHAM_LARGEST = 31 }; /* prime radix */

typedef struct ndft_stockham_shape {
    int passes; /* 0: the length is beyond NDFT_STOCKHAM_LONGEST, or no such product */
    int radix[NDFT_STOCKHAM_PASSES];
} ndft_stockham_shape;

/* Whether a radix is one of the primes that are sums of all by all. */
static inline bool ndft_stockham_is_prime(int radix)
{
    return radix == 11 || radix == 13 || radix == 17 || radix == 19 || radix == 23 || radix == 29 ||
           radix == 31;
}

/* Whether the first of two is such a prime that most threads of the second idle in it. */
static inline bool ndft_stockham_is_long(const ndft_stockham_shape *shape)
{
    const int *radix = shape->radix;
    return shape->passes == 2 && ndft_stockham_is_prime(radix[0]) && radix[0] > 2 * radix[1];
}

/* Of the fewest passes; of those, the radices whose sum is the least, the largest first. None
 * is beyond `most`; 1 is of a line of one cell. */
ndft_stockham_shape ndft_stockham_shape_of(int64_t length, int most);

/* Of so many passes, for lines whose threads have two sums of the last one: with the fewest cells
 * of a thread, and of two passes of 64 cells and more where two sums are no more cells than one of
 * the first; fits: of those first, by radices up to `wide` where none up to 16 does it. */
ndft_stockham_shape ndft_stockham_mirrored_shape(int64_t length, int passes, bool fits, int wide);

/* Of an odd number of reals: the first radix up to 27 where that saves a pass, else as above. */
ndft_stockham_shape ndft_stockham_folded_shape(int64_t length, int most);

/* Of a complex line of more than three passes otherwise: of up to 30 where that saves one; of four,
 * of which the first is of twice as many cells as the others, that one is the second. */
ndft_stockham_shape ndft_stockham_long_shape(int64_t length);

/* Of a convolution: of the fewest passes, four at most, those whose largest radix is the least, up
 * to what threads have registers for. */
ndft_stockham_shape ndft_stockham_convolved_shape(int64_t length);

#ifdef __cplusplus
}
#endif

#endif
