/* SPDX-License-Identifier: Apache-2.0 */
#include "core/vector.h"
#include "direct/phasor_rows.h"
#include "line_shape.h"

#include <omp.h>
#include <string.h>

ndft_direction_loop NDFT_LOOP(nufft_line_forward), NDFT_LOOP(nufft_line_adjoint);

/*
 * A voxel's window on a line's grid is one row of numbers: its weights, each for a real and an
 * imaginary part, come from one polynomial in vector registers, and are added to the grid, or
 * multiply it, as they stand. Positions and phases of a tile of voxels are evaluated together.
 */

enum {
#ifdef NDFT_LOOP_f32
    WIDEST = NDFT_LINE_WIDEST_F32,
#else
    WIDEST = NDFT_LINE_WIDEST_F64,
#endif
    ROW = 2 * WIDEST,
    VECTORS = ROW / NDFT_LANES,
    TILE = NDFT_LINE_TILE
};

/* Of registers: one vector longer than they are would go through memory, piece by piece. */
typedef struct row {
    ndft_vector at[VECTORS];
} row;

#define NDFT_BY_VECTORS _Pragma("GCC unroll 16") for (int v = 0; v < VECTORS; v++)

typedef struct line_work {
    const ndft_line_sums *sums;
    ndft_real *grid;       /* [NDFT_LINE_TOGETHER][room] complex */
    ndft_real *c, *s, *at; /* [TILE] phasors at the line's middle; places in windows */
    ndft_real *re, *im;    /* forward: [NDFT_LINE_TOGETHER][TILE] values */
    ndft_real *sum;        /* adjoint: [NDFT_LINE_TOGETHER][TILE][cosines, sines][ROW] */
    int32_t first[TILE];   /* cells, counted from width/2 before the grid's first */
} line_work;

static line_work work_of(const ndft_line_sums *s, int thread)
{
    line_work w = {.sums = s, .grid = (ndft_real *)s->work + (size_t)thread * s->work_reals};
    w.c = w.grid + 2 * NDFT_LINE_TOGETHER * ndft_line_room(s);
    w.s = w.c + TILE;
    w.at = w.s + TILE;
    w.re = w.at + TILE;
    w.im = w.re + NDFT_LINE_TOGETHER * TILE;
    w.sum = w.re;
    return w;
}

NDFT_INLINED ndft_vector load(const ndft_real *from, int v)
{
    return *(const ndft_vector *)(from + v * NDFT_LANES);
}

NDFT_INLINED void add(ndft_real *to, int v, ndft_vector value)
{
    *(ndft_vector *)(to + v * NDFT_LANES) += value;
}

/* Places of a tile's voxels among a line's cells. */
static inline __attribute__((always_inline)) void place_of(line_work *w, int64_t voxel,
                                                           const ndft_centre *step, const int axes)
{
    const ndft_line_sums *s = w->sums;
    const ndft_real *a[4];
    for (int d = 0; d < axes; d++) a[d] = (const ndft_real *)s->voxel_at[d] + voxel;
    const ndft_centre by = *step;
    const double cells = s->cells, half = s->width / 2.0;
    const int back = s->width / 2;
#pragma omp simd
    for (int l = 0; l < TILE; l++) {
        const double turns = ndft_turns_at(a, l, &by, axes);
        const double start = (turns - floor(turns)) * cells - half, first = ceil(start);
        w->first[l] = (int32_t)first + back;
        w->at[l] = (ndft_real)(2 * (first - start) - 1);
    }
}

/* Places and phasors of a tile. */
static void visit(line_work *w, int64_t line, int64_t voxel)
{
    const ndft_line_sums *s = w->sums;
    const ndft_centre *step = &s->line[line].step;
    const ndft_real *at[4] = {NULL};
    for (int d = 0; d < s->axes; d++) at[d] = (const ndft_real *)s->voxel_at[d];
    NDFT_BY_AXES(s->axes, place_of, w, voxel, step)
    ndft_phasors(s->axes, at, voxel, TILE, (const ndft_scaled *)s->middles + line, w->c, w->s);
}

NDFT_INLINED row weigh(const ndft_line_sums *s, ndft_real at)
{
    const ndft_real *poly = (const ndft_real *)s->poly + s->degree * ROW;
    row sum;
    NDFT_BY_VECTORS sum.at[v] = load(poly, v);
    for (int q = s->degree; q > 0; q--) {
        poly -= ROW;
        NDFT_BY_VECTORS sum.at[v] = sum.at[v] * at + load(poly, v);
    }
    return sum;
}

