/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_ON_LINE_CUH
#define NDFT_NUFFT_ON_LINE_CUH

#include "nufft/pipeline_cufft.cuh"

#include "interleaf.h"

#include <cmath>

/*
 * Positions of samples computed where they are needed, as in Sorensen's Table III, rather than read
 * from memory, in turns of the grid as fractions of 2^64, so that they wrap around by themselves.
 * Of uniform lines there are the start and the step along each axis, and positions keep double's
 * accuracy; of turned copies of an interleaf its pieces and each copy's angle (interleaf.h).
 */
struct ndft_nufft_path {
    int length; /* samples of a line or an interleaf; 0: positions are read */
    const int32_t *number;
    const uint64_t *start[3], *step[3];
    const ndft_interleaf_piece *piece; /* NULL: lines */
    const double *turn;
    int shift;
};

/* cos(pi x/2 (n + x)) of the whole quarter turns n and the rest of a turn in quarters, |x| <= 1/2.
 */
__device__ __forceinline__ double ndft_cos_quarters(int n, float x)
{
    const float at = n & 1 ? sinpif(0.5f * x) : cospif(0.5f * x);
    return (n + 1) & 2 ? -at : at;
}

__device__ __forceinline__ double ndft_cos_quarters(int n, double x)
{
    const double at = n & 1 ? sinpi(0.5 * x) : cospi(0.5 * x);
    return (n + 1) & 2 ? -at : at;
}

/* Sample i of a shot along axis d, however far out; y is x a quarter turn earlier. */
template <class R>
__device__ __forceinline__ uint64_t ndft_nufft_turn_on_interleaf(const ndft_nufft_path &path, int d,
                                                                 int shot, int i)
{
    double radius, angle;
    ndft_interleaf_at(path.piece, path.shift, i, &radius, &angle);
    const double quarters = 4 * (angle + path.turn[shot]), whole = rint(quarters);
    const double turns = radius * ndft_cos_quarters((int)whole - d, (R)(quarters - whole));
    return (uint64_t)(int64_t)((turns - rint(turns)) * 0x1p62) << 2;
}

template <class R>
__device__ __forceinline__ uint64_t ndft_nufft_turn(const ndft_nufft_path &path, int d, int j)
{
    const int line = j / path.length, i = j - line * path.length;
    if (path.piece) return ndft_nufft_turn_on_interleaf<R>(path, d, line, i);
    return path.start[d][line] + path.step[d][line] * i;
}

/* First cell and place of sorted sample i on an axis of n cells (ndft_grid_place, window.h). */
template <class R>
__device__ __forceinline__ void ndft_nufft_place_on_path(const ndft_nufft_path &path, int d, int i,
                                                         int n, int width, int *first, R *s)
{
    const uint64_t turn = ndft_nufft_turn<R>(path, d, path.number[i]);
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

inline ndft_status ndft_nufft_follow_lines(ndft_arrays *arrays, const ndft_problem *p,
                                           ndft_nufft_path *path)
{
    const int64_t length = p->structure.line_length, m = p->n_samples;
    path->length = (int)length;
    for (int d = 0; d < p->dim; d++) {
        const auto k = [&](int64_t j) { return ndft_real_at(p->k[d], p->prec, j); };
        NDFT_TRY(ndft_nufft_place_turns(arrays, p, d, length, &path->start[d], k));
        NDFT_TRY(ndft_nufft_place_turns(arrays, p, d, length, &path->step[d], [&](int64_t j) {
            return length > 1 && j + 1 < m ? k(j + 1) - k(j) : 0;
        }));
    }
    return NDFT_OK;
}

inline ndft_status ndft_nufft_follow_interleaf(ndft_arrays *arrays, const ndft_interleaf *interleaf,
                                               ndft_nufft_path *path)
{
    path->length = (int)interleaf->length;
    path->shift = interleaf->shift;
    NDFT_TRY(ndft_place(arrays, "pieces of an interleaf", interleaf->pieces, &path->piece,
                        [&](int64_t i) { return interleaf->piece[i]; }));
    return ndft_place(arrays, "turns of an interleaf", interleaf->shots, &path->turn,
                      [&](int64_t i) { return interleaf->turn[i]; });
}

/* Along lines where there are some, else along an interleaf. */
inline ndft_status ndft_nufft_path_make(ndft_arrays *arrays, const ndft_problem *p,
                                        const ndft_nufft_samples *samples, ndft_nufft_path *path)
{
    path->number = samples->number;
    if (p->structure.line_length > 0) return ndft_nufft_follow_lines(arrays, p, path);
    ndft_interleaf interleaf;
    const char *why = ndft_interleaf_find(p, &interleaf);
    if (why) return ndft_fail(arrays->exec->error, NDFT_EUNSUPPORTED, "%s", why);
    const ndft_status status = ndft_nufft_follow_interleaf(arrays, &interleaf, path);
    ndft_interleaf_free(&interleaf);
    return status;
}

#endif
