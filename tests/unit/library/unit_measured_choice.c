/* SPDX-License-Identifier: Apache-2.0 */
#include "base/now.h"
#include "descriptor.h"
#include "public/plan_objects.h"
#include "registry.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What is measured where it is known how long engines take, by a clock that they alone put forward:
 * three, in the places of engines whose estimates cannot be told apart. */

double __wrap_ndft_now_s(void); /* by the linker, for ndft_now_s */

static double now_s;

/* Asking takes a while, too. */
double __wrap_ndft_now_s(void) { return now_s += 5e-8; }

enum { N = 16, M = 100, MANY = 1 << 17, BYTES = 1 << 20 };

typedef struct waiting {
    double seconds, adjoint_s; /* of an execution, of two coils and M samples */
    double at_125;             /* how many times as long with that setting; 0: as long */
    int plans, executions;
    double patience_s; /* that the last plan was given */
} waiting;

static waiting engines[3]; /* by the variants' order */
static int spoilt;         /* executions whose input was not white */
static double foreseen;    /* multiply-adds of two coils that all declare */

typedef struct waiting_plan {
    ndft_exec *exec;
    waiting *engine;
    double times;    /* its seconds: by coils and setting */
    size_t reals[2]; /* of an image, of samples */
    bool in_place;
    void *memory;
} waiting_plan;

static const char *always(const ndft_problem *p, const ndft_device *device, const int *knobs)
{
    (void)p, (void)device, (void)knobs;
    return NULL;
}

static double size_of(const ndft_problem *p)
{
    return fmax(1, p->coils / 2.0) * fmax(1, (double)p->n_samples / M);
}

static ndft_status make(waiting *engine, const ndft_problem *p, const int *knobs, ndft_exec *exec,
                        void **out)
{
    waiting_plan *made = calloc(1, sizeof *made);
    *made = (waiting_plan){
        .exec = exec,
        .engine = engine,
        .times = size_of(p) * (knobs[0] == 125 && engine->at_125 > 0 ? engine->at_125 : 1),
        .reals = {2 * (size_t)(p->n_voxels * p->coils), 2 * (size_t)(p->n_samples * p->coils)},
        .in_place = !p->k[0]};
    engine->plans++;
    engine->patience_s = exec->patience_s;
    const ndft_status status = exec->alloc(exec, "memory", BYTES, &made->memory);
    if (status == NDFT_OK)
        *out = made;
    else
        free(made);
    return status;
}

#define PLAN(i)                                                                                    \
    static ndft_status plan_##i(const ndft_problem *p, const int *knobs, unsigned ops,             \
                                ndft_exec *exec, void **out)                                       \
    {                                                                                              \
        (void)ops;                                                                                 \
        return make(&engines[i], p, knobs, exec, out);                                             \
    }
PLAN(0)
PLAN(1)
PLAN(2)

/* Numbers of both signs and of about the same size; in place they are twice as large afterwards. */
static ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    const waiting_plan *p = state;
    const float *from = in;
    float *to = out;
    double sum = 0, squares = 0;
    for (size_t i = 0; i < p->reals[op == NDFT_ADJOINT]; i++) {
        sum += (double)from[i];
        squares += (double)from[i] * (double)from[i];
        if (p->in_place) to[i] = 2 * from[i];
    }
    spoilt += !(squares > 0) || !isfinite(squares) || fabs(sum) > 8 * sqrt(squares);
    p->engine->executions++;
    now_s += p->times * (op == NDFT_ADJOINT ? p->engine->adjoint_s : p->engine->seconds);
    return NDFT_OK;
}

static void destroy(void *state)
{
    waiting_plan *p = state;
    p->exec->release(p->exec, p->memory);
    free(p);
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)op, (void)knobs;
    return (ndft_cost){.fma = foreseen * size_of(p), .launches = 1};
}

#define VARIANT(i)                                                                                 \
    {                                                                                              \
        .name = "waiting", .backend = "cpu", .ops = NDFT_FORWARD | NDFT_ADJOINT,                   \
        .claim = {.c = 1}, .unsupported = always, .plan = plan_##i, .execute = execute,            \
        .destroy = destroy, .cost = cost, .knobs = &sigma, .n_knobs = 1                            \
    }
static ndft_knob sigma = {.name = "sigma", .preset = 200, .candidates = {200, 125}};
static const ndft_variant variants[] = {VARIANT(0), VARIANT(1), VARIANT(2)};

