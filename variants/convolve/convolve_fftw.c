/* SPDX-License-Identifier: Apache-2.0 */
#include "convolve_fftw.h"

static const int sign[2] = {-1, 1};

static ndft_status make_fft(const ndft_convolve *c, ndft_error *error, ndft_prec prec, int axis,
                            int back, ndft_fft *fft)
{
    const int lanes = axis == 0 ? 1 : NDFT_CONVOLVE_LANES;
    const ndft_fft_lines lines = {.memory = c->work, .cell = lanes, .line = 1};
    return ndft_fft_plan(error, prec, sign[back], c->cells[axis], lanes, lines, lines, fft);
}

ndft_status ndft_convolve_make(ndft_arena *arena, ndft_prec prec, int dim, const int64_t n[3],
                               const int64_t cells[3], int threads, ndft_convolve *c)
{
    const size_t complex_size = 2 * ndft_real_size(prec);
    *c = (ndft_convolve){.dim = dim, .threads = threads};
    int64_t longest = cells[0];
    for (int d = 0; d < 3; d++) {
        c->n[d] = n[d];
        c->cells[d] = cells[d];
        const int64_t group = cells[d] * NDFT_CONVOLVE_LANES;
        if (d > 0 && d < dim && group > longest) longest = group;
    }
    c->kept_rows = dim == 3 ? cells[1] : n[1];
    c->work_bytes = ((size_t)longest * complex_size + 255) / 256 * 256;
    NDFT_TRY(ndft_reserve(arena, "lines", (size_t)threads * c->work_bytes, &c->work));
    if (dim > 1)
        NDFT_TRY(ndft_reserve(arena, "grid",
                              (size_t)(n[2] * c->kept_rows * cells[0]) * complex_size, &c->grid));
    for (int back = 0; back < 2; back++) {
        NDFT_TRY(make_fft(c, arena->exec->error, prec, 0, back, &c->along_x[back]));
        for (int d = 1; d < dim; d++)
            NDFT_TRY(make_fft(c, arena->exec->error, prec, d, back, &c->across[d - 1][back]));
    }
    return NDFT_OK;
}

void ndft_convolve_destroy(ndft_convolve *c)
{
    for (int back = 0; back < 2; back++) {
        ndft_fft_destroy(&c->along_x[back]);
        ndft_fft_destroy(&c->across[0][back]);
        ndft_fft_destroy(&c->across[1][back]);
    }
}
