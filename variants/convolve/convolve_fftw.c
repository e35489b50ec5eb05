/* SPDX-License-Identifier: Apache-2.0 */
#include "convolve_fftw.h"

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
    for (int d = 0; d < dim; d++)
        NDFT_TRY(ndft_fft_plan_pair(arena->exec->error, prec, cells[d],
                                    d > 0 ? NDFT_CONVOLVE_LANES : 1, 0, c->work, c->fft[d]));
    return NDFT_OK;
}

void ndft_convolve_destroy(ndft_convolve *c)
{
    for (int d = 0; d < 3; d++) ndft_fft_destroy_pair(c->fft[d]);
}
