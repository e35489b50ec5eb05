/* SPDX-License-Identifier: Apache-2.0 */
#include "device/processor.h"
#include "estimate.h"
#include "model.h"
#include "problem/kinds.h"
#include "rank.h"
#include "served.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
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

static const ndft_device any_cpu = {.backend = "cpu"}, any_gpu = {.backend = "cuda"};

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
    const ndft_device *device = ndft_model_device(&any_cpu);
    const ndft_model_line *line = ndft_model_of(c.entry, NDFT_FORWARD, NDFT_F32, device);
    double amount[NDFT_MODEL_TERMS], sum = 0;
    assert_non_null(line);
    assert_true(device->units > 0);
    const ndft_cost cost = c.entry->variant->cost(&p, NDFT_FORWARD, c.knobs);
    ndft_model_amounts(&cost, NDFT_NONUNIFORM, &p, device->units, amount);
    assert_true(amount[0] == cost.fma && amount[NDFT_MODEL_START] == 1);
    for (int term = 0; term < NDFT_MODEL_TERMS; term++) sum += line->cost[term] * amount[term];
    assert_true(sum > 1e-4 && sum < 0.1); /* 16.8 million pairs on two threads */
    assert_true(fabs(seconds("tiled.cpu", NDFT_F32, 64, device) / sum - 1) < 1e-12);
}

/* A device with lines of its own is foreseen by those, any other by the first of its instruction
 * set. */
static void devices_have_lines_of_their_own(void **state)
{
    (void)state;
    const ndft_candidate c = engine("tiled.cpu");
    const ndft_device other = {.backend = "cpu", .slug = "xeon-2c-avx512"},
                      narrow = {.backend = "cpu", .slug = "unheard-of", .isa = NDFT_X86_64_V3},
                      wide = {.backend = "cpu", .slug = "unheard-of", .isa = NDFT_X86_64_V4};
    const ndft_device *first = ndft_model_device(&any_cpu), *own = ndft_model_device(&other);
    assert_string_equal(own->slug, other.slug);
    assert_string_not_equal(first->slug, own->slug);
    assert_ptr_equal(first, ndft_model_device(&wide));
    assert_string_equal(ndft_model_device(&narrow)->slug, "epyc-2c-avx2");
    assert_ptr_not_equal(ndft_model_of(c.entry, NDFT_FORWARD, NDFT_F32, first),
                         ndft_model_of(c.entry, NDFT_FORWARD, NDFT_F32, own));
    assert_true(seconds("tiled.cpu", NDFT_F32, 64, first) !=
                seconds("tiled.cpu", NDFT_F32, 64, own));
}

/* A normal operator that is put together, and was not measured as such, takes what both do, each
 * for half of the tolerance. */
static void normal_takes_what_both_do(void **state)
{
    (void)state;
    const ndft_candidate c = engine("separable_gemm.cpu");
    const ndft_device *device = ndft_model_device(&any_cpu);
    ndft_problem p = problem_of(NDFT_F64, 64);
    assert_int_equal(ndft_model_of(c.entry, NDFT_NORMAL, p.prec, device)->op, 0);
    const double normal = ndft_estimate(&c, &p, NDFT_NORMAL, device);
    p.tol /= 2;
    const double both =
        ndft_estimate(&c, &p, NDFT_FORWARD, device) + ndft_estimate(&c, &p, NDFT_ADJOINT, device);
    assert_true(normal > 0 && normal == both);
}

static void other_devices_take_longer_or_shorter(void **state)
{
    (void)state;
    ndft_device device = *ndft_model_device(&any_cpu);
    const double here = seconds("tiled.cpu", NDFT_F32, 200, &device);
    device.units *= 4;
    const double wide = seconds("tiled.cpu", NDFT_F32, 200, &device);
    assert_true(wide < 0.3 * here && wide > 0.2 * here);
    device.isa = NDFT_X86_64_V2;
    assert_true(seconds("tiled.cpu", NDFT_F32, 200, &device) > 4 * wide);
    assert_true(seconds("tiled.cpu", NDFT_F64, 200, &device) >
                1.3 * seconds("tiled.cpu", NDFT_F32, 200, &device));
}

