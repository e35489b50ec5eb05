/* SPDX-License-Identifier: Apache-2.0 */
#include "line_fft.h"

#include "lanes_turn.h"

enum { REALS = 2 * NDFT_FFT_LANES };

void NDFT_LOOP(line_fft_down)(const ndft_line_fft *f, void *line, int64_t block, void *scratch)
{
    const ndft_lanes columns = {(ndft_real *)line + block * REALS, 2 * f->along.cells};
    NDFT_LOOP(lanes_fft)(&f->down, columns, columns, scratch);
}

/* One cell of all lanes times the twiddles of its rows, each that of its block times the lane's. */
NDFT_INLINED void twiddle_cell(ndft_real *cell, const ndft_real *lane, const ndft_real base[2],
                               ndft_vector turn)
{
    for (int v = 0; v < REALS; v += NDFT_LANES) {
        const ndft_vector re = *(const ndft_vector *)(lane + v);
        const ndft_vector im = *(const ndft_vector *)(lane + REALS + v); /* -im, im, ... */
        ndft_vector *at = (ndft_vector *)(cell + v);
        const ndft_vector other = turn * base[1];
        *at = *at * (re * base[0] - im * other) + ndft_swapped(*at) * (im * base[0] + re * other);
    }
}

void NDFT_LOOP(line_fft_along)(const ndft_line_fft *f, void *line, void *to, int64_t block,
                               void *scratch)
{
    const int64_t rows = f->down.cells, columns = f->along.cells;
    const ndft_real *base = (const ndft_real *)f->base + 2 * block * columns;
    const ndft_vector turn = ndft_quarter_turn(1);
    ndft_real *lines = scratch;
    void *row[NDFT_FFT_LANES];
    for (int r = 0; r < NDFT_FFT_LANES; r++)
        row[r] = (ndft_real *)line + 2 * (block * NDFT_FFT_LANES + r) * columns;
    for (int64_t x = 0; x < columns; x += NDFT_FFT_LANES) {
        ndft_turn_block(row, lines, x, true);
        for (int64_t i = x; i < x + NDFT_FFT_LANES; i++)
            twiddle_cell(lines + i * REALS, (const ndft_real *)f->lane + 2 * i * REALS,
                         base + 2 * i, turn);
    }
    NDFT_LOOP(lanes_fft)
    (&f->along, (ndft_lanes){lines, REALS}, (ndft_lanes){(ndft_real *)to + block * REALS, 2 * rows},
     lines + columns * REALS);
}