/* Nobody else is left. */
static void take_places(const char *const names[3])
{
    for (int i = 0; i < ndft_registry_size; i++) {
        ndft_registry[i].variant = NULL;
        for (int j = 0; j < 3; j++)
            if (!strcmp(ndft_registry[i].backend, "cpu") &&
                !strcmp(ndft_registry[i].name, names[j]))
                ndft_registry[i].variant = &variants[j];
    }
}

static ndft_device *device;

static ndft_problem *with_samples(int coils, int64_t samples)
{
    static float k[MANY];
    ndft_problem *problem;
    const ndft_problem_desc desc = {.struct_size = sizeof desc,
                                    .dim = 2,
                                    .n = {N, N},
                                    .coils = coils,
                                    .tol = 1e-3,
                                    .n_samples = samples,
                                    .k = {k, k}};
    assert_int_equal(ndft_problem_create(device, &desc, &problem), NDFT_OK);
    return problem;
}

static ndft_problem *nonuniform(int coils) { return with_samples(coils, M); }

/* The engine that was chosen, and how long that took. */
static const waiting *chosen(ndft_problem *problem, const ndft_plan_options *o, double *took_s)
{
    ndft_plan *plan;
    ndft_wisdom_forget();
    const double begin = __wrap_ndft_now_s();
    assert_int_equal(ndft_plan_create(problem, NDFT_FORWARD, o, &plan), NDFT_OK);
    *took_s = __wrap_ndft_now_s() - begin;
    const waiting *found = NULL;
    for (int i = 0; i < 3; i++)
        if (plan->engine[0].prepared.variant == &variants[i]) found = &engines[i];
    const waiting_plan *taken = plan->engine[0].prepared.state;
    const double seconds = taken->times * found->seconds;
    const double measured = plan->engine[0].measured_s[NDFT_FORWARD];
    assert_true(measured >= 0.999 * seconds && measured < 1.1 * seconds);
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
    return found;
}

static void wait_for(double a, double b, double c)
{
    static const char *const names[] = {"tiled", "fast_math", "output_driven"};
    take_places(names);
    const double seconds[] = {a, b, c};
    for (int i = 0; i < 3; i++) engines[i] = (waiting){.seconds = seconds[i]};
    spoilt = 0;
    foreseen = 1e6;
    sigma.n_candidates = 1;
}

static const ndft_plan_options measure = {.struct_size = sizeof measure, .mode = NDFT_MEASURE};

static void the_fastest_is_found_among_alike(void **state)
{
    (void)state;
    double took_s;
    for (int first = 0; first < 3; first++) {
        wait_for(1.1e-3, 1.1e-3, 1.1e-3);
        engines[first].seconds = 1e-3;
        assert_ptr_equal(chosen(nonuniform(2), &measure, &took_s), &engines[first]);
        assert_int_equal(spoilt, 0);
    }
}

/* However slow one is that seems to be fast. */
static void the_limit_holds(void **state)
{
    (void)state;
    double took_s;
    wait_for(2e-3, 1e-3, 0.4);
    assert_ptr_equal(chosen(nonuniform(2), &measure, &took_s), &engines[1]);
    assert_true(took_s < 2.3);
    assert_in_range(engines[2].executions, 1, 2);
    wait_for(0.3, 0.25, 0.35);
    assert_ptr_equal(chosen(nonuniform(2), &measure, &took_s), &engines[1]);
    assert_true(took_s < 2.5);
    wait_for(1.5e-3, 1e-3, 2e-3);
    ndft_plan_options o = measure;
    o.time_limit_s = 0.1;
    assert_ptr_equal(chosen(nonuniform(2), &o, &took_s), &engines[1]);
    assert_true(took_s < 0.15);
}

/* A setting that estimates tell apart contends from the first. */
static void settings_contend(void **state)
{
    (void)state;
    double took_s;
    wait_for(0.1, 0.11, 0.12);
    engines[2].at_125 = 0.5;
    sigma.n_candidates = 2;
    assert_ptr_equal(chosen(nonuniform(2), &measure, &took_s), &engines[2]);
    assert_true(took_s < 2.3);
}

/* What takes too long to be tried with all coils is tried with a few. */
static void a_few_coils_come_first(void **state)
{
    (void)state;
    double took_s;
    for (int first = 0; first < 3; first++) {
        wait_for(0.04, 0.04, 0.04);
        foreseen = 5e9;
        engines[first].seconds = 0.03;
        assert_ptr_equal(chosen(nonuniform(32), &measure, &took_s), &engines[first]);
        assert_true(took_s < 2.5);
    }
}

