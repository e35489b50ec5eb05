/* SPDX-License-Identifier: Apache-2.0 */
#include "chirp.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

int64_t ndft_chirp_phase(int64_t n, int64_t length)
{
    return (int64_t)((wide)n * (wide)n % (wide)(2 * length));
}

void ndft_half_turns(int64_t phase, int64_t length, double phasor[2])
{
    if (phase < 0) phase += 2 * length;
    const int64_t quarters = (4 * phase + length) / (2 * length); /* the nearest one */
    const double angle =
        M_PI * (double)(2 * phase - quarters * length) / (2 * (double)length); /* up to pi/4 */
    const double c = cos(angle), s = sin(angle);
    const double turned[4][2] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
    memcpy(phasor, turned[quarters % 4], sizeof turned[0]);
}

void ndft_chirp_at(int64_t n, int64_t length, int sign, double w[2])
{
    ndft_half_turns(sign * ndft_chirp_phase(n, length), length, w);
}

/* (n + 1)^2 = n^2 + 2n + 1: no products, so that only the first one needs 128 bits. */
void ndft_chirp_fill(int64_t first, int64_t count, int64_t length, int sign, double *w)
{
    int64_t phase = ndft_chirp_phase(first, length);
    int64_t step = (2 * (first % length) + 1) % (2 * length);
    for (int64_t i = 0; i < count; i++) {
        ndft_half_turns(sign * phase, length, w + 2 * i);
        phase += step;
        if (phase >= 2 * length) phase -= 2 * length;
        step += 2;
        if (step >= 2 * length) step -= 2 * length;
    }
}

void ndft_chirp_filter(int64_t length, int sign, int64_t inputs, int64_t outputs, int64_t cells,
                       double *b)
{
    memset(b, 0, (size_t)cells * 2 * sizeof *b);
    ndft_chirp_fill(0, outputs, length, -sign, b);
    for (int64_t m = 1; m < inputs; m++) {
        double *at = b + 2 * (cells - m);
        if (m < outputs)
            memcpy(at, b + 2 * m, 2 * sizeof *b);
        else
            ndft_chirp_at(m, length, -sign, at);
    }
}
