/* SPDX-License-Identifier: Apache-2.0 */
#include "uniform_sincos_table_loop.h"
#include "direct_sum.h"

/* Every tile's panel is looked up among the N roots of unity. */

static void look_up(const ndft_line_sum *sum, const int32_t *restrict index, ndft_real *restrict c,
                    ndft_real *restrict s)
{
    const ndft_real *restrict cosine = sum->table, *restrict sine = cosine + sum->pass.length;
#pragma omp simd
    for (int l = 0; l < NDFT_DIRECT_LANES; l++) {
        c[l] = cosine[index[l]];
        s[l] = sine[index[l]];
    }
}

static void sum_group(ndft_direct *d, const ndft_real *in)
{
    for (int64_t n = 0; n < d->sum->pass.in.count; n += d->sum->tile) {
        ndft_fill_panel(d, look_up);
        ndft_add_tile(d, n, in, d->total);
    }
}

void NDFT_LOOP(uniform_sincos_table)(const ndft_line_sum *s, const void *in, void *out)
{
    ndft_direct_sum(s, in, out, sum_group);
}
