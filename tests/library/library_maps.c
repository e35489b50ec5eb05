/* SPDX-License-Identifier: Apache-2.0 */
#include "device_memory.h"
#include "mapped.h"

/* Coil maps: an image to all coils and back, by every way that leads to an engine. */

/* With and without a mask, and decay, in both layouts. */
static void sums_of_every_kind(void **state)
{
    (void)state;
    static small s;
    for (int kind = 0; kind < 8; kind++) {
        make(&s, kind);
        s.desc.layout = kind & 1 ? NDFT_INTERLEAVED : NDFT_PLANAR;
        if (kind & 2) s.desc.decay = s.decay;
        if (kind & 4) {
            s.desc.mask = NULL;
            s.voxels = GRID;
            for (int v = 0; v < GRID; v++) s.voxel[v] = v, image[v] = mixed(3 * v);
        }
        ndft_plan *plan = plan_of(&s, ALL, NULL);
        expect(&s, plan, maps);
        ndft_plan_destroy(plan);
    }
}

static void by_engines_asked_for(void **state)
{
    static const char *const names[] = {"naive", "tiled", "nufft_hybrid"};
    (void)state;
    static small s;
    for (int i = 0; i < 3; i++) {
        const ndft_plan_options o = {.struct_size = sizeof o, .variant = on_device(names[i])};
        if (i == 2 && !has_fft()) continue;
        if (i == 1 && getenv("NDFT_CUDA")) continue; /* the stand-in has no more */
        make(&s, 40 + i);
        ndft_plan *plan = plan_of(&s, ALL, &o);
        expect(&s, plan, maps);
        ndft_plan_destroy(plan);
    }
}

/* One coil is a factor of each voxel; its adjoint has the conjugate. */
static void one_coil(void **state)
{
    (void)state;
    static small s;
    make(&s, 50);
    s.desc.coils = 1;
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT, NULL);
    must(ndft_execute_host(plan, NDFT_FORWARD, image, samples));
    for (int v = 0; v < s.voxels; v++) s.image[0][v] = maps[0][s.voxel[v]] * image[v];
    assert_true(small_error_forward(&s, 0, samples) < 1e-9);
    must(ndft_execute_host(plan, NDFT_ADJOINT, s.kspace[0], back));
    for (int v = 0; v < s.voxels; v++)
        if (s.voxel[v] == 30) assert_true(cabs(back[v]) == 0);
    ndft_plan_destroy(plan);
}

/* By Toeplitz's structure, whose input and output are apart, of n x n voxels. */
static void same_by_toeplitz(int n, int many)
{
    enum { COILS = 3, MOST = 256 * 256, MOST_SAMPLES = 300 };
    static float k[2][MOST_SAMPLES];
    static float complex seen[COILS * MOST], m[MOST], composed[MOST], found[MOST];
    ndft_plan *plan[2];
    ndft_problem *problem;
    double largest = 0, worst = 0;
    for (int j = 0; j < many; j++) {
        k[0][j] = (float)(5 * sin(3.1 * j));
        k[1][j] = (float)(5 * cos(1.7 * j));
    }
    for (int v = 0; v < n * n; v++) {
        m[v] = (float complex)mixed(v);
        for (int c = 0; c < COILS; c++) seen[c * n * n + v] = (float complex)mixed(3 * v + 100 * c);
    }
    const ndft_problem_desc d = {.struct_size = sizeof d,
                                 .dim = 2,
                                 .n = {n, n},
                                 .coils = COILS,
                                 .n_samples = many,
                                 .tol = 1e-4,
                                 .k = {k[0], k[1]},
                                 .maps = seen};
    must(ndft_problem_create(device, &d, &problem));
    for (int i = 0; i < 2; i++) {
        const ndft_plan_options o = {.struct_size = sizeof o,
                                     .variant = on_device(i ? "nufft_toeplitz" : "naive")};
        must(ndft_plan_create(problem, NDFT_NORMAL, &o, &plan[i]));
        must(ndft_execute_host(plan[i], NDFT_NORMAL, m, i ? found : composed));
        ndft_plan_destroy(plan[i]);
    }
    for (int v = 0; v < n * n; v++) {
        largest = fmax(largest, cabs((double complex)composed[v]));
        worst = fmax(worst, cabs((double complex)(composed[v] - found[v])));
    }
    assert_true(worst < 3e-4 * largest && worst > 0);
    ndft_problem_destroy(problem);
}

/* 256 fill the halves of their lines, whose sizes kernels may know. */
static void by_toeplitz(void **state)
{
    (void)state;
    if (!has_fft()) skip();
    same_by_toeplitz(12, 300);
    same_by_toeplitz(256, 60);
}

/* By measuring, then from wisdom: which problems without maps do not take for theirs. */
static void measured(void **state)
{
    (void)state;
    static small s;
    make(&s, 70);
    const ndft_plan_options o = {
        .struct_size = sizeof o, .mode = NDFT_MEASURE, .time_limit_s = 0.2};
    char text[4096];
    ndft_wisdom_forget();
    ndft_plan *plan = plan_of(&s, ALL, &o);
    expect(&s, plan, maps);
    ndft_plan_destroy(plan);
    for (int without = 0; without < 2; without++) {
        if (without) s.desc.maps = NULL;
        plan = plan_of(&s, ALL, NULL);
        must(ndft_plan_describe(plan, text, sizeof text));
        assert_int_equal(strstr(text, "as measured before") != NULL, !without);
        ndft_plan_destroy(plan);
    }
    ndft_wisdom_forget();
}

/* Images of all coils are of the workspace, which may be the caller's. */
static void workspace(void **state)
{
    (void)state;
    static small s;
    size_t with, without;
    const ndft_plan_options o = {.struct_size = sizeof o, .variant = on_device("naive")};
    make(&s, 80);
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT, &o);
    must(ndft_plan_workspace(plan, &with));
    void *memory = device_take(with);
    must(ndft_plan_use(plan, memory, with));
    expect(&s, plan, maps);
    ndft_plan_destroy(plan);
    device_give(memory);
    s.desc.maps = NULL;
    plan = plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT, &o);
    must(ndft_plan_workspace(plan, &without));
    assert_true(with >= without + COILS * (size_t)s.voxels * sizeof(double complex));
    ndft_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_every_kind), cmocka_unit_test(by_engines_asked_for),
        cmocka_unit_test(one_coil),           cmocka_unit_test(by_toeplitz),
        cmocka_unit_test(measured),           cmocka_unit_test(workspace),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
