/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOCKHAM_REAL_PASS_H
#define STOCKHAM_REAL_PASS_H

#include "uniform/stockham/stockham_line.h"

static inline bool stockham_is_smooth(int n)
{
    for (int prime = 2; prime <= 31; prime++)
        while (n % prime == 0) n /= prime;
    return n == 1;
}

/* Lines of n reals, end to end, to or from half spectra. */
static inline ndft_pass stockham_real_pass(ndft_domain domain, int n, int64_t lines)
{
    const ndft_line_side half = {.count = n / 2 + 1, .stride = 1, .step = {n / 2 + 1}};
    const ndft_line_side real = {.real = true, .count = n, .stride = 1, .step = {n}};
    return (ndft_pass){.domain = domain,
                       .sign = domain == NDFT_R2C ? -1 : 1,
                       .length = n,
                       .lines = lines,
                       .modes = 1,
                       .shape = {lines},
                       .in = domain == NDFT_R2C ? real : half,
                       .out = domain == NDFT_R2C ? half : real};
}

/* How a line is cut; after cmocka.h. */
#define stockham_expect_cut(line, wanted)                                                          \
    do {                                                                                           \
        assert_int_equal((line).shape.passes, (wanted).passes);                                    \
        for (int k = 0; k < (line).shape.passes; k++)                                              \
            assert_int_equal((line).shape.radix[k], (wanted).radix[k]);                            \
        assert_int_equal((line).threads, (wanted).threads);                                        \
        assert_int_equal((line).teams, (wanted).teams);                                            \
        assert_int_equal((line).per, (wanted).per);                                                \
    } while (0)

#endif