/* The others, which wait, could do as much: launches apart, of which there are no more. */
static void what_few_threads_share_counts_for_all(void **state)
{
    (void)state;
    const ndft_problem p = problem_of(NDFT_F64, 64);
    const ndft_cost cost = {.fma = 3, .l2_bytes = 5, .launches = 7, .threads = 2};
    double amount[NDFT_MODEL_TERMS];
    for (int units = 1; units <= 16; units *= 2) {
        const double idle = units > 2 ? units / 2 : 1;
        ndft_model_amounts(&cost, NDFT_NONUNIFORM, &p, units, amount);
        assert_true(amount[0] == 6 * idle && amount[7] == 5 * idle);
        assert_true(amount[NDFT_COST_LAUNCHES] == 7 && amount[NDFT_MODEL_START] == 1);
    }
}

/* Steps of a prime's sum, and cells of a line that a block has, however many lines there are; what
 * passes beside the first axis move; steps by two, and cells that no radices make up. */
static void few_lines_wait_for_steps_and_cells(void **state)
{
    const struct {
        const char *text;
        double summed, line, convolved, across, depth, chirped;
    } wanted[] = {{"uniform:scfo34x19*7", 17 + 19, 34 + 19, 0, 6, log2(34) + log2(19), 0},
                  {"uniform:dcfo34x37*90", 17 + 37, 2 * (34 + 37), 0, 6, log2(34) + log2(37), 74},
                  {"uniform:scfo587", 0, 587, 1, 0, log2(587), 587},
                  {"uniform:scfo1x13", 0, 13, 0, 0, log2(13), 0},
                  {"uniform:scfo2x4x8", 0, 14, 0, 8, 6, 0},
                  {"uniform:scfo16384", 0, 16384, 0, 0, 14, 0},
                  {"uniform:scfo16400", 41, 0, 0, 0, log2(16400), 16400}};
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        ndft_case parsed;
        ndft_made made;
        ndft_error err = {0};
        double amount[NDFT_MODEL_TERMS];
        const ndft_cost cost = {.dram_bytes = 12, .threads = 132};
        assert_int_equal(ndft_case_parse(wanted[i].text, &parsed, &err), NDFT_OK);
        assert_int_equal(ndft_uniform_kind.make(&parsed, &made, &err), NDFT_OK);
        ndft_model_amounts(&cost, NDFT_UNIFORM, &made.problem, 132, amount);
        assert_true(amount[NDFT_MODEL_SUMMED] == wanted[i].summed);
        assert_true(amount[NDFT_MODEL_LINE] == wanted[i].line);
        assert_true(amount[NDFT_MODEL_CONVOLVED] == wanted[i].convolved);
        assert_true(fabs(amount[NDFT_MODEL_ACROSS] - wanted[i].across) < 1e-12);
        assert_true(amount[NDFT_MODEL_AXES] == (wanted[i].across == 8   ? 2
                                                : wanted[i].across == 6 ? 1
                                                                        : 0));
        assert_true(fabs(amount[NDFT_MODEL_DEPTH] - wanted[i].depth) < 1e-12);
        assert_true(amount[NDFT_MODEL_CHIRPED] == wanted[i].chirped);
        ndft_made_free(&made);
    }
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
    assert_null(ndft_model_of(&unknown, NDFT_FORWARD, NDFT_F32, &any_cpu));
    const ndft_device device = ndft_device_cpu(2);
    const double guess = ndft_estimate(&c, &p, NDFT_FORWARD, &device);
    assert_true(guess > 1e-4 && guess < 1);
}

/* GPUs that are not for computing centres have few units of double precision. */
static void doubles_on_other_gpus(void **state)
{
    (void)state;
    ndft_device device = *ndft_model_device(&any_gpu);
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

/* Engines whose times arithmetic gives: on the device of the model one sums for 1 ms, one reads
 * for 1.2 ms, and one reads for 0.5 ms and wants 20 GB. */
static ndft_cost sums(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)p, (void)op, (void)knobs;
    return (ndft_cost){.fma = 1e-3 * 128 * 1.98e9 * 132};
}

static ndft_cost reads(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)p, (void)op, (void)knobs;
    return (ndft_cost){.dram_bytes = 1.2e-3 * 14 * 1.98e9 * 132};
}

static ndft_cost reads_less(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)p, (void)op, (void)knobs;
    return (ndft_cost){.dram_bytes = 0.5e-3 * 14 * 1.98e9 * 132};
}

static const char *anything(const ndft_problem *p, const ndft_device *device, const int *knobs)
{
    (void)p, (void)device, (void)knobs;
    return NULL;
}

static const char *much_memory(const ndft_problem *p, const ndft_device *device, const int *knobs)
{
    (void)p, (void)knobs;
    return device->memory_bytes < (size_t)20 << 30 ? "it needs 20 GB" : NULL;
}

