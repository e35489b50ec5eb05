/* SPDX-License-Identifier: Apache-2.0 */
#include "chirpz_naive_loop.h"

#include <math.h>

chirpz_naive_loop NDFT_LOOP(chirpz_naive_sum);

/* The sums of a chirp z-transform as they are written, an output at a time; of each entry A^-n
 * W^(n k) phase and magnitude in double. */

typedef ndft_real real;

static void sum_output(const chirpz_naive *c, int64_t k, const real *in, real out[2])
{
    out[0] = out[1] = 0;
    for (int64_t n = 0; n < c->inputs; n++, in += 2) {
        const double turns = ndft_whole_turns_off((double)n * (double)k, c->w.turns) -
                             ndft_whole_turns_off((double)n, c->a.turns);
        const double angle = 2 * M_PI * (turns - rint(turns));
        const double size = exp(ndft_chirpz_log((double)n, (double)k, c->log_w, c->log_a));
        const real re = (real)(size * cos(angle)), im = (real)(size * sin(angle));
        out[0] += re * in[0] - im * in[1];
        out[1] += re * in[1] + im * in[0];
    }
}

void NDFT_LOOP(chirpz_naive_sum)(const chirpz_naive *c, const void *in, void *out)
{
#pragma omp parallel for collapse(2) num_threads(c->threads) schedule(static)
    for (int b = 0; b < c->batch; b++)
        for (int64_t k = 0; k < c->outputs; k++)
            sum_output(c, k, (const real *)in + 2 * b * c->inputs,
                       (real *)out + 2 * (b * c->outputs + k));
}
