/* SPDX-License-Identifier: Apache-2.0 */
#include "line_fft.h"

#include <math.h>

enum { LANES = NDFT_FFT_LANES };

int64_t ndft_line_fft_rows(int64_t cells)
{
    int64_t rows = 0;
    for (int64_t side = LANES; side * side <= cells; side += LANES)
        if (cells % (side * LANES) == 0) rows = side;
    return rows;
}

static void put_twiddles(void *lane, void *base, ndft_prec prec, int sign, int64_t rows,
                         int64_t columns)
{
    const double turn = sign * 2 * M_PI / (double)(rows * columns);
    for (int64_t i = 0; i < columns; i++)
        for (int r = 0; r < 2 * LANES; r++) {
            const double angle = turn * (double)(i * (r / 2));
            ndft_put_real(lane, prec, 4 * LANES * i + r, cos(angle));
            ndft_put_real(lane, prec, 4 * LANES * i + 2 * LANES + r,
                          r % 2 ? sin(angle) : -sin(angle));
        }
    for (int64_t k = 0; k < rows / LANES; k++)
        for (int64_t i = 0; i < columns; i++) {
            const double angle = turn * (double)(k * LANES * i);
            ndft_put_real(base, prec, 2 * (k * columns + i), cos(angle));
            ndft_put_real(base, prec, 2 * (k * columns + i) + 1, sin(angle));
        }
}

ndft_status ndft_line_fft_plan(ndft_arena *arena, ndft_prec prec, int sign, int64_t cells,
                               ndft_line_fft *f)
{
    const int64_t rows = ndft_line_fft_rows(cells), columns = cells / rows;
    const size_t real = ndft_real_size(prec);
    void *lane, *base;
    NDFT_TRY(ndft_lanes_fft_plan(arena, prec, sign, rows, &f->down));
    NDFT_TRY(ndft_lanes_fft_plan(arena, prec, sign, columns, &f->along));
    NDFT_TRY(ndft_reserve(arena, "twiddles", (size_t)(4 * LANES * columns) * real, &lane));
    NDFT_TRY(ndft_reserve(arena, "twiddles", (size_t)(rows / LANES * columns) * 2 * real, &base));
    put_twiddles(lane, base, prec, sign, rows, columns);
    f->lane = lane;
    f->base = base;
    return NDFT_OK;
}

size_t ndft_line_fft_scratch(int64_t cells, size_t complex)
{
    const int64_t rows = ndft_line_fft_rows(cells);
    if (!rows) return 0;
    /* Columns are no fewer than rows. */
    return (size_t)(cells / rows * LANES) * complex + ndft_lanes_fft_scratch(cells / rows, complex);
}