static const char *first(ndft_prec prec, const ndft_device *device)
{
    ndft_ranked *ranked;
    ndft_error err = {.status = NDFT_OK};
    const ndft_problem p = problem_of(prec, 64);
    const int n = ndft_rank(NDFT_NONUNIFORM, &p, NDFT_FORWARD, device, false, &ranked, &err);
    assert_true(n > 0);
    const char *name = ranked[0].candidate.entry->name;
    free(ranked);
    return name;
}

static void a_line_weighs_and_a_record_counts(void **state)
{
    (void)state;
    const ndft_problem p = problem_of(NDFT_F32, 64);
    ndft_variant v = {.name = "sums", .backend = "cuda", .ops = NDFT_FORWARD, .cost = sums};
    const ndft_cost counted = ndft_executed_cost(&v, &p, NDFT_FORWARD, NULL);
    ndft_cost weighed = ndft_weighed_cost(&v, &p, NDFT_FORWARD, NULL);
    assert_true(counted.fma > 0 && weighed.fma == counted.fma);
    v.weighed = reads;
    weighed = ndft_weighed_cost(&v, &p, NDFT_FORWARD, NULL);
    assert_true(weighed.fma == 0 && weighed.dram_bytes > 0);
    assert_true(ndft_executed_cost(&v, &p, NDFT_FORWARD, NULL).fma == counted.fma);
}

static void ceilings_decide(void **state)
{
    (void)state;
#define PLANTED(how, fits)                                                                         \
    {                                                                                              \
        .name = #how, .backend = "cuda", .ops = NDFT_FORWARD, .unsupported = fits, .cost = how     \
    }
    static const ndft_variant planted[] = {PLANTED(sums, anything), PLANTED(reads, anything),
                                           PLANTED(reads_less, much_memory)};
    int n = 0;
    for (int i = 0; i < ndft_registry_size; i++) {
        ndft_registered *entry = &ndft_registry[i];
        if (strcmp(entry->backend, "cuda") != 0) continue;
        *entry = (ndft_registered){.name = "none", .backend = "cuda", .build_id = "0"};
        if (n == 3) continue;
        entry->variant = &planted[n++];
        entry->name = entry->variant->name;
    }
    ndft_device device = *ndft_model_device(&any_gpu);
    assert_true(device.units == 132 && device.clock_mhz == 1980);
    device.memory_bytes = (size_t)80 << 30;
    assert_string_equal(first(NDFT_F32, &device), "reads_less");
    device.memory_bytes = (size_t)16 << 30;
    assert_string_equal(first(NDFT_F32, &device), "sums");
    assert_string_equal(first(NDFT_F64, &device), "reads");
    device.bytes_s = 4.9e12 / 2;
    assert_string_equal(first(NDFT_F64, &device), "sums"); /* 2 ms, for 2.4 */
    device.capability = 89;                                /* 64 ms */
    assert_string_equal(first(NDFT_F64, &device), "reads");
    assert_string_equal(first(NDFT_F32, &device), "sums");
    device.bytes_s = 2 * 4.9e12;
    assert_string_equal(first(NDFT_F32, &device), "reads");
}

/* separable_gemm reads an image for every sample of its own time, in the adjoint writes it, too,
 * and there has a strip of columns for each thread: of a line one. */
static void separable_images_and_strips_are_declared(void **state)
{
    (void)state;
    const ndft_candidate c = engine("separable_gemm.cpu");
    ndft_problem p = problem_of(NDFT_F32, 64);
    p.dim = 1;
    p.n[1] = 1;
    const ndft_cost there = c.entry->variant->cost(&p, NDFT_FORWARD, c.knobs);
    const ndft_cost back = c.entry->variant->cost(&p, NDFT_ADJOINT, c.knobs);
    assert_true(there.l2_bytes > 0 && back.l2_bytes == 2 * there.l2_bytes);
    assert_true(there.threads == 0 && back.threads == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_measured_is_foreseen),
        cmocka_unit_test(devices_have_lines_of_their_own),
        cmocka_unit_test(normal_takes_what_both_do),
        cmocka_unit_test(other_devices_take_longer_or_shorter),
        cmocka_unit_test(what_few_threads_share_counts_for_all),
        cmocka_unit_test(few_lines_wait_for_steps_and_cells),
        cmocka_unit_test(an_engine_without_records),
        cmocka_unit_test(doubles_on_other_gpus),
        cmocka_unit_test(separable_images_and_strips_are_declared),
        cmocka_unit_test(a_line_weighs_and_a_record_counts),
        cmocka_unit_test(ceilings_decide), /* last: its engines stay */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
