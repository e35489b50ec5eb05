/* SPDX-License-Identifier: Apache-2.0 */
#include "descriptor.h"
#include "public/trial.h"
#include "support/waiting.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What is measured where it is known how long engines take. */

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

static ndft_backend counting;
static size_t copied;

static ndft_status count(ndft_exec *exec, void *to, const void *from, size_t bytes)
{
    (void)exec;
    copied += bytes;
    memcpy(to, from, bytes);
    return NDFT_OK;
}

/* To draw all numbers of a large input takes longer than there is to measure: they are copied. */
static void a_part_of_the_input_is_drawn(void **state)
{
    (void)state;
    enum { COILS = 64, BYTES_IN = N * N * COILS * 8 };
    double took_s;
    ndft_opened *opened = (ndft_opened *)device;
    const ndft_backend *backend = opened->backend;
    counting = *backend;
    counting.copy = count;
    copied = 0;
    opened->backend = &counting;
    wait_for(1.1e-5, 1e-5, 1.1e-5);
    assert_ptr_equal(chosen(nonuniform(COILS), &measure, &took_s), &engines[1]);
    opened->backend = backend;
    assert_int_equal(spoilt, 0);
    assert_in_range(copied, BYTES_IN / 2, BYTES_IN);
}

static ndft_status wait_until_done(ndft_exec *exec)
{
    (void)exec;
    now_s = fmax(now_s, done_s);
    return NDFT_OK;
}

static ndft_status queue_copy(ndft_exec *exec, void *to, const void *from, size_t bytes)
{
    queue((double)bytes / 50e9);
    return count(exec, to, from, bytes);
}

static ndft_status pin(ndft_exec *exec, size_t bytes, void **memory)
{
    return exec->alloc(exec, "pinned", bytes, memory);
}

static void unpin(ndft_exec *exec, void *memory) { exec->release(exec, memory); }

/* A host that queues all of them in the same time: the device tells them apart. */
static void the_device_decides_what_a_host_is_slow_to_queue(void **state)
{
    (void)state;
    double took_s;
    ndft_opened *opened = (ndft_opened *)device;
    const ndft_backend *backend = opened->backend;
    const int shared = opened->exec->device.shared_bytes;
    counting = *backend;
    counting.copy = queue_copy;
    counting.sync = wait_until_done;
    counting.pin = pin;
    counting.unpin = unpin;
    for (int first = 0; first < 3; first++) {
        wait_for(8e-6, 8e-6, 8e-6);
        engines[first].seconds = 6e-6;
        opened->backend = &counting;
        opened->exec->device.shared_bytes = 1 << 16;
        host_s = 12e-6;
        assert_ptr_equal(chosen(nonuniform(2), &measure, &took_s), &engines[first]);
        host_s = 0;
        opened->exec->device.shared_bytes = shared;
        opened->backend = backend;
    }
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

/* Estimates are those of two threads with vectors of 16 lanes at 3 GHz, wherever this runs. */
static void estimate_alike(ndft_device *estimated)
{
    static const double times_as_fast[] = {
        [NDFT_X86_64_V2] = 12, [NDFT_X86_64_V3] = 2, [NDFT_X86_64_V4] = 1};
    estimated->clock_mhz = 3000 * times_as_fast[estimated->isa];
    estimated->units = 2;
}

static int open_device(void **state)
{
    (void)state;
    const int status = ndft_device_open("cpu", NULL, &device);
    if (status) return status;
    estimate_alike(device);
    estimate_alike(&((ndft_opened *)device)->exec->device);
    return status;
}

static int close_device(void **state)
{
    (void)state;
    ndft_device_close(device);
    return 0;
}

static void a_row_takes_what_it_waits_behind(void **state)
{
    const ndft_trial trial = {.first_s = 1e-4, .count = 20};
    ndft_trials trials = {.in_a_row = 8};
    const double alone = ndft_trial_row_s(&trials, &trial);
    (void)state;
    trials.gate.seconds = 1;
    assert_true(fabs(ndft_trial_row_s(&trials, &trial) - alone - 3) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_takes_what_it_waits_behind),
        cmocka_unit_test(the_fastest_is_found_among_alike),
        cmocka_unit_test(the_limit_holds),
        cmocka_unit_test(settings_contend),
        cmocka_unit_test(a_few_coils_come_first),
        cmocka_unit_test(a_few_samples_come_first),
        cmocka_unit_test(plans_have_their_time),
        cmocka_unit_test(memory_holds_as_many_as_it_does),
        cmocka_unit_test(in_place_data_stay_finite),
        cmocka_unit_test(a_part_of_the_input_is_drawn),
        cmocka_unit_test(the_device_decides_what_a_host_is_slow_to_queue),
        cmocka_unit_test(an_engine_for_each_operation),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