static void spread_tile(const line_work *w, int coils)
{
    const int64_t room = 2 * ndft_line_room(w->sums);
    ndft_vector real = {0}, imaginary = {0};
    for (int i = 0; i < NDFT_LANES; i += 2) real[i] = imaginary[i + 1] = 1;
    for (int l = 0; l < TILE; l++) {
        const row weights = weigh(w->sums, w->at[l]);
        ndft_real *grid =
            w->grid + 2 * w->first[l] + (coils == 1 ? l % NDFT_LINE_TOGETHER : 0) * room;
        for (int c = 0; c < coils; c++, grid += room) {
            const ndft_vector value = real * w->re[c * TILE + l] + imaginary * w->im[c * TILE + l];
            NDFT_BY_VECTORS add(grid, v, weights.at[v] * value);
        }
    }
}

/* Values of a tile's voxels, times the phasors. */
static void turn_tile(const line_work *w, int64_t voxel, int coil, int coils, const ndft_real *in)
{
    const ndft_line_sums *s = w->sums;
    for (int c = 0; c < coils; c++) {
        const ndft_real *z = in + 2 * ((coil + c) * s->in_coil + voxel * s->element);
        ndft_real *restrict re = w->re + c * TILE, *restrict im = w->im + c * TILE;
        for (int l = 0; l < TILE; l++, z += 2 * s->element) {
            const bool inside = voxel + l < s->voxels;
            const ndft_real x = inside ? z[0] : 0, y = inside ? z[1] : 0;
            re[l] = w->c[l] * x - w->s[l] * y;
            im[l] = w->c[l] * y + w->s[l] * x;
        }
    }
}

/* What lies beyond the grid's ends is added to where it belongs; grids in turns are joined. */
static ndft_real *fold(const line_work *w, int coil, int turns)
{
    const ndft_line_sums *s = w->sums;
    const int64_t room = 2 * ndft_line_room(s), reals = 2 * s->cells, back = 2 * (s->width / 2);
    ndft_real *grid = w->grid + coil * room;
    for (int turn = 1; turn < turns; turn++)
        for (int64_t i = 0; i < room; i++) grid[i] += grid[turn * room + i];
    for (int64_t i = reals; i < room; i++) grid[i - reals] += grid[i];
    /* Cell 0 is at `back`. */
    ndft_real before[2 * WIDEST];
    memcpy(before, grid, (size_t)back * sizeof *grid);
    memmove(grid, grid + back, (size_t)(reals - back) * sizeof *grid);
    memcpy(grid + reals - back, before, (size_t)back * sizeof *grid);
    return grid;
}

static void crop(const ndft_line_sums *s, const ndft_line_piece *line, const ndft_real *grid,
                 ndft_real *out)
{
    const ndft_real *scale = s->scale;
    for (int q = 0; q < line->length; q++, out += 2 * s->element) {
        const int i = q + line->before, x = i - s->middle;
        const ndft_real *z = grid + 2 * (x < 0 ? x + s->cells : x);
        out[0] = z[0] * scale[i];
        out[1] = z[1] * scale[i];
    }
}

static void forward_line(line_work *w, int64_t line, int coil, int coils, const ndft_real *in,
                         ndft_real *out)
{
    const ndft_line_sums *s = w->sums;
    const ndft_line_piece *of = &s->line[line];
    memset(w->grid, 0, (size_t)(2 * NDFT_LINE_TOGETHER * ndft_line_room(s)) * sizeof *w->grid);
    for (int64_t voxel = 0; voxel < s->padded; voxel += TILE) {
        visit(w, line, voxel);
        turn_tile(w, voxel, coil, coils, in);
        spread_tile(w, coils);
    }
    for (int c = 0; c < coils; c++) {
        ndft_real *grid = fold(w, c, coils == 1 ? NDFT_LINE_TOGETHER : 1);
        s->transform(s->fft, grid);
        crop(s, of, grid, out + 2 * ((coil + c) * s->out_coil + of->first * s->element));
    }
}

static int coils_from(const ndft_line_sums *s, int coil)
{
    return s->coils - coil < NDFT_LINE_TOGETHER ? s->coils - coil : NDFT_LINE_TOGETHER;
}

void NDFT_LOOP(nufft_line_forward)(const void *sums, const void *in, void *out)
{
    const ndft_line_sums *s = sums;
    const int64_t groups = (s->coils + NDFT_LINE_TOGETHER - 1) / NDFT_LINE_TOGETHER;
#pragma omp parallel num_threads(s->threads)
    {
        line_work w = work_of(s, omp_get_thread_num());
#pragma omp for schedule(dynamic)
        for (int64_t item = 0; item < s->lines * groups; item++) {
            const int coil = (int)(item % groups) * NDFT_LINE_TOGETHER;
            forward_line(&w, item / groups, coil, coils_from(s, coil), in, out);
        }
    }
}

