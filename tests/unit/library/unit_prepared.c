/* SPDX-License-Identifier: Apache-2.0 */
#include "prepared.h"

#include "base/bounds.h"
#include "cost.h"
#include "device/backend.h"
#include "id.h"
#include "problem/kinds.h"
#include "rank.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The normal operator of variants that have only its two parts, and of one that fuses them. */

enum { SAMPLES = 5, VOXELS = 3, COILS = 2 };

/* What a recording variant was told. */
typedef struct told {
    unsigned asked;
    double tol;
    int destroyed, n;
    ndft_op ops[4];
    const void *in[4];
    void *out[4];
} told;

/* The problem's t is the record. */
static ndft_status plan(const ndft_problem *p, const int *knobs, unsigned ops, ndft_exec *exec,
                        void **out)
{
    (void)knobs, (void)exec;
    told *t = (void *)p->t;
    t->asked = ops;
    t->tol = p->tol;
    *out = t;
    return NDFT_OK;
}

static ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    told *t = state;
    t->ops[t->n] = op;
    t->in[t->n] = in;
    t->out[t->n++] = out;
    return NDFT_OK;
}

static void destroy(void *state) { ((told *)state)->destroyed++; }

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)p, (void)knobs;
    double x = op == NDFT_NORMAL ? 100 : op;
    return (ndft_cost){x, 2 * x, 3 * x, 4 * x, 5 * x, 6 * x, 7 * x, 8 * x, 9 * x, 10 * x, op};
}

static ndft_variant serving(unsigned ops)
{
    return (ndft_variant){.name = "recording",
                          .backend = "cpu",
                          .ops = ops,
                          .plan = plan,
                          .execute = execute,
                          .destroy = destroy,
                          .cost = cost};
}

static ndft_problem problem_of(told *t)
{
    return (ndft_problem){
        .coils = COILS, .n_samples = SAMPLES, .n_voxels = VOXELS, .t = t, .tol = 1};
}

static ndft_status create(const ndft_variant *v, const ndft_problem *p, unsigned ops,
                          ndft_exec *exec, ndft_prepared *made)
{
    return ndft_prepare_promised(v, NULL, p, ops, exec, made);
}

static ndft_exec *open_cpu(ndft_error *err)
{
    ndft_exec *exec;
    assert_int_equal(ndft_backend_cpu.open(0, &exec, err), NDFT_OK);
    return exec;
}

/* Numbers that no variant serves, wherever they are. */
static void problems_that_no_variant_serves(void **state)
{
    (void)state;
    static const size_t fields[] = {offsetof(ndft_problem, k_max), offsetof(ndft_problem, t_max),
                                    offsetof(ndft_problem, dw_max), offsetof(ndft_problem, g_max)};
    static const double values[] = {0x1p31, 0x1p63, 0x1p64, INFINITY, NAN};
    const ndft_variant v = serving(NDFT_FORWARD);
    told t = {0};
    ndft_error err = {0};
    ndft_exec *exec = open_cpu(&err);
    ndft_prepared made;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        for (size_t j = 0; j < sizeof values / sizeof *values; j++) {
            ndft_problem p = problem_of(&t);
            memcpy((char *)&p + fields[i], &values[j], sizeof values[j]);
            const bool wrong = i == 0 || !isfinite(values[j]);
            const ndft_status status = create(&v, &p, NDFT_FORWARD, exec, &made);
            assert_int_equal(status, wrong ? NDFT_EUNSUPPORTED : NDFT_OK);
            assert_int_equal(!ndft_plan_unsupported(&v, NULL, &p, NDFT_FORWARD, &exec->device),
                             !wrong);
            if (!wrong) ndft_prepared_destroy(&made);
        }
    }
    ndft_problem p = problem_of(&t);
    p.k_max[2] = nextafter(0x1p31, 0);
    assert_null(ndft_plan_unsupported(&v, NULL, &p, NDFT_FORWARD, &exec->device));
    ndft_backend_cpu.close(exec);
}

/* Either error, of any of the operations; what is made regardless is made. */
static void promises_above_tol_are_refused(void **state)
{
    (void)state;
    static const ndft_claim claims[] = {{.c = 0x1p24}, {.any.c = 0x1p24}};
    told t = {0};
    ndft_error err = {0};
    ndft_exec *exec = open_cpu(&err);
    ndft_prepared made;
    for (int kind = NDFT_TOL_TYPICAL; kind <= NDFT_TOL_ANY; kind++) {
        ndft_variant v = serving(NDFT_FORWARD | NDFT_ADJOINT);
        ndft_problem p = problem_of(&t);
        p.n_samples = p.n_voxels =
            64; /* coordinates of fewer round together, and more is promised */
        p.tol_kind = (ndft_tol_kind)kind;
        v.claim = claims[kind];
        assert_int_equal(create(&v, &p, NDFT_FORWARD, exec, &made),
                         kind ? NDFT_EUNSUPPORTED : NDFT_OK);
        if (!kind) ndft_prepared_destroy(&made);
        assert_int_equal(create(&v, &p, NDFT_NORMAL, exec, &made), NDFT_EUNSUPPORTED);
        assert_non_null(strstr(err.message, "its claim of"));
        assert_non_null(strstr(err.message, "is above tol=1"));
        assert_null(made.state);
        assert_int_equal(ndft_prepare(&v, NULL, &p, NDFT_NORMAL, exec, &made), NDFT_OK);
        ndft_prepared_destroy(&made);
        v.claim = claims[!kind];
        assert_int_equal(create(&v, &p, NDFT_FORWARD, exec, &made), NDFT_OK);
        ndft_prepared_destroy(&made);
    }
    ndft_backend_cpu.close(exec);
}

