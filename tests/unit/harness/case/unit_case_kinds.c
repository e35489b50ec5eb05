/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"
#include "case/case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Convolutions and chirp z-transforms: seeded lines round-trip bit for bit, also once a character
 * of them is another. */

enum { LINES = 20000, ANY_LINE = 256 };

static int64_t below(ndft_random *state, int64_t limit)
{
    return (int64_t)(ndft_random_bits(state) >> 11) % limit;
}

static void draw_convolution(ndft_random *state, char *line)
{
    const int64_t n = 1 + below(state, 999), outputs = 1 + below(state, 999);
    const int64_t cells = (n > outputs ? n : outputs) + below(state, 999);
    snprintf(line, ANY_LINE,
             "convolve:%c%c%lldx7*%lld outputs=%lldx5 cells=%lldx9 kernel=%s seed=%lld",
             "sd"[below(state, 2)], "fan"[below(state, 3)], (long long)n,
             (long long)(1 + below(state, 256)), (long long)outputs, (long long)cells,
             below(state, 2) ? "random" : "file:k:1.npy", (long long)below(state, 1 << 30));
}

/* Of at most 10 points, so that entries stay in range. */
static void draw_chirpz(ndft_random *state, char *line)
{
    const double modulus = 0.8 + 0.4 * ndft_uniform(state), turns = 2 * ndft_uniform(state) - 1;
    snprintf(line, ANY_LINE, "chirpz:%c%lld*%lld outputs=%lld w=%.17g:%.17g a=%.5g:%.3g",
             "sd"[below(state, 2)], (long long)(1 + below(state, 9)),
             (long long)(1 + below(state, 256)), (long long)(1 + below(state, 9)), modulus, turns,
             2 - modulus, -turns);
}

static void round_trips(const char *line, const ndft_case *c)
{
    char first[NDFT_CASE_MAX], second[NDFT_CASE_MAX], label[NDFT_CASE_MAX];
    ndft_case again;
    ndft_error err = {0};
    assert_in_range(ndft_case_print(c, first, sizeof first), 1, sizeof first - 1);
    if (ndft_case_parse(first, &again, &err) != NDFT_OK) fail_msg("%s: %s", line, err.message);
    assert_memory_equal(c, &again, sizeof again);
    ndft_case_print(&again, second, sizeof second);
    assert_string_equal(first, second);
    ndft_case_label(c, label, sizeof label);
    if (ndft_case_parse(label, &again, &err) != NDFT_OK) fail_msg("%s: %s", label, err.message);
    assert_memory_equal(c, &again, sizeof again);
}

static void lines(void **unused)
{
    (void)unused;
    ndft_random state = {20261128};
    int taken = 0;
    for (int i = 0; i < LINES; i++) {
        char line[ANY_LINE];
        ndft_case c;
        ndft_error err = {0};
        (below(&state, 2) ? draw_convolution : draw_chirpz)(&state, line);
        if (ndft_case_parse(line, &c, &err) != NDFT_OK) fail_msg("%s: %s", line, err.message);
        round_trips(line, &c);
        line[below(&state, (int64_t)strlen(line))] = "0123456789-+.ex:=*sdfan"[below(&state, 23)];
        if (ndft_case_parse(line, &c, &err) != NDFT_OK) {
            assert_int_not_equal(err.message[0], '\0');
            continue;
        }
        round_trips(line, &c);
        taken++;
    }
    assert_in_range(taken, LINES / 20, LINES * 19 / 20);
}

/* The largest entry that is taken, and the one beyond it. */
static void the_limit_of_entries(void **unused)
{
    (void)unused;
    ndft_case c;
    ndft_error err = {0};
    assert_int_equal(ndft_case_parse("chirpz:s101 w=1.0044:0", &c, &err), NDFT_OK);
    assert_int_equal(ndft_case_parse("chirpz:s101 w=1.0045:0", &c, &err), NDFT_EINVAL);
    assert_non_null(strstr(err.message, "a modulus of at most 1.00445 does"));
    assert_int_equal(ndft_case_parse("chirpz:d101 w=1.0045:0", &c, &err), NDFT_OK);
    assert_int_equal(ndft_case_parse("chirpz:s11 outputs=1 a=0.01:0", &c, &err), NDFT_EINVAL);
    assert_non_null(strstr(err.message, "a modulus of at least 0.0118"));
    assert_int_equal(ndft_case_parse("chirpz:s11 outputs=1 a=0.0119:0", &c, &err), NDFT_OK);
    assert_int_equal(ndft_case_parse("chirpz:s11 outputs=1 a=0.0119:0 w=0:0", &c, &err),
                     NDFT_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),
        cmocka_unit_test(the_limit_of_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
