/* SPDX-License-Identifier: Apache-2.0 */
#include "lanes_fft.h"

#include "lanes_turn.h"

enum { LANES = NDFT_LANES, MOST_RADIX = 8 };

/* Unnormalised transforms in place, of exp(turn's sign i 2 pi j k / radix). */

NDFT_INLINED void transform_4(ndft_vector a[4], ndft_vector turn)
{
    const ndft_vector s0 = a[0] + a[2], d0 = a[0] - a[2], s1 = a[1] + a[3];
    const ndft_vector d1 = ndft_swapped(a[1] - a[3]) * turn;
    a[0] = s0 + s1;
    a[1] = d0 + d1;
    a[2] = s0 - s1;
    a[3] = d0 - d1;
}

NDFT_INLINED void transform_8(ndft_vector a[8], ndft_vector turn)
{
    const ndft_real half = (ndft_real)0.70710678118654752440;
    ndft_vector even[4] = {a[0], a[2], a[4], a[6]}, odd[4] = {a[1], a[3], a[5], a[7]};
    transform_4(even, turn);
    transform_4(odd, turn);
    odd[1] = (odd[1] + ndft_swapped(odd[1]) * turn) * half;
    odd[2] = ndft_swapped(odd[2]) * turn;
    odd[3] = (ndft_swapped(odd[3]) * turn - odd[3]) * half;
    for (int k = 0; k < 4; k++) {
        a[k] = even[k] + odd[k];
        a[k + 4] = even[k] - odd[k];
    }
}

/* cos and sin of 2 pi k / radix, k = 0 .. radix - 1, of 3, 5 and 7. */
static const double cosines[3][7] = {{1, -0.5, -0.5},
                                     {1, 0.30901699437494742410, -0.80901699437494742410,
                                      -0.80901699437494742410, 0.30901699437494742410},
                                     {1, 0.62348980185873353053, -0.22252093395631440429,
                                      -0.90096886790241912624, -0.90096886790241912624,
                                      -0.22252093395631440429, 0.62348980185873353053}};
static const double sines[3][7] = {{0, 0.86602540378443864676, -0.86602540378443864676},
                                   {0, 0.95105651629515357212, 0.58778525229247312917,
                                    -0.58778525229247312917, -0.95105651629515357212},
                                   {0, 0.78183148246802980871, 0.97492791218182360702,
                                    0.43388373911755812048, -0.43388373911755812048,
                                    -0.97492791218182360702, -0.78183148246802980871}};

/* By sums and differences of what is as far from the first on either side. */
NDFT_INLINED void transform_odd(ndft_vector *a, const int radix, ndft_vector turn)
{
    const double *c = cosines[radix / 2 - 1], *s = sines[radix / 2 - 1];
    ndft_vector sum[3], difference[3], first = a[0];
    for (int j = 1; j <= radix / 2; j++) {
        sum[j - 1] = a[j] + a[radix - j];
        difference[j - 1] = ndft_swapped(a[j] - a[radix - j]) * turn;
        first += sum[j - 1];
    }
    for (int k = 1; k <= radix / 2; k++) {
        ndft_vector even = a[0], odd = difference[0] * (ndft_real)s[k];
        for (int j = 1; j <= radix / 2; j++) even += sum[j - 1] * (ndft_real)c[j * k % radix];
        for (int j = 2; j <= radix / 2; j++) odd += difference[j - 1] * (ndft_real)s[j * k % radix];
        a[k] = even + odd;
        /* a[radix - k] is read no more: its sum and difference are taken. */
        a[radix - k] = even - odd;
    }
    a[0] = first;
}

NDFT_INLINED void transform(ndft_vector *a, const int radix, ndft_vector turn)
{
    if (radix == 8)
        transform_8(a, turn);
    else if (radix == 4)
        transform_4(a, turn);
    else if (radix == 2) {
        const ndft_vector other = a[1];
        a[1] = a[0] - other;
        a[0] += other;
    } else
        transform_odd(a, radix, turn);
}

