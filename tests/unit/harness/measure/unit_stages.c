/* SPDX-License-Identifier: Apache-2.0 */
#include "check/fixture.h"
#include "problem/kinds.h"
#include "registry.h"
#include "traits.h"

#include "prepared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Who does the work of the stages apart while they are timed comes to the same result. */

static const char *const lines[] = {
    "1d n=40 m=300 coils=3",
    "2d n=33x20 m=500 traj=radial:20 t=5ms field=smooth:100Hz mask=disk layout=interleaved coils=5",
    "2d n=32x32 m=400 prec=f64 tol=1e-9",
    "3d n=12x9x10 m=600 coils=2",
    "3d n=1x9x10 m=600",
};

static void note(ndft_exec *exec, const char *stage)
{
    const char **last = exec->listener;
    *last = stage;
}

static void check_plan(const ndft_fixture *fixture, const ndft_prepared *plan)
{
    const ndft_side in = ndft_side_in(fixture->op), out = ndft_side_out(fixture->op);
    const char *last = NULL, *const *known = ndft_traits_of(plan->variant, plan->knobs).stages;
    memset(fixture->out[out], 0xff, fixture->bytes[out]);
    assert_int_equal(ndft_prepared_execute(plan, fixture->op, fixture->in[in], fixture->out[out]),
                     NDFT_OK);
    memcpy(fixture->fetched[out], fixture->out[out], fixture->bytes[out]);
    memset(fixture->out[out], 0xff, fixture->bytes[out]);
    fixture->exec->mark = note;
    fixture->exec->listener = &last;
    assert_int_equal(ndft_prepared_execute(plan, fixture->op, fixture->in[in], fixture->out[out]),
                     NDFT_OK);
    fixture->exec->mark = NULL;
    assert_memory_equal(fixture->fetched[out], fixture->out[out], fixture->bytes[out]);
    while (*known && last != *known) known++;
    assert_non_null(*known);
}

static int check_variants(const ndft_fixture *fixture)
{
    int checked = 0;
    for (int i = 0; i < ndft_registry_size; i++) {
        const ndft_registered *entry = &ndft_registry[i];
        if (strcmp(entry->backend, "cpu") || entry->kind != NDFT_NONUNIFORM) continue;
        if (!entry->variant || !entry->variant->stages) continue;
        const ndft_candidate candidate = ndft_candidate_of(entry);
        ndft_prepared plan;
        assert_int_equal(ndft_prepare_promised(entry->variant, candidate.knobs,
                                               &fixture->made->problem, fixture->op, fixture->exec,
                                               &plan),
                         NDFT_OK);
        check_plan(fixture, &plan);
        ndft_prepared_destroy(&plan);
        checked++;
    }
    return checked;
}

static int check_case(const char *op, const char *line)
{
    char text[NDFT_CASE_MAX];
    ndft_case problem;
    ndft_made made;
    ndft_error error;
    ndft_exec *exec;
    ndft_fixture fixture;
    const ndft_backend *cpu = &ndft_backend_cpu;
    snprintf(text, sizeof text, "%s %s", op, line);
    assert_int_equal(ndft_case_parse(text, &problem, &error), NDFT_OK);
    assert_int_equal(ndft_nonuniform.make(&problem, &made, &error), NDFT_OK);
    assert_int_equal(cpu->open(0, &exec, &error), NDFT_OK);
    assert_int_equal(ndft_fixture_open(&ndft_nonuniform, &problem, &made, cpu, exec, &fixture),
                     NDFT_OK);
    const int checked = check_variants(&fixture);
    ndft_fixture_close(&fixture);
    cpu->close(exec);
    ndft_made_free(&made);
    return checked;
}

static void test_marks_change_no_result(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const int checked = check_case("forward", lines[i]) + check_case("adjoint", lines[i]);
        if (checked == 0) skip(); /* no variant that was built marks stages */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_marks_change_no_result)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