/* A line's grid, transformed, with what windows reach beyond its ends. */
static void grid_of_line(const line_work *w, int64_t line, int coil, const ndft_real *in)
{
    const ndft_line_sums *s = w->sums;
    const ndft_line_piece *of = &s->line[line];
    const ndft_real *scale = s->scale, *z = in + 2 * (coil * s->in_coil + of->first * s->element);
    memset(w->grid, 0, (size_t)(2 * s->cells) * sizeof *w->grid);
    for (int q = 0; q < of->length; q++, z += 2 * s->element) {
        const int i = q + of->before, x = i - s->middle;
        ndft_real *cell = w->grid + 2 * (x < 0 ? x + s->cells : x);
        cell[0] = z[0] * scale[i];
        cell[1] = z[1] * scale[i];
    }
    s->transform(s->fft, w->grid);
    const int64_t room = ndft_line_room(s);
    ndft_real *to = (ndft_real *)s->grids + 2 * (coil * s->lines + line) * room;
    int64_t cell = s->cells - s->width / 2;
    for (int64_t i = 0; i < room; i++, cell++) {
        if (cell >= s->cells) cell -= s->cells;
        to[2 * i] = w->grid[2 * cell];
        to[2 * i + 1] = w->grid[2 * cell + 1];
    }
}

/* Adds a line's share to a tile's sums: rows of cells times weights, once with the phasor's cosine
 * and once with its sine, which are joined when all lines are in. */
static void interpolate_tile(const line_work *w, int64_t line, int coil, int coils)
{
    const ndft_line_sums *s = w->sums;
    const int64_t room = 2 * ndft_line_room(s);
    for (int l = 0; l < TILE; l++) {
        const row weights = weigh(s, w->at[l]);
        for (int c = 0; c < coils; c++) {
            const ndft_real *grid = (const ndft_real *)s->grids +
                                    ((coil + c) * s->lines + line) * room + 2 * w->first[l];
            ndft_real *cosines = w->sum + 2 * ROW * (c * TILE + l), *sines = cosines + ROW;
            NDFT_BY_VECTORS
            {
                const ndft_vector cells = load(grid, v) * weights.at[v];
                add(cosines, v, cells * w->c[l]);
                add(sines, v, cells * w->s[l]);
            }
        }
    }
}

static void store_voxel(const ndft_real *cosines, ndft_real *out)
{
    const ndft_real *sines = cosines + ROW;
    ndft_real re = 0, im = 0;
    for (int i = 0; i < ROW; i += 2) {
        re += cosines[i] - sines[i + 1];
        im += cosines[i + 1] + sines[i];
    }
    out[0] = re;
    out[1] = im;
}

static void adjoint_tile(line_work *w, int64_t voxel, int coil, int coils, ndft_real *out)
{
    const ndft_line_sums *s = w->sums;
    memset(w->sum, 0, 2 * ROW * TILE * (size_t)coils * sizeof *w->sum);
    for (int64_t line = 0; line < s->lines; line++) {
        visit(w, line, voxel);
        interpolate_tile(w, line, coil, coils);
    }
    for (int c = 0; c < coils; c++)
        for (int l = 0; l < TILE && voxel + l < s->voxels; l++)
            store_voxel(w->sum + 2 * ROW * (c * TILE + l),
                        out + 2 * ((coil + c) * s->out_coil + (voxel + l) * s->element));
}

void NDFT_LOOP(nufft_line_adjoint)(const void *sums, const void *in, void *out)
{
    const ndft_line_sums *s = sums;
    const int64_t groups = (s->coils + NDFT_LINE_TOGETHER - 1) / NDFT_LINE_TOGETHER;
#pragma omp parallel num_threads(s->threads)
    {
        line_work w = work_of(s, omp_get_thread_num());
#pragma omp for schedule(static)
        for (int64_t item = 0; item < s->lines * s->coils; item++)
            grid_of_line(&w, item / s->coils, (int)(item % s->coils), in);
#pragma omp for schedule(dynamic)
        for (int64_t item = 0; item < s->padded / TILE * groups; item++) {
            const int coil = (int)(item % groups) * NDFT_LINE_TOGETHER;
            adjoint_tile(&w, item / groups * TILE, coil, coils_from(s, coil), out);
        }
    }
}
