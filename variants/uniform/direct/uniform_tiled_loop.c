/* SPDX-License-Identifier: Apache-2.0 */
#include "uniform_tiled_loop.h"
#include "direct_sum.h"
#include "phase/sincos_poly.h"

/* One panel serves all tiles, since exp(i (n0 + j) k) = exp(i n0 k) exp(i j k): the second factor
 * is the panel's, the first turns the tile's sums. Both come from exact integers. */

static void turn_row(const ndft_line_sum *sum, const int32_t *restrict index, ndft_real *restrict c,
                     ndft_real *restrict s)
{
    const int32_t n = (int32_t)sum->pass.length;
    const ndft_real sign = (ndft_real)sum->pass.sign, per_half = (ndft_real)2 / (ndft_real)n;
#pragma omp simd
    for (int l = 0; l < NDFT_DIRECT_LANES; l++) {
        const int32_t near = index[l] > n / 2 ? index[l] - n : index[l];
        const ndft_real half_turns = (ndft_real)near * per_half;
#ifdef NDFT_LOOP_f32
        ndft_sincospi_poly_f32(half_turns, &s[l], &c[l]);
#else
        ndft_sincospi_poly_f64(half_turns, &s[l], &c[l]);
#endif
        s[l] *= sign;
    }
}

/* total += turn part, a phasor per lane */
static void join_turned(const ndft_direct *d, const ndft_real *restrict c,
                        const ndft_real *restrict s)
{
    for (int i = 0; i < d->lines; i++) {
        const ndft_real *restrict pr = d->part + 2 * i * NDFT_DIRECT_LANES;
        const ndft_real *restrict pi = pr + NDFT_DIRECT_LANES;
        ndft_real *restrict re = d->total + 2 * i * NDFT_DIRECT_LANES;
        ndft_real *restrict im = re + NDFT_DIRECT_LANES;
#pragma omp simd
        for (int l = 0; l < NDFT_DIRECT_LANES; l++) {
            re[l] += c[l] * pr[l] - s[l] * pi[l];
            im[l] += s[l] * pr[l] + c[l] * pi[l];
        }
    }
}

static void sum_group(ndft_direct *d, const ndft_real *in)
{
    ndft_real c[NDFT_DIRECT_LANES], s[NDFT_DIRECT_LANES];
    int32_t turn[NDFT_DIRECT_LANES] = {0};
    ndft_fill_panel(d, turn_row); /* leaves tile k mod N in index */
    for (int64_t n = 0; n < d->sum->pass.in.count; n += d->sum->tile) {
        ndft_clear_sums(d, d->part);
        ndft_add_tile(d, n, in, d->part);
        turn_row(d->sum, turn, c, s);
        join_turned(d, c, s);
        ndft_advance(d, turn, d->index);
    }
}

void NDFT_LOOP(uniform_tiled)(const ndft_line_sum *s, const void *in, void *out)
{
    ndft_direct_sum(s, in, out, sum_group);
}
