/* SPDX-License-Identifier: Apache-2.0 */
#include "prepared.h"

#include "base/bounds.h"
#include "device/backend.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* What a plan with coil maps executes: what an engine with maps around it reads and writes and what
 * the plan makes of it, and what one that takes maps is given. */

enum { VOXELS = 600, SAMPLES = 1, COILS = 3 };

/* What the variant was told. Its images are the number of the coil, from 1 on, plus i v. */
static struct {
    const void *in;
    void *out;
    const ndft_problem *problem;
    const void *taken;
    int calls;
    double complex seen[COILS * VOXELS];
} told;

static double complex maps[COILS * VOXELS], image[VOXELS], out[VOXELS];

static ndft_status plan(const ndft_problem *p, const int *knobs, unsigned ops, ndft_exec *exec,
                        void **state)
{
    (void)knobs, (void)ops, (void)exec;
    told.problem = p;
    *state = &told;
    return NDFT_OK;
}

static int64_t at(int c, int v)
{
    return told.problem->layout == NDFT_PLANAR ? c * VOXELS + v : v * COILS + c;
}

static ndft_status execute(void *state, ndft_op op, const void *in, void *to)
{
    (void)state;
    told.in = in;
    told.out = to;
    told.calls++;
    if (op != NDFT_ADJOINT) memcpy(told.seen, in, sizeof told.seen);
    for (int c = 0; op != NDFT_FORWARD && c < COILS; c++)
        for (int v = 0; v < VOXELS; v++) ((double complex *)to)[at(c, v)] = c + 1 + I * v;
    return NDFT_OK;
}

static void destroy(void *state) { (void)state; }

static const char *const stages[] = {"fft", "deapodisation", NULL};

static ndft_variant serving(unsigned ops)
{
    return (ndft_variant){.name = "recording",
                          .backend = "cpu",
                          .ops = ops,
                          .plan = plan,
                          .execute = execute,
                          .destroy = destroy,
                          .stages = stages};
}

static ndft_problem problem_of(ndft_layout layout)
{
    ndft_problem p = {.dim = 1,
                      .prec = NDFT_F64,
                      .layout = layout,
                      .coils = COILS,
                      .tol = 1e-3,
                      .n = {VOXELS, 1, 1},
                      .n_voxels = VOXELS,
                      .n_samples = SAMPLES,
                      .maps = maps};
    for (int i = 0; i < COILS * VOXELS; i++) maps[i] = cos(i) + I * sin(2 * i);
    for (int v = 0; v < VOXELS; v++) image[v] = sin(3 * v) + I * v;
    ndft_measure_bounds(&p, NULL);
    return p;
}

static void expect_seen(void)
{
    for (int c = 0; c < COILS; c++)
        for (int v = 0; v < VOXELS; v++)
            assert_true(cabs(told.seen[at(c, v)] - maps[c * VOXELS + v] * image[v]) < 1e-12);
}

static void expect_sum(void)
{
    for (int v = 0; v < VOXELS; v++) {
        double complex sum = 0;
        for (int c = 0; c < COILS; c++) sum += conj(maps[c * VOXELS + v]) * (c + 1 + I * v);
        assert_true(cabs(out[v] - sum) < 1e-9);
    }
}

static int marks;

static void mark(ndft_exec *exec, const char *stage)
{
    (void)exec;
    assert_string_equal(stage, "deapodisation");
    marks++;
}

/* In both layouts, by an engine that fuses the normal operator and by one that does not. */
static void around_an_engine(void **state)
{
    (void)state;
    enum { BOTH = NDFT_FORWARD | NDFT_ADJOINT };
    ndft_error err = {0};
    ndft_exec *exec;
    ndft_prepared made;
    double complex samples[COILS * SAMPLES];
    assert_int_equal(ndft_backend_cpu.open(0, &exec, &err), NDFT_OK);
    exec->mark = mark;
    for (int kind = 0; kind < 4; kind++) {
        const bool fused = kind & 1;
        const ndft_problem p = problem_of(kind & 2 ? NDFT_INTERLEAVED : NDFT_PLANAR);
        const ndft_variant v = serving(BOTH | (fused ? NDFT_NORMAL : 0));
        marks = told.calls = 0;
        assert_int_equal(ndft_prepare(&v, NULL, &p, BOTH | NDFT_NORMAL, exec, &made), NDFT_OK);
        assert_null(told.problem->maps);
        assert_int_equal(told.problem->coils, COILS);
        const size_t live = exec->live_bytes, images = COILS * VOXELS * sizeof *image;
        assert_int_equal(live, images * (1 + fused + (p.layout == NDFT_INTERLEAVED)) +
                                   (fused ? 0 : sizeof samples));
        assert_int_equal(ndft_prepared_execute(&made, NDFT_FORWARD, image, samples), NDFT_OK);
        assert_true(told.out == samples && told.in != image && marks == 0);
        expect_seen();
        assert_int_equal(ndft_prepared_execute(&made, NDFT_ADJOINT, samples, out), NDFT_OK);
        assert_true(told.in == samples && told.out != out && marks == 1);
        expect_sum();
        memset(told.seen, 0, sizeof told.seen);
        memset(out, 0, sizeof out);
        assert_int_equal(ndft_prepared_execute(&made, NDFT_NORMAL, image, out), NDFT_OK);
        assert_int_equal(told.calls, fused ? 3 : 4);
        assert_true(told.in != told.out && told.out != out && marks == 2);
        expect_seen();
        expect_sum();
        assert_int_equal(exec->peak_bytes, live); /* executions allocate nothing */
        ndft_prepared_destroy(&made);
        assert_int_equal(exec->live_bytes, 0);
        exec->peak_bytes = 0;
    }
    ndft_backend_cpu.close(exec);
}

