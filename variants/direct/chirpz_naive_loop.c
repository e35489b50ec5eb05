/* SPDX-License-Identifier: Apache-2.0 */
#include "chirpz_naive_loop.h"

#include <math.h>

chirpz_naive_loop NDFT_LOOP(chirpz_naive_sum);

/* The sums of a chirp z-transform as they are written, an output at a time; of each entry A^-n
 * W^(n k) phase and magnitude in double, and of the adjoint's its conjugate. */

typedef ndft_real real;

static void entry_of(const chirpz_naive *c, double n, double k, real entry[2])
{
    const double turns =
        ndft_whole_turns_off(n * k, c->w.turns) - ndft_whole_turns_off(n, c->a.turns);
    const double angle = 2 * M_PI * (turns - rint(turns));
    const double size = exp(ndft_chirpz_log(n, k, c->log_w, c->log_a));
    entry[0] = (real)(size * cos(angle));
    entry[1] = (real)(size * sin(angle));
}

static void sum_output(const chirpz_naive *c, bool adjoint, int64_t e, const real *in, real out[2])
{
    const int64_t terms = adjoint ? c->outputs : c->inputs;
    out[0] = out[1] = 0;
    for (int64_t i = 0; i < terms; i++, in += 2) {
        real entry[2];
        entry_of(c, (double)(adjoint ? e : i), (double)(adjoint ? i : e), entry);
        const real re = entry[0], im = adjoint ? -entry[1] : entry[1];
        out[0] += re * in[0] - im * in[1];
        out[1] += re * in[1] + im * in[0];
    }
}

void NDFT_LOOP(chirpz_naive_sum)(const chirpz_naive *c, bool adjoint, const void *in, void *out)
{
    const int64_t inputs = adjoint ? c->outputs : c->inputs;
    const int64_t outputs = adjoint ? c->inputs : c->outputs;
#pragma omp parallel for collapse(2) num_threads(c->threads) schedule(static)
    for (int b = 0; b < c->batch; b++)
        for (int64_t e = 0; e < outputs; e++)
            sum_output(c, adjoint, e, (const real *)in + 2 * b * inputs,
                       (real *)out + 2 * (b * outputs + e));
}
