/* SPDX-License-Identifier: Apache-2.0 */
#include "device/processor.h"
#include "estimate.h"
#include "model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Estimates of engines with and without records, and on devices that are not the one measured. */

static ndft_problem problem_of(ndft_prec prec, int64_t n)
{
    const ndft_problem p = {.dim = 2,
                            .prec = prec,
                            .coils = 1,
                            .tol = 1e-4,
                            .n = {n, n, 1},
                            .n_voxels = n * n,
                            .n_samples = n * n,
                            .k_max = {(double)n / 2, (double)n / 2}};
    return p;
}

static ndft_candidate engine(const char *id)
{
    const ndft_registered *entry = ndft_registered_find(id, strlen(id));
    assert_non_null(entry);
    return ndft_candidate_of(entry);
}

static double seconds(const char *id, ndft_prec prec, int64_t n, const ndft_device *device)
{
    const ndft_candidate c = engine(id);
    const ndft_problem p = problem_of(prec, n);
    return ndft_estimate(&c, &p, NDFT_FORWARD, device);
}

/* On the device where it was measured, an engine takes what its line says. */
static void what_was_measured_is_foreseen(void **state)
{
    (void)state;
    const ndft_candidate c = engine("tiled.cpu");
    const ndft_problem p = problem_of(NDFT_F32, 64);
    const ndft_device *device = ndft_model_device("cpu");
    const ndft_model_line *line = ndft_model_of(c.entry, NDFT_FORWARD, NDFT_F32);
    double amount[NDFT_MODEL_TERMS], sum = 0;
    assert_non_null(line);
    assert_true(device->units > 0);
    const ndft_cost cost = c.entry->variant->cost(&p, NDFT_FORWARD, c.knobs);
    ndft_model_amounts(&cost, NDFT_NONUNIFORM, &p, amount);
    assert_true(amount[0] == cost.fma && amount[NDFT_MODEL_START] == 1);
    for (int term = 0; term < NDFT_MODEL_TERMS; term++) sum += line->cost[term] * amount[term];
    assert_true(sum > 1e-4 && sum < 0.1); /* 16.8 million pairs on two threads */
    assert_true(fabs(seconds("tiled.cpu", NDFT_F32, 64, device) / sum - 1) < 1e-12);
}

static void other_devices_take_longer_or_shorter(void **state)
{
    (void)state;
    ndft_device device = *ndft_model_device("cpu");
    const double here = seconds("tiled.cpu", NDFT_F32, 200, &device);
    device.units *= 4;
    const double wide = seconds("tiled.cpu", NDFT_F32, 200, &device);
    assert_true(wide < 0.3 * here && wide > 0.2 * here);
    device.isa = NDFT_X86_64_V2;
    assert_true(seconds("tiled.cpu", NDFT_F32, 200, &device) > 4 * wide);
    assert_true(seconds("tiled.cpu", NDFT_F64, 200, &device) >
                1.3 * seconds("tiled.cpu", NDFT_F32, 200, &device));
}

/* Of a processor's engine that nobody measured the roofline is all that there is. */
static void an_engine_without_records(void **state)
{
    (void)state;
    const ndft_registered unknown = {
        .name = "nobody", .backend = "cpu", .variant = engine("tiled.cpu").entry->variant};
    const ndft_problem p = problem_of(NDFT_F32, 64);
    ndft_candidate c = engine("tiled.cpu");
    c.entry = &unknown;
    assert_null(ndft_model_of(&unknown, NDFT_FORWARD, NDFT_F32));
    const ndft_device device = ndft_device_cpu(2);
    const double guess = ndft_estimate(&c, &p, NDFT_FORWARD, &device);
    assert_true(guess > 1e-4 && guess < 1);
}

/* GPUs that are not for computing centres have few units of double precision. */
static void doubles_on_other_gpus(void **state)
{
    (void)state;
    ndft_device device = *ndft_model_device("cuda");
    if (!engine("tiled.cuda").entry->variant) {
        print_message("skipped: built without CUDA\n");
        return;
    }
    const double h200 = seconds("tiled.cuda", NDFT_F64, 256, &device);
    const double single = seconds("tiled.cuda", NDFT_F32, 256, &device);
    device.capability = 89;
    assert_true(seconds("tiled.cuda", NDFT_F64, 256, &device) > 8 * h200);
    assert_true(seconds("tiled.cuda", NDFT_F32, 256, &device) == single);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_measured_is_foreseen),
        cmocka_unit_test(other_devices_take_longer_or_shorter),
        cmocka_unit_test(an_engine_without_records),
        cmocka_unit_test(doubles_on_other_gpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
