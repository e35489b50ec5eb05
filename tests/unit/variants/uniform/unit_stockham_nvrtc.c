/* SPDX-License-Identifier: Apache-2.0 */
#include "support/turn.h"
#include "uniform/stockham/stockham_module.h"
#include "uniform/stockham/stockham_split.h"

#include "descriptor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A kernel is compiled for every kind of pass, which needs NVRTC and no GPU; in quick builds by
 * turns. */

enum { LINES = 7 };

static int needs_nvrtc(void **state)
{
    (void)state;
    setenv("NDFT_CACHE", "", 1); /* it is to compile */
    if (ndft_stockham_compiler_found()) return 0;
    puts("skipped: kernels are not compiled: no libnvrtc.so was found");
    exit(77);
}

static const char functions[] =
    "#include <ndft/callback.h>\n"
    "NDFT_CALLBACK ndft_value pad(ndft_slot from, const int64_t *index, const void *data)\n"
    "{\n"
    "    const ndft_value zero = {0, 0};\n"
    "    return index[NDFT_MODE_N] < *(const int64_t *)data ? ndft_read(from) : zero;\n"
    "}\n"
    "NDFT_CALLBACK void crop(ndft_slot to, ndft_value z, const int64_t *index, const void *data)\n"
    "{\n"
    "    if (index[NDFT_MODE_N] < *(const int64_t *)data) ndft_write(to, z);\n"
    "}\n";

static ndft_line_side side_of(bool real, int n, bool beside)
{
    return (ndft_line_side){
        .real = real, .count = n, .stride = beside ? LINES : 1, .step = {beside ? 1 : n}};
}

static void expect_compiled(const ndft_transform *t, const ndft_pass *p,
                            const ndft_stockham_line *line)
{
    ndft_error err;
    void *code = NULL;
    size_t size = 0;
    if (ndft_stockham_compile(t, 0, p, line, 90, &code, &size, &err) != NDFT_OK)
        fail_msg("%lld: %s", (long long)p->length, err.message);
    assert_true(size > 0);
    free(code);
}

static void expect_kernel(ndft_domain domain, int n, bool beside, ndft_prec prec,
                          const ndft_callback *load, const ndft_callback *store)
{
    static int kernels = 0;
    if (!has_turn(kernels++)) return;
    const ndft_pass p = {.domain = domain,
                         .sign = domain == NDFT_C2R ? 1 : -1,
                         .length = n,
                         .lines = LINES,
                         .modes = 1,
                         .shape = {LINES},
                         .in = side_of(domain == NDFT_R2C, n, beside),
                         .out = side_of(domain == NDFT_C2R, n, beside)};
    const ndft_transform t = {.dim = 1,
                              .prec = prec,
                              .domain = domain,
                              .in = {.real = p.in.real, .shape = {1, n, 1, 1, LINES}},
                              .out = {.real = p.out.real, .shape = {1, n, 1, 1, LINES}},
                              .load = load,
                              .store = store};
    const ndft_stockham_line line = ndft_stockham_line_of(&p, prec, (ndft_stockham_choice){0});
    expect_compiled(&t, &p, &line);
}

static void test_kernels_of_a_long_line_compile(void **state)
{
    static const char *const lines[] = {"scfo20000*2", "dcbo13.9000"};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        ndft_transform t;
        ndft_error err;
        int64_t split;
        assert_int_equal(ndft_descriptor_parse(lines[i], &t, &err), NDFT_OK);
        const ndft_axes axes = ndft_stockham_axes_of(&t, &split);
        ndft_stockham_line line =
            ndft_stockham_line_of(&axes.pass[0], t.prec, (ndft_stockham_choice){0});
        assert_true(split > 0);
        ndft_stockham_set_twists(&line, split);
        expect_compiled(&t, &axes.pass[0], &line);
    }
}

static const ndft_domain domains[] = {NDFT_C2C, NDFT_R2C, NDFT_C2R};
static const int lengths[] = {2, 60, 343, 1000};

static void test_kernels_of_all_passes_compile(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int kind = 0; kind < 3; kind++)
            expect_kernel(domains[kind], lengths[i], i % 2, i > 1 ? NDFT_F64 : NDFT_F32, NULL,
                          NULL);
    expect_kernel(NDFT_C2C, 4000, false, NDFT_F32, NULL, NULL);
    expect_kernel(NDFT_C2C, 16, false, NDFT_F32, NULL,
                  NULL); /* lines apart in a block of one piece */
    expect_kernel(NDFT_C2C, 12, false, NDFT_F64, NULL, NULL);
    expect_kernel(NDFT_C2C, 49, false, NDFT_F32, NULL, NULL); /* stored by one thread */
    for (int kind = 1; kind < 3; kind++) {
        expect_kernel(domains[kind], 15, false, NDFT_F32, NULL, NULL); /* half of odd lines */
        expect_kernel(domains[kind], 375, kind == 1, NDFT_F32, NULL, NULL);
        expect_kernel(domains[kind], 120, false, NDFT_F32, NULL, NULL); /* spectra as they are */
        /* sums that mirror each other */
        expect_kernel(domains[kind], 1000, false, NDFT_F32, NULL, NULL);
        expect_kernel(domains[kind], 1050, false, NDFT_F64, NULL, NULL);
    }
}

static void test_kernels_of_convolutions_compile(void **state)
{
    static const int numbers[] = {31, 46, 74, 94, 211, 906, 907};
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        expect_kernel(NDFT_C2C, numbers[i], false, i % 2 ? NDFT_F64 : NDFT_F32, NULL, NULL);
        expect_kernel(NDFT_C2C, numbers[i], true, i % 2 ? NDFT_F32 : NDFT_F64, NULL, NULL);
    }
}

static void test_kernels_with_functions_compile(void **state)
{
    const ndft_callback pad = {.name = "pad", .module = "functions", .source = functions};
    const ndft_callback crop = {.name = "crop", .module = "functions", .source = functions};
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        expect_kernel(domains[kind], 60, false, NDFT_F32, &pad, &crop);
        expect_kernel(domains[kind], 343, true, NDFT_F64, kind == 1 ? NULL : &pad,
                      kind == 1 ? &crop : NULL);
        expect_kernel(domains[kind], kind ? 600 : 907, false, NDFT_F32, &pad, &crop);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kernels_of_all_passes_compile),
                                       cmocka_unit_test(test_kernels_of_a_long_line_compile),
                                       cmocka_unit_test(test_kernels_of_convolutions_compile),
                                       cmocka_unit_test(test_kernels_with_functions_compile)};
    return cmocka_run_group_tests(tests, needs_nvrtc, NULL);
}
