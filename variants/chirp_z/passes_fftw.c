/* SPDX-License-Identifier: Apache-2.0 */
#include "passes_fftw.h"

#include <stdlib.h>
#include <string.h>

/* One axis of the operator, in either direction. */
typedef struct axis_of {
    int64_t n, count; /* voxels and places */
    double first, step;
    bool adjoint;
} axis_of;

static void put_phasor(const axis_of *a, double phasor[2], ndft_prec prec, void *to, int64_t i)
{
    ndft_put_real(to, prec, 2 * i, phasor[0]);
    ndft_put_real(to, prec, 2 * i + 1, a->adjoint ? -phasor[1] : phasor[1]);
}

static void fill_factors(const axis_of *a, ndft_prec prec, void *of_voxels, void *of_places)
{
    double phasor[2];
    const int64_t centre = a->n / 2;
    for (int64_t i = 0; i < a->n; i++) {
        ndft_lattice_phasor(a->first, -2 * (i - centre), a->step, -i * i, a->n, phasor);
        put_phasor(a, phasor, prec, of_voxels, i);
    }
    for (int64_t q = 0; q < a->count; q++) {
        ndft_lattice_phasor(a->step, 2 * q * centre - q * q, 0, 0, a->n, phasor);
        put_phasor(a, phasor, prec, of_places, q);
    }
}

/* The chirp at the distances from an input to an output, wrapped around. */
static void fill_filter(const axis_of *a, int64_t cells, double *filter)
{
    const int64_t in = a->adjoint ? a->count : a->n, out = a->adjoint ? a->n : a->count;
    memset(filter, 0, (size_t)cells * 2 * sizeof *filter);
    for (int64_t m = 1 - in; m < out; m++) {
        double *to = filter + 2 * (m < 0 ? m + cells : m);
        ndft_lattice_phasor(a->step, m * m, 0, 0, a->n, to);
        if (a->adjoint) to[1] = -to[1];
    }
}

static ndft_status fill(ndft_arena *arena, const axis_of *a, ndft_prec prec,
                        ndft_bluestein_axis *axis)
{
    const size_t complex_size = 2 * ndft_real_size(prec);
    const int64_t cells = axis->convolve.cells;
    NDFT_TRY(
        ndft_reserve(arena, "factors", (size_t)axis->pass.in.count * complex_size, &axis->before));
    NDFT_TRY(
        ndft_reserve(arena, "factors", (size_t)axis->pass.out.count * complex_size, &axis->after));
    if (a->adjoint)
        fill_factors(a, prec, axis->after, axis->before);
    else
        fill_factors(a, prec, axis->before, axis->after);
    double *filter = malloc((size_t)cells * 2 * sizeof *filter);
    if (!filter) return ndft_fail(arena->exec->error, NDFT_ENOMEM, "no memory for a chirp");
    fill_filter(a, cells, filter);
    const ndft_status status =
        ndft_convolve_batch_filter(&axis->convolve, arena->exec->error, filter);
    free(filter);
    return status;
}

/* Strides of an array of this shape whose coils are `coil` apart. */
static void set_side(const int64_t shape[3], int along, int64_t element, int64_t coil,
                     ndft_line_side *side)
{
    int64_t stride = element;
    *side = (ndft_line_side){.count = shape[along]};
    for (int d = 0, mode = 0; d < 3; d++) {
        if (d == along)
            side->stride = stride;
        else
            side->step[mode++] = stride;
        stride *= shape[d];
    }
    side->step[2] = coil;
}

/* shape: of the pass's input, on return of its output. */
static ndft_pass pass_of(int64_t shape[3], int along, int64_t to, int coils,
                         const ndft_chirp_z_ends *ends, bool is_first, bool is_last)
{
    ndft_pass p = {.sign = 1, .length = shape[along], .modes = 3};
    const int64_t size = shape[0] * shape[1] * shape[2];
    set_side(shape, along, is_first ? ends->in_element : 1, is_first ? ends->in_coil : size, &p.in);
    p.lines = size / shape[along] * coils;
    for (int d = 0, mode = 0; d < 3; d++)
        if (d != along) p.shape[mode++] = shape[d];
    p.shape[2] = coils;
    shape[along] = to;
    set_side(shape, along, is_last ? ends->out_element : 1,
             is_last ? ends->out_coil : shape[0] * shape[1] * shape[2], &p.out);
    return p;
}

static ndft_status make_axis(ndft_arena *arena, const axis_of *a, ndft_prec prec, int threads,
                             ndft_bluestein_axis *axis)
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
    int order[3], count = 0;
    int64_t shape[3];
    for (int d = 0; d < 3; d++) {
        shape[d] = adjoint ? l->count[d] : p->n[d];
        if (p->n[d] > 1) order[count++] = d;
    }
    if (count == 0) order[count++] = 0;
    passes->count = count;
    for (int i = 0; i < count; i++) {
        const int d = order[i];
        const axis_of a = {p->n[d], l->count[d], l->first[d], l->step[d], adjoint};
        passes->axis[i].pass =
            pass_of(shape, d, adjoint ? p->n[d] : l->count[d], coils, ends, i == 0, i == count - 1);
        const int64_t size = shape[0] * shape[1] * shape[2];
        if (i < count - 1 && size > passes->most) passes->most = size;
        NDFT_TRY(make_axis(arena, &a, p->prec, threads, &passes->axis[i]));
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
