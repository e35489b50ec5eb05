/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LANES_TURN_H
#define NDFT_LANES_TURN_H

#include "core/vector.h"
#include "lanes_fft.h"

#include <stddef.h>

/*
 * Exchanges between vectors, by which as many of them as each has complex numbers are turned or
 * added up: of two vectors, what stands at odd places of one and at even places of the other,
 * places being of one, two or four complex numbers.
 */

typedef int64_t ndft_word __attribute__((aligned(sizeof(ndft_real)), may_alias));
typedef int64_t ndft_words
    __attribute__((vector_size(NDFT_VECTOR), aligned(sizeof(ndft_real)), may_alias));

enum { /* 8 bytes; numbers of a vector */
       NDFT_WORDS = NDFT_VECTOR / 8,
       NDFT_WORDS_OF_ONE = 2 * sizeof(ndft_real) / 8, /* complex number */
       NDFT_SIDE = NDFT_WORDS / NDFT_WORDS_OF_ONE
};

/* By so many words apart: the half, LOW or HIGH, of two vectors. */
#define NDFT_SHUFFLED(HALF, WORDS) __builtin_shufflevector(x, y, NDFT_##HALF##_##WORDS)
#if defined NDFT_LOOP_v4
#define NDFT_LOW_1 0, 8, 2, 10, 4, 12, 6, 14
#define NDFT_HIGH_1 1, 9, 3, 11, 5, 13, 7, 15
#define NDFT_LOW_2 0, 1, 8, 9, 4, 5, 12, 13
#define NDFT_HIGH_2 2, 3, 10, 11, 6, 7, 14, 15
#define NDFT_LOW_4 0, 1, 2, 3, 8, 9, 10, 11
#define NDFT_HIGH_4 4, 5, 6, 7, 12, 13, 14, 15
#define NDFT_HALF_OF(HALF)                                                                         \
    (words == 1   ? NDFT_SHUFFLED(HALF, 1)                                                         \
     : words == 2 ? NDFT_SHUFFLED(HALF, 2)                                                         \
                  : NDFT_SHUFFLED(HALF, 4))
#elif defined NDFT_LOOP_v3
#define NDFT_LOW_1 0, 4, 2, 6
#define NDFT_HIGH_1 1, 5, 3, 7
#define NDFT_LOW_2 0, 1, 4, 5
#define NDFT_HIGH_2 2, 3, 6, 7
#define NDFT_HALF_OF(HALF) (words == 1 ? NDFT_SHUFFLED(HALF, 1) : NDFT_SHUFFLED(HALF, 2))
#else
#define NDFT_LOW_1 0, 2
#define NDFT_HIGH_1 1, 3
#define NDFT_HALF_OF(HALF) ((void)words, NDFT_SHUFFLED(HALF, 1))
#endif

NDFT_INLINED void ndft_exchange(ndft_words *a, ndft_words *b, const int apart)
{
    const ndft_words x = *a, y = *b;
    const int words = apart * NDFT_WORDS_OF_ONE;
    *a = NDFT_HALF_OF(LOW);
    *b = NDFT_HALF_OF(HIGH);
}

#if defined NDFT_LOOP_v4 && defined NDFT_LOOP_f32
#define NDFT_SWAPPED 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14
#elif defined NDFT_LOOP_v4 || (defined NDFT_LOOP_v3 && defined NDFT_LOOP_f32)
#define NDFT_SWAPPED 1, 0, 3, 2, 5, 4, 7, 6
#elif defined NDFT_LOOP_v3 || defined NDFT_LOOP_f32
#define NDFT_SWAPPED 1, 0, 3, 2
#else
#define NDFT_SWAPPED 1, 0
#endif

/* Real and imaginary parts in each other's place. */
NDFT_INLINED ndft_vector ndft_swapped(ndft_vector a)
{
    return __builtin_shufflevector(a, a, NDFT_SWAPPED);
}

/* a vector of turn: what ndft_swapped(x) is multiplied by for i x, or -i x. */
NDFT_INLINED ndft_vector ndft_quarter_turn(int sign)
{
    ndft_vector turn = {0};
    for (int i = 0; i < NDFT_LANES; i++) turn[i] = (ndft_real)(i % 2 ? sign : -sign);
    return turn;
}

/* A square of complex numbers, a vector each side, whose rows become columns. */
NDFT_INLINED void ndft_turn(ndft_words a[NDFT_SIDE])
{
    for (int apart = 1; apart < NDFT_SIDE; apart *= 2)
        for (int i = 0; i < NDFT_SIDE; i++)
            if (!(i & apart)) ndft_exchange(&a[i], &a[i + apart], apart);
}

/* Cells x .. x + NDFT_FFT_LANES - 1 of as many rows to lines side by side, or back. */
NDFT_INLINED void ndft_turn_block(void *const row[], ndft_real *lines, int64_t x,
                                  const bool to_lines)
{
    for (int r = 0; r < NDFT_FFT_LANES; r += NDFT_SIDE) {
        for (int64_t at = x; at < x + NDFT_FFT_LANES; at += NDFT_SIDE) {
            ndft_words a[NDFT_SIDE];
            ndft_real *side = lines + 2 * (at * NDFT_FFT_LANES + r);
            for (int i = 0; i < NDFT_SIDE; i++)
                a[i] = to_lines ? *(const ndft_words *)((ndft_real *)row[r + i] + 2 * at)
                                : *(const ndft_words *)(side + (ptrdiff_t)2 * NDFT_FFT_LANES * i);
            ndft_turn(a);
            for (int i = 0; i < NDFT_SIDE; i++)
                *(to_lines ? (ndft_words *)(side + (ptrdiff_t)2 * NDFT_FFT_LANES * i)
                           : (ndft_words *)((ndft_real *)row[r + i] + 2 * at)) = a[i];
        }
    }
}

#endif