static int asked_typical, asked_any;

static double typical_truncation(const ndft_problem *p, const int *knobs)
{
    (void)p, (void)knobs;
    asked_typical++;
    return 0;
}

static double any_truncation(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)p, (void)op, (void)knobs;
    asked_any++;
    return 0;
}

/* Finding out the other one may take longer than all else. */
static void only_the_promise_that_counts_is_asked_for(void **state)
{
    (void)state;
    told t = {0};
    ndft_error err = {0};
    ndft_exec *exec = open_cpu(&err);
    ndft_variant v = serving(NDFT_FORWARD | NDFT_ADJOINT);
    ndft_problem p = problem_of(&t);
    v.claim = (ndft_claim){.truncation = typical_truncation, .any.truncation = any_truncation};
    const ndft_registered entry = {.backend = "cpu", .variant = &v};
    const ndft_candidate c = {.entry = &entry};
    for (int kind = NDFT_TOL_TYPICAL; kind <= NDFT_TOL_ANY; kind++) {
        p.tol_kind = (ndft_tol_kind)kind;
        asked_typical = asked_any = 0;
        assert_int_equal(ndft_check_promised(&v, NULL, &p, NDFT_FORWARD, exec), NDFT_OK);
        assert_true(ndft_serves(&c, &p, NDFT_ADJOINT, &exec->device, false, &err));
        assert_int_equal(asked_typical, kind == NDFT_TOL_TYPICAL ? 2 : 0);
        assert_int_equal(asked_any, kind == NDFT_TOL_ANY ? 2 : 0);
    }
    ndft_backend_cpu.close(exec);
}

static void nan_in_an_array_is_a_bound_of_nan(void **state)
{
    (void)state;
    const float k[] = {1, NAN, 3}, t[] = {0, 2, NAN};
    ndft_problem p = {.dim = 1, .n = {3, 1, 1}, .n_samples = 3, .k = {k}, .t = t};
    ndft_measure_bounds(&p, NULL);
    assert_true(isnan(p.k_max[0]) && isnan(p.t_max) && p.dw_max == 0);
}

static void normal_is_forward_then_adjoint(void **state)
{
    (void)state;
    const ndft_variant v = serving(NDFT_FORWARD | NDFT_ADJOINT);
    told t = {0};
    ndft_error err = {0};
    ndft_problem p = problem_of(&t);
    ndft_prepared made;
    ndft_exec *exec = open_cpu(&err);
    char in, out;
    assert_int_equal(create(&v, &p, NDFT_NORMAL, exec, &made), NDFT_OK);
    assert_int_equal(t.asked, NDFT_FORWARD | NDFT_ADJOINT);
    assert_true(t.tol == 0.5); /* each part may err by half */
    const size_t between = ndft_vector_bytes(&p, SAMPLES);
    assert_int_equal(exec->live_bytes, between); /* counted with the plan */
    assert_int_equal(ndft_prepared_execute(&made, NDFT_NORMAL, &in, &out), NDFT_OK);
    assert_int_equal(exec->peak_bytes, between); /* execute allocates nothing */
    assert_int_equal(t.n, 2);
    assert_true(t.ops[0] == NDFT_FORWARD && t.in[0] == &in);
    assert_true(t.ops[1] == NDFT_ADJOINT && t.out[1] == &out);
    assert_true(t.out[0] == t.in[1] && t.in[1] != &in && t.in[1] != &out);
    assert_int_equal(ndft_prepared_execute(&made, NDFT_ADJOINT, &in, &out), NDFT_OK);
    assert_true(t.n == 3 && t.ops[2] == NDFT_ADJOINT && t.in[2] == &in);
    ndft_prepared_destroy(&made);
    ndft_prepared_destroy(&made);
    assert_true(t.destroyed == 1 && exec->live_bytes == 0);
    ndft_backend_cpu.close(exec);
}

/* A variant that fuses is asked for it, and nothing stands in between. */
static void a_fused_normal_is_the_variants_own(void **state)
{
    (void)state;
    const ndft_variant v = serving(NDFT_FORWARD | NDFT_ADJOINT | NDFT_NORMAL);
    told t = {0};
    ndft_error err = {0};
    ndft_problem p = problem_of(&t);
    ndft_prepared made;
    ndft_exec *exec = open_cpu(&err);
    char in, out;
    assert_int_equal(create(&v, &p, NDFT_NORMAL | NDFT_FORWARD, exec, &made), NDFT_OK);
    assert_int_equal(t.asked, NDFT_NORMAL | NDFT_FORWARD);
    assert_true(t.tol == 1);
    assert_int_equal(exec->live_bytes, 0);
    assert_int_equal(ndft_prepared_execute(&made, NDFT_NORMAL, &in, &out), NDFT_OK);
    assert_true(t.n == 1 && t.ops[0] == NDFT_NORMAL && t.in[0] == &in && t.out[0] == &out);
    assert_true(ndft_executed_cost(&v, &p, NDFT_NORMAL, NULL).fma == 100);
    ndft_prepared_destroy(&made);
    ndft_backend_cpu.close(exec);
}

