/* SPDX-License-Identifier: Apache-2.0 */
#include "passes_fftw.h"

#include <stdlib.h>
#include <string.h>

static ndft_status fill(ndft_arena *arena, const ndft_chirp_z_axis *a, ndft_prec prec,
                        ndft_bluestein_axis *axis)
{
    const size_t complex_size = 2 * ndft_real_size(prec);
    const int64_t cells = axis->convolve.cells;
    NDFT_TRY(
        ndft_reserve(arena, "factors", (size_t)axis->pass.in.count * complex_size, &axis->before));
    NDFT_TRY(
        ndft_reserve(arena, "factors", (size_t)axis->pass.out.count * complex_size, &axis->after));
    ndft_chirp_z_factors(a, prec, axis->before, axis->after);
    double *filter = malloc((size_t)cells * 2 * sizeof *filter);
    if (!filter) return ndft_fail(arena->exec->error, NDFT_ENOMEM, "no memory for a chirp");
    ndft_chirp_z_filter(a, cells, filter);
    const ndft_status status =
        ndft_convolve_batch_filter(&axis->convolve, arena->exec->error, filter);
    free(filter);
    return status;
}

static ndft_status make_axis(ndft_arena *arena, const ndft_chirp_z_axis *a, ndft_prec prec,
                             int threads, ndft_bluestein_axis *axis)
{
    int64_t cells;
    const ndft_pass *p = &axis->pass;
    const bool neighbours = p->lines > 1 && (p->in.stride > 1 || p->out.stride > 1);
    NDFT_TRY(ndft_convolve_length(arena->exec, prec, a->n + a->count - 1, &cells));
    NDFT_TRY(
        ndft_convolve_batch_make(arena, prec, cells, neighbours, threads, true, &axis->convolve));
    return fill(arena, a, prec, axis);
}

static ndft_status make(ndft_arena *arena, const ndft_problem *p, const ndft_lattice *l,
                        bool adjoint, int coils, int threads, const ndft_chirp_z_ends *ends,
                        ndft_chirp_z_passes *passes)
{
    ndft_chirp_z_axis axes[3];
    const int count = ndft_chirp_z_axes(p, l, adjoint, coils, ends, axes, &passes->most);
    for (int i = 0; i < count; i++) {
        passes->count = i + 1;
        passes->axis[i].pass = axes[i].pass;
        NDFT_TRY(make_axis(arena, &axes[i], p->prec, threads, &passes->axis[i]));
    }
    return NDFT_OK;
}

ndft_status ndft_chirp_z_make(ndft_arena *arena, const ndft_problem *p, const ndft_lattice *l,
                              bool adjoint, int coils, int threads, const ndft_chirp_z_ends *ends,
                              ndft_chirp_z_passes *passes)
{
    *passes = (ndft_chirp_z_passes){0};
    const ndft_status status = make(arena, p, l, adjoint, coils, threads, ends, passes);
    ndft_fft_forget();
    return status;
}

void ndft_chirp_z_destroy(ndft_chirp_z_passes *passes)
{
    for (int i = 0; i < passes->count; i++) ndft_convolve_batch_destroy(&passes->axis[i].convolve);
}