/* And of one coil, with a part of its samples. */
static void a_few_samples_come_first(void **state)
{
    (void)state;
    double took_s;
    for (int first = 0; first < 3; first++) {
        wait_for(0.7 * M / MANY, 0.7 * M / MANY, 0.7 * M / MANY);
        foreseen = 8e10 * M / MANY;
        engines[first].seconds *= 0.8;
        assert_ptr_equal(chosen(with_samples(1, MANY), &measure, &took_s), &engines[first]);
        assert_true(took_s < 2.5);
    }
}

/* A share of what there is, and the plan that is made in the end what any has. */
static void plans_have_their_time(void **state)
{
    (void)state;
    double took_s;
    wait_for(1e-3, 1.1e-3, 1.2e-3);
    ndft_plan_options o = measure;
    o.time_limit_s = 1;
    assert_ptr_equal(chosen(nonuniform(2), &o, &took_s), &engines[0]);
    assert_true(engines[0].patience_s == 0.5);
    for (int i = 1; i < 3; i++)
        assert_true(engines[i].patience_s > 0.05 && engines[i].patience_s < 0.45);
}

/* Two fit beside the vectors, or one. */
static void memory_holds_as_many_as_it_does(void **state)
{
    (void)state;
    double took_s;
    for (int fit = 1; fit <= 2; fit++)
        for (int first = 0; first < 3; first++) {
            wait_for(1.2e-3, 1.2e-3, 1.2e-3);
            engines[first].seconds = 1e-3;
            ndft_plan_options o = measure;
            o.memory_limit = (size_t)fit * BYTES + BYTES / 2;
            const waiting *found = chosen(nonuniform(2), &o, &took_s);
            for (int i = 0; i < 3; i++) assert_true(engines[i].executions > 0 || fit == 1);
            if (fit == 2) assert_ptr_equal(found, &engines[first]);
        }
    size_t held, most;
    assert_int_equal(ndft_device_memory(device, &held, &most), NDFT_OK);
    assert_int_equal(held, 0);
}

/* Numbers that an execution makes twice as large are put back before they overflow. */
static void in_place_data_stay_finite(void **state)
{
    (void)state;
    static const char *const names[] = {"uniform_gemm", "uniform_tiled", "uniform_vendor"};
    double took_s;
    ndft_transform transform;
    ndft_error err;
    wait_for(2e-6, 3e-6, 4e-6);
    take_places(names);
    assert_int_equal(ndft_descriptor_parse("scfi64*2", &transform, &err), NDFT_OK);
    ndft_problem *problem;
    assert_int_equal(ndft_transform_create(device, &transform, NULL, &problem), NDFT_OK);
    (void)chosen(problem, &measure, &took_s);
    assert_true(engines[0].executions + engines[1].executions + engines[2].executions > 300);
    assert_int_equal(spoilt, 0);
}

/* One is fast forward, another adjoint: both are taken, and how far they are adjoint is said. */
static void an_engine_for_each_operation(void **state)
{
    (void)state;
    char text[4096];
    ndft_plan *plan;
    ndft_problem *problem = nonuniform(2);
    wait_for(1e-3, 2e-3, 2e-3);
    for (int i = 0; i < 3; i++) engines[i].adjoint_s = i == 1 ? 1e-3 : 2e-3;
    ndft_plan_options o = measure;
    ndft_wisdom_forget();
    for (int one = 0; one < 2; one++) {
        o.one_engine = one;
        assert_int_equal(ndft_plan_create(problem, NDFT_FORWARD | NDFT_ADJOINT, &o, &plan),
                         NDFT_OK);
        assert_int_equal(ndft_plan_describe(plan, text, sizeof text), NDFT_OK);
        const char *adjointness = strstr(text, "\"adjointness\":");
        assert_int_equal(plan->engines, one ? 1 : 2);
        assert_int_equal(!adjointness, one);
        const double typical = atof(strstr(text, "\"typical\":") + 10);
        if (!one) assert_true(fabs(atof(adjointness + 14) / typical - 2) < 1e-3);
        ndft_plan_destroy(plan);
    }
    ndft_problem_destroy(problem);
}

static int open_device(void **state)
{
    (void)state;
    return ndft_device_open("cpu", NULL, &device);
}

static int close_device(void **state)
{
    (void)state;
    ndft_device_close(device);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_is_found_among_alike),
        cmocka_unit_test(the_limit_holds),
        cmocka_unit_test(settings_contend),
        cmocka_unit_test(a_few_coils_come_first),
        cmocka_unit_test(a_few_samples_come_first),
        cmocka_unit_test(plans_have_their_time),
        cmocka_unit_test(memory_holds_as_many_as_it_does),
        cmocka_unit_test(in_place_data_stay_finite),
        cmocka_unit_test(an_engine_for_each_operation),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