static void no_memory_between_leaves_nothing_behind(void **state)
{
    (void)state;
    const ndft_variant v = serving(NDFT_FORWARD | NDFT_ADJOINT);
    told t = {0};
    ndft_error err = {0};
    ndft_problem p = problem_of(&t);
    ndft_prepared made;
    ndft_exec *exec = open_cpu(&err);
    p.n_samples = (int64_t)1 << 56;
    assert_int_equal(create(&v, &p, NDFT_NORMAL, exec, &made), NDFT_ENOMEM);
    assert_non_null(strstr(err.message, "samples between forward and adjoint"));
    assert_true(t.asked == 0 && t.destroyed == 0); /* it was not prepared either */
    assert_null(made.state);
    ndft_backend_cpu.close(exec);
}

static void one_way_only_has_no_normal(void **state)
{
    (void)state;
    const ndft_variant v = serving(NDFT_FORWARD);
    told t = {0};
    ndft_error err = {0};
    ndft_problem p = problem_of(&t);
    ndft_prepared made;
    ndft_exec *exec = open_cpu(&err);
    assert_int_equal(ndft_served_ops(&v, NULL), NDFT_FORWARD);
    assert_int_equal(create(&v, &p, NDFT_NORMAL, exec, &made), NDFT_EUNSUPPORTED);
    assert_string_equal(err.message, "it does not serve this operation");
    ndft_backend_cpu.close(exec);
}

static void the_costs_of_both_parts_add_up(void **state)
{
    (void)state;
    const ndft_variant v = serving(NDFT_FORWARD | NDFT_ADJOINT);
    told t = {0};
    const ndft_problem p = problem_of(&t);
    const ndft_cost sum = ndft_executed_cost(&v, &p, NDFT_NORMAL, NULL);
    for (int i = 0; i < NDFT_COST_FIELDS; i++)
        assert_true(ndft_cost_amount(&sum, i) == (i + 1) * (NDFT_FORWARD + NDFT_ADJOINT));
    assert_true(sum.threads == NDFT_ADJOINT); /* the more of both */
    assert_true(ndft_executed_cost(&v, &p, NDFT_ADJOINT, NULL).fma == NDFT_ADJOINT);
}

/* What lies between the outputs of a uniform transform stays as it was, in place as the input has
 * it. */
static void between_outputs_nothing_is_written(void **state)
{
    (void)state;
    static const char *const texts[] = {"uniform:scfo5*3o1,2,12", "uniform:scfi5*3i1,2,12o1,2,12"};
    const ndft_registered *naive = ndft_registered_find("uniform_naive.cpu", 17);
    for (int in_place = 0; in_place < 2; in_place++) {
        ndft_case c;
        ndft_made made;
        ndft_prepared plan;
        ndft_error err = {0};
        ndft_exec *exec = open_cpu(&err);
        float out[2 * 33];
        for (int i = 0; i < 2 * 33; i++) out[i] = -7;
        assert_int_equal(ndft_case_parse(texts[in_place], &c, &err), NDFT_OK);
        assert_int_equal(ndft_uniform_kind.make(&c, &made, &err), NDFT_OK);
        assert_int_equal(made.problem.n_samples, 33);
        assert_int_equal(create(naive->variant, &made.problem, NDFT_FORWARD, exec, &plan), NDFT_OK);
        assert_int_equal(ndft_prepared_execute_host(&plan, NDFT_FORWARD, made.image, out), NDFT_OK);
        for (int at = 0; at < 2 * 33; at++) {
            const bool written = ndft_uniform_kind.writes(&made.problem, at);
            assert_true(written    ? isfinite(out[at]) && out[at] != -7
                        : in_place ? isnan(out[at])
                                   : out[at] == -7);
        }
        ndft_prepared_destroy(&plan);
        ndft_made_free(&made);
        ndft_backend_cpu.close(exec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(problems_that_no_variant_serves),
        cmocka_unit_test(promises_above_tol_are_refused),
        cmocka_unit_test(only_the_promise_that_counts_is_asked_for),
        cmocka_unit_test(nan_in_an_array_is_a_bound_of_nan),
        cmocka_unit_test(normal_is_forward_then_adjoint),
        cmocka_unit_test(a_fused_normal_is_the_variants_own),
        cmocka_unit_test(no_memory_between_leaves_nothing_behind),
        cmocka_unit_test(one_way_only_has_no_normal),
        cmocka_unit_test(the_costs_of_both_parts_add_up),
        cmocka_unit_test(between_outputs_nothing_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