static ndft_status take_maps(void *state, const void *given)
{
    (void)state;
    told.taken = given;
    return NDFT_OK;
}

static ndft_status take_none(void *state, const void *given)
{
    (void)state, (void)given;
    return NDFT_ENOMEM;
}

/* The image itself, of a plan that was made for a problem without them. */
static void an_engine_that_takes_maps(void **state)
{
    (void)state;
    ndft_error err = {0};
    ndft_exec *exec;
    ndft_prepared made;
    ndft_variant v = serving(NDFT_FORWARD);
    const ndft_problem p = problem_of(NDFT_INTERLEAVED);
    static double complex images[COILS * VOXELS]; /* as long as what it records */
    double complex samples[COILS * SAMPLES];
    v.take_maps = take_maps;
    assert_int_equal(ndft_backend_cpu.open(0, &exec, &err), NDFT_OK);
    assert_int_equal(ndft_prepare(&v, NULL, &p, NDFT_FORWARD, exec, &made), NDFT_OK);
    assert_null(told.problem->maps);
    assert_ptr_equal(told.taken, maps);
    assert_int_equal(exec->live_bytes, 0);
    assert_int_equal(ndft_prepared_execute(&made, NDFT_FORWARD, images, samples), NDFT_OK);
    assert_true(told.in == images && told.out == samples);
    ndft_prepared_destroy(&made);
    v.take_maps = take_none;
    assert_int_equal(ndft_prepare(&v, NULL, &p, NDFT_FORWARD, exec, &made), NDFT_ENOMEM);
    assert_null(made.state);
    ndft_backend_cpu.close(exec);
}

/* Vectors are as long as operations have them. */
static void host_memory(void **state)
{
    (void)state;
    ndft_error err = {0};
    ndft_exec *exec;
    ndft_prepared made;
    const ndft_variant v = serving(NDFT_ADJOINT);
    const ndft_problem p = problem_of(NDFT_PLANAR);
    static double complex around[VOXELS + 2];
    const double complex samples[COILS * SAMPLES] = {0};
    assert_int_equal(ndft_backend_cpu.open(0, &exec, &err), NDFT_OK);
    assert_int_equal(ndft_prepare(&v, NULL, &p, NDFT_ADJOINT, exec, &made), NDFT_OK);
    around[0] = around[VOXELS + 1] = 7;
    assert_int_equal(ndft_prepared_execute_host(&made, NDFT_ADJOINT, samples, around + 1), NDFT_OK);
    memcpy(out, around + 1, sizeof out);
    expect_sum();
    assert_true(around[0] == 7 && around[VOXELS + 1] == 7);
    ndft_prepared_destroy(&made);
    ndft_backend_cpu.close(exec);
}

static void no_memory_for_images(void **state)
{
    (void)state;
    ndft_error err = {0};
    ndft_exec *exec;
    ndft_prepared made;
    const ndft_variant v = serving(NDFT_FORWARD);
    ndft_problem p = problem_of(NDFT_PLANAR);
    told.problem = NULL;
    assert_int_equal(ndft_backend_cpu.open(0, &exec, &err), NDFT_OK);
    p.n_voxels = (int64_t)1 << 50;
    assert_int_equal(ndft_prepare(&v, NULL, &p, NDFT_FORWARD, exec, &made), NDFT_ENOMEM);
    assert_non_null(strstr(err.message, "images of all coils"));
    assert_null(told.problem); /* nor was the engine prepared */
    assert_int_equal(exec->live_bytes, 0);
    ndft_backend_cpu.close(exec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(around_an_engine),
        cmocka_unit_test(an_engine_that_takes_maps),
        cmocka_unit_test(host_memory),
        cmocka_unit_test(no_memory_for_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