/* One pass: `beside` transforms of `left` cells lie beside each other, radix of them are taken and
 * what is left of each, times its twiddle, is a shorter transform. */
typedef struct pass {
    int64_t left, beside;
    const ndft_real *from;
    int64_t from_step, to_step; /* reals */
    const ndft_real *twiddle;   /* [left / radix][radix - 1] */
    ndft_vector turn;           /* of the sign */
} pass;

NDFT_INLINED void run_pass(const pass *p, ndft_real *to, const int radix, const bool last)
{
    const int64_t rest = p->left / radix, beside = p->beside;
    const int64_t from_step = p->from_step, to_step = p->to_step;
    const ndft_real *twiddle = p->twiddle;
    const ndft_vector turn = p->turn, plus = ndft_quarter_turn(1);
    for (int64_t i = 0; i < rest; i++, twiddle += 2 * (radix - 1)) {
        ndft_vector re[MOST_RADIX], im[MOST_RADIX];
        for (int k = 1; !last && k < radix; k++) {
            re[k] = (ndft_vector){0} + twiddle[2 * k - 2];
            im[k] = plus * twiddle[2 * k - 1];
        }
        for (int64_t q = 0; q < beside; q++) {
            const ndft_real *from = p->from + (q + beside * i) * from_step;
            ndft_real *of = to + (q + beside * radix * i) * to_step;
            ndft_vector a[MOST_RADIX];
            for (int k = 0; k < radix; k++)
                a[k] = *(const ndft_vector *)(from + k * beside * rest * from_step);
            transform(a, radix, turn);
            for (int k = 1; !last && k < radix; k++)
                a[k] = a[k] * re[k] + ndft_swapped(a[k]) * im[k];
            for (int k = 0; k < radix; k++) *(ndft_vector *)(of + k * beside * to_step) = a[k];
        }
    }
}

NDFT_INLINED void run_radix(const pass *p, ndft_real *to, const int radix)
{
    if (p->left == radix)
        run_pass(p, to, radix, true);
    else
        run_pass(p, to, radix, false);
}

static void run_any(const pass *p, ndft_real *to, int radix)
{
    switch (radix) {
    case 2:
        run_radix(p, to, 2);
        break;
    case 3:
        run_radix(p, to, 3);
        break;
    case 4:
        run_radix(p, to, 4);
        break;
    case 5:
        run_radix(p, to, 5);
        break;
    case 7:
        run_radix(p, to, 7);
        break;
    default:
        run_radix(p, to, 8);
        break;
    }
}

/* The lanes of one vector. */
static void transform_vector(const ndft_lanes_fft *f, ndft_lanes from, ndft_lanes to,
                             ndft_real *scratch)
{
    ndft_real *rooms[2] = {scratch, scratch + f->cells * LANES};
    pass p = {.left = f->cells,
              .beside = 1,
              .from = from.cells,
              .from_step = from.step,
              .twiddle = f->twiddle,
              .turn = ndft_quarter_turn(f->sign)};
    for (int i = 0; i < f->passes; i++) {
        const int radix = f->radix[i];
        const bool is_last = i + 1 == f->passes;
        ndft_real *written = is_last ? to.cells : rooms[i % 2];
        p.to_step = is_last ? to.step : LANES;
        run_any(&p, written, radix);
        p.twiddle += 2 * (p.left / radix) * (radix - 1);
        p.left /= radix;
        p.beside *= radix;
        p.from = written;
        p.from_step = p.to_step;
    }
}

void NDFT_LOOP(lanes_fft)(const ndft_lanes_fft *f, ndft_lanes from, ndft_lanes to, void *scratch)
{
    for (int lane = 0; lane < 2 * NDFT_FFT_LANES; lane += LANES) {
        const ndft_lanes part_from = {(ndft_real *)from.cells + lane, from.step};
        const ndft_lanes part_to = {(ndft_real *)to.cells + lane, to.step};
        transform_vector(f, part_from, part_to, scratch);
    }
}
