/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_ON_LINE_CUH
#define NDFT_NUFFT_ON_LINE_CUH

#include "pipeline_cufft.cuh"

#include <cmath>

/*
 * Positions of samples in uniform lines computed where they are needed, as in seed 002's Table III,
 * rather than read from memory: of each line its start and its step along each axis, in turns of
 * the grid as fractions of 2^64, so that sums wrap around by themselves and keep double's accuracy.
 */
struct ndft_nufft_lines {
    int length; /* samples of a line; 0: positions are read */
    const int32_t *number;
    const uint64_t *start[3], *step[3];
};

/* First cell and place of sorted sample i on an axis of n cells (ndft_grid_place, position.h). */
template <class R>
__device__ __forceinline__ void ndft_nufft_place_on_line(const ndft_nufft_lines &lines, int d,
                                                         int i, int n, int width, int *first, R *s)
{
    const int j = lines.number[i], line = j / lines.length;
    const uint64_t turn = lines.start[d][line] + lines.step[d][line] * (j - line * lines.length);
    const uint64_t fraction = turn * n, half = width % 2 ? (uint64_t)1 << 63 : 0;
    const uint64_t above = fraction + half;
    const int cell = (int)__umul64hi(turn, n) + (above < fraction) - (width + 1) / 2 + (above > 0);
    *first = cell < 0 ? cell + n : cell >= n ? cell - n : cell;
    *s = above ? 1 - (R)above * (R)0x1p-63 : -1;
}

/* Starts (or steps, from a line's first two samples) of all lines. */
template <class Turns>
ndft_status ndft_nufft_place_turns(ndft_arrays *arrays, const ndft_problem *p, int d,
                                   int64_t length, const uint64_t **device, Turns k_of)
{
    return ndft_place(arrays, "lines", (p->n_samples + length - 1) / length, device,
                      [&](int64_t line) {
                          const long double turns = (long double)k_of(line * length) / p->n[d];
                          return (uint64_t)ldexpl(turns - floorl(turns), 64);
                      });
}

inline ndft_status ndft_nufft_lines_make(ndft_arrays *arrays, const ndft_problem *p,
                                         const ndft_nufft_samples *samples, ndft_nufft_lines *lines)
{
    const int64_t length = p->structure.line_length, m = p->n_samples;
    lines->number = samples->number;
    for (int d = 0; d < p->dim; d++) {
        const auto k = [&](int64_t j) { return ndft_real_at(p->k[d], p->prec, j); };
        NDFT_TRY(ndft_nufft_place_turns(arrays, p, d, length, &lines->start[d], k));
        NDFT_TRY(ndft_nufft_place_turns(arrays, p, d, length, &lines->step[d], [&](int64_t j) {
            return length > 1 && j + 1 < m ? k(j + 1) - k(j) : 0;
        }));
    }
    lines->length = (int)length;
    return NDFT_OK;
}

#endif
