/* SPDX-License-Identifier: Apache-2.0 */
#include "uniform/stockham/stockham_module.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A kernel is compiled for every kind of pass, which needs NVRTC and no GPU. */

enum { LINES = 7 };

static int needs_nvrtc(void **state)
{
    (void)state;
    setenv("NDFT_CACHE", "", 1); /* it is to compile */
    if (ndft_stockham_compiler_found()) return 0;
    puts("skipped: kernels are not compiled: no libnvrtc.so was found");
    exit(77);
}

static void expect_kernel(ndft_domain domain, int n, bool beside, ndft_prec prec)
{
    const ndft_line_side side = {
        .count = n, .stride = beside ? LINES : 1, .step = {beside ? 1 : n}};
    const ndft_pass p = {.domain = domain,
                         .sign = domain == NDFT_C2R ? 1 : -1,
                         .length = n,
                         .lines = LINES,
                         .modes = 1,
                         .shape = {LINES},
                         .in = side,
                         .out = side};
    const ndft_stockham_line line = ndft_stockham_line_of(&p, prec, (ndft_stockham_choice){0});
    ndft_error err;
    void *code = NULL;
    size_t size = 0;
    if (ndft_stockham_compile(&p, &line, prec, 90, &code, &size, &err) != NDFT_OK)
        fail_msg("%d: %s", n, err.message);
    assert_true(size > 0);
    free(code);
}

static void test_kernels_of_all_passes_compile(void **state)
{
    static const ndft_domain domains[] = {NDFT_C2C, NDFT_R2C, NDFT_C2R};
    static const int lengths[] = {2, 60, 343, 1000};
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int kind = 0; kind < 3; kind++)
            expect_kernel(domains[kind], lengths[i], i % 2, i > 1 ? NDFT_F64 : NDFT_F32);
    expect_kernel(NDFT_C2C, 4000, false, NDFT_F32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kernels_of_all_passes_compile)};
    return cmocka_run_group_tests(tests, needs_nvrtc, NULL);
}
