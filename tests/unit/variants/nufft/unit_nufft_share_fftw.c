/* SPDX-License-Identifier: Apache-2.0 */
#include "case/case.h"
#include "device/backend.h"
#include "id.h"
#include "prepared.h"
#include "problem/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What the nonuniform FFT declares of threads and parallel regions is what its plans do. */

static int chosen(const ndft_prepared *plan, const char *name)
{
    char text[NDFT_CHOSEN_TEXT], word[32];
    ndft_prepared_chosen(plan, text, sizeof text);
    snprintf(word, sizeof word, "%s=", name);
    const char *at = strstr(text, word);
    return at ? atoi(at + strlen(word)) : 0;
}

static void plans_share_as_is_declared(void **state)
{
    (void)state;
    static const char *const cases[] = {"adjoint 2d n=20x20 m=400",
                                        "forward 1d n=300 m=500",
                                        "adjoint 2d n=90x80 m=9000",
                                        "adjoint 2d n=200x200 m=40000",
                                        "adjoint 2d n=30x30 m=700 t=8ms field=smooth:300Hz",
                                        "adjoint 2d n=150x150 m=20000 t=8ms field=smooth:300Hz",
                                        "forward 3d n=20x20x20 m=9000"};
    ndft_error err = {.status = NDFT_OK};
    ndft_exec *exec;
    int alone = 0, together = 0;
    assert_int_equal(ndft_backend_cpu.open(0, &exec, &err), NDFT_OK);
    exec->threads = 2;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ndft_case c;
        ndft_made made;
        ndft_candidate hybrid;
        ndft_prepared plan;
        assert_int_equal(ndft_case_parse(cases[i], &c, &err), NDFT_OK);
        assert_int_equal(ndft_kind_of(&c)->make(&c, &made, &err), NDFT_OK);
        assert_int_equal(ndft_id_parse("nufft_hybrid.cpu", &hybrid, &err), NDFT_OK);
        const ndft_variant *v = hybrid.entry->variant;
        assert_int_equal(ndft_prepare(v, hybrid.knobs, &made.problem, c.op, exec, &plan), NDFT_OK);
        const ndft_cost cost = ndft_executed_cost(v, &made.problem, c.op, hybrid.knobs);
        const int terms = chosen(&plan, "terms") * chosen(&plan, "nodes");
        if (chosen(&plan, "together") == 1) {
            assert_true(cost.threads == 1 && cost.launches == 0);
            alone++;
        } else {
            assert_true(cost.threads == 0 && cost.launches == 2 * terms);
            together++;
        }
        ndft_prepared_destroy(&plan);
        ndft_made_free(&made);
    }
    assert_true(alone > 1 && together > 1);
    ndft_backend_cpu.close(exec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plans_share_as_is_declared)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
