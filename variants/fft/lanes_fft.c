/* SPDX-License-Identifier: Apache-2.0 */
#include "lanes_fft.h"

#include <math.h>

/* As few passes as there can be, 4 4 for 8 2. */
static int passes_of(int64_t cells, int radix[NDFT_FFT_PASSES])
{
    static const int radices[] = {8, 7, 5, 4, 3, 2};
    int passes = 0;
    for (int i = 0; i < 6; i++)
        for (; cells % radices[i] == 0 && (radices[i] != 8 || cells % 32 != 16);
             cells /= radices[i])
            radix[passes++] = radices[i];
    return passes;
}

static int64_t twiddles_of(const ndft_lanes_fft *f)
{
    int64_t count = 0, left = f->cells;
    for (int i = 0; i < f->passes; i++) {
        left /= f->radix[i];
        count += left * (f->radix[i] - 1);
    }
    return count;
}

ndft_status ndft_lanes_fft_plan(ndft_arena *arena, ndft_prec prec, int sign, int64_t cells,
                                ndft_lanes_fft *f)
{
    *f = (ndft_lanes_fft){.cells = cells, .sign = sign};
    f->passes = passes_of(cells, f->radix);
    void *twiddle;
    NDFT_TRY(ndft_reserve(arena, "twiddles", (size_t)twiddles_of(f) * 2 * ndft_real_size(prec),
                          &twiddle));
    int64_t at = 0, left = cells;
    for (int i = 0; i < f->passes; left /= f->radix[i++]) {
        for (int64_t p = 0; p < left / f->radix[i]; p++) {
            for (int k = 1; k < f->radix[i]; k++) {
                const double turn = 2 * M_PI * (double)(p * k) / (double)left;
                ndft_put_real(twiddle, prec, at++, cos(turn));
                ndft_put_real(twiddle, prec, at++, sign * sin(turn));
            }
        }
    }
    f->twiddle = twiddle;
    return NDFT_OK;
}

size_t ndft_lanes_fft_scratch(int64_t cells, size_t complex)
{
    return 2 * (size_t)cells * NDFT_FFT_LANES * complex;
}
