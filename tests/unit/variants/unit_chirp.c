/* SPDX-License-Identifier: Apache-2.0 */
#include "convolve/padded.h"
#include "uniform/bluestein/chirp.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* The chirp of Bluestein's algorithm, and the lengths that its convolution may have. */

static void squares_are_exact(void **state)
{
    (void)state;
    assert_int_equal(ndft_chirp_phase(0, 1), 0);
    assert_int_equal(ndft_chirp_phase(5, 7), 25 % 14);
    assert_int_equal(ndft_chirp_phase(1000002, 1000003), 1000004); /* (-1)^2 + odd length */
    const int64_t longest = NDFT_CHIRP_LONGEST; /* (L - 1)^2 = 1 mod 2L, as L is even */
    assert_int_equal(ndft_chirp_phase(longest - 1, longest), 1);
    assert_int_equal(ndft_chirp_phase(longest - 3, longest), 9);
}

static void expect_phasor(const double w[2], long double half_turns)
{
    const long double angle = acosl(-1) * half_turns;
    assert_true(fabsl((long double)w[0] - cosl(angle)) < 3e-16L);
    assert_true(fabsl((long double)w[1] - sinl(angle)) < 3e-16L);
}

static void phasors_are_those_of_libm(void **state)
{
    (void)state;
    static const int64_t lengths[] = {1, 2, 3, 8, 1009, 65537, 1000003};
    for (int i = 0; i < 7; i++) {
        const int64_t length = lengths[i], first = length / 2, count = length < 50 ? length : 50;
        double w[100], at[2];
        for (int sign = -1; sign <= 1; sign += 2) {
            ndft_chirp_fill(first, count, length, sign, w);
            for (int64_t n = 0; n < count; n++) {
                const long double square = (long double)((first + n) * (first + n) % (2 * length));
                expect_phasor(w + 2 * n, sign * square / (long double)length);
                ndft_chirp_at(first + n, length, sign, at);
                assert_true(at[0] == w[2 * n] && at[1] == w[2 * n + 1]);
            }
        }
    }
}

static void quarter_turns_have_no_error(void **state)
{
    (void)state;
    static const double turned[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (int64_t quarter = -4; quarter < 4; quarter++) {
        double w[2];
        ndft_half_turns(3 * quarter, 6, w);
        for (int i = 0; i < 2; i++) assert_true(w[i] == turned[(quarter + 4) % 4][i]);
    }
}

/* y_k = w_k sum_n (x_n w_n) b_{k-n} is the transform, b wrapped around; of some inputs to some
 * outputs, too, in as few cells as these leave. */
static void transform_by_convolution(int inputs, int outputs, int cells)
{
    enum { N = 7, MOST = 15 };
    for (int sign = -1; sign <= 1; sign += 2) {
        double complex w[N], b[MOST];
        ndft_chirp_fill(0, N, N, sign, (double *)w);
        ndft_chirp_filter(N, sign, inputs, outputs, cells, (double *)b);
        for (int k = 0; k < outputs; k++) {
            double complex convolved = 0, sum = 0;
            for (int n = 0; n < inputs; n++) {
                const double complex x = n * n - 3 + I * n;
                convolved += x * w[n] * b[(k - n + cells) % cells];
                sum += x * cexp(sign * 2 * M_PI * I * n * k / N);
            }
            assert_true(cabs(w[k] * convolved - sum) < 1e-13 * N * N);
        }
        for (int m = outputs; m <= cells - inputs; m++) assert_true(b[m] == 0);
    }
}

static void a_transform_is_a_convolution(void **state)
{
    (void)state;
    transform_by_convolution(7, 7, 15);
    transform_by_convolution(7, 4, 10);
    transform_by_convolution(4, 7, 10);
}

static void candidates_are_smooth_and_few(void **state)
{
    (void)state;
    static const int64_t least[] = {1, 2, 3, 17, 2017, 20013, 2000005, (int64_t)1 << 41};
    for (int i = 0; i < 8; i++) {
        int64_t lengths[NDFT_PADDED_MOST];
        const int count = ndft_padded_candidates(least[i], lengths);
        assert_in_range(count, 1, NDFT_PADDED_MOST);
        int powers = 0;
        for (int c = 0; c < count; c++) {
            int64_t rest = lengths[c];
            for (int prime = 2; prime <= 7; prime++)
                while (rest % prime == 0) rest /= prime;
            assert_int_equal(rest, 1);
            assert_true(lengths[c] >= least[i] && lengths[c] <= ndft_padded_power(least[i]));
            powers += lengths[c] == ndft_padded_power(least[i]);
            for (int other = 0; other < c; other++) assert_true(lengths[c] != lengths[other]);
        }
        assert_int_equal(powers, 1);
    }
}

/* A device that is fastest at one length. */
typedef struct favourite {
    int64_t length;
    double others; /* seconds */
    int asked;
} favourite;

static ndft_status clock_of(void *context, int64_t length, double *seconds)
{
    favourite *f = context;
    f->asked++;
    *seconds = length == f->length ? 1 : f->others;
    return NDFT_OK;
}

static ndft_status broken_clock(void *context, int64_t length, double *seconds)
{
    (void)length;
    (void)seconds;
    return ndft_fail(context, NDFT_ENOMEM, "no memory to time in");
}

static void the_fastest_is_chosen(void **state)
{
    (void)state;
    int64_t lengths[NDFT_PADDED_MOST], best;
    const int count = ndft_padded_candidates(2017, lengths);
    for (int i = 0; i < count; i++) {
        favourite f = {.length = lengths[i], .others = 2};
        assert_int_equal(ndft_padded_choose(2017, 100, clock_of, &f, &best), NDFT_OK);
        assert_true(best == lengths[i] && f.asked == count);
    }
    favourite slow = {.length = 0, .others = 2};
    assert_int_equal(ndft_padded_choose(2017, 3, clock_of, &slow, &best), NDFT_OK);
    assert_true(best == lengths[0] && slow.asked == 2);
    ndft_error error;
    assert_int_equal(ndft_padded_choose(2017, 3, broken_clock, &error, &best), NDFT_ENOMEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_are_exact),
        cmocka_unit_test(phasors_are_those_of_libm),
        cmocka_unit_test(quarter_turns_have_no_error),
        cmocka_unit_test(a_transform_is_a_convolution),
        cmocka_unit_test(candidates_are_smooth_and_few),
        cmocka_unit_test(the_fastest_is_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
