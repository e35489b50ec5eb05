/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LANES_FFT_H
#define NDFT_LANES_FFT_H

#include "core/arena.h"
#include "core/loop.h"

/*
 * Fast transforms of NDFT_FFT_LANES lines side by side on a processor: cell after cell, one complex
 * number of each line. A vector holds the same cell of several lines, so that nothing is shuffled
 * but real and imaginary parts. Stockham's, in passes of 2 to 8 (Van Loan, Computational Frameworks
 * for the Fast Fourier Transform, section 1.7): every pass reads all cells and writes them in
 * another order, the first and the last where the caller has them.
 */

enum { NDFT_FFT_LANES = 8, NDFT_FFT_PASSES = 32 };

typedef struct ndft_lanes_fft {
    int64_t cells;
    int sign, passes; /* of the exponent */
    int radix[NDFT_FFT_PASSES];
    const void *twiddle; /* pass after pass, [cells left / radix][radix - 1] complex */
} ndft_lanes_fft;

/* Plans unnormalised transforms of 2^a 3^b 5^c 7^d cells, at least 1; NDFT_ENOMEM. Twiddles belong
 * to the arena. */
ndft_status ndft_lanes_fft_plan(ndft_arena *, ndft_prec, int sign, int64_t cells, ndft_lanes_fft *);

/* Bytes that it needs at most beside its lines, of complex numbers of so many. */
size_t ndft_lanes_fft_scratch(int64_t cells, size_t complex);

/* Where the lines are: the first cell's lanes, and reals from there to the next cell's. */
typedef struct ndft_lanes {
    void *cells;
    int64_t step;
} ndft_lanes;

/* From `from` to `to`, which are the same or do not overlap. */
NDFT_LOOP_DECLARE(void, lanes_fft,
                  (const ndft_lanes_fft *, ndft_lanes from, ndft_lanes to, void *scratch));

#endif
