/* SPDX-License-Identifier: Apache-2.0 */
#include "device_memory.h"

/* Sums that derivatives are made of, beside the double loop over samples and voxels. */

enum { WEIGHTS = NDFT_MOST_WEIGHTS, MOST = COILS * GRID };

static double weight(int l, int v) { return cos(0.3 * v + l) - 0.2 * l; }

/* Element i of a coil's `length`. */
static int at(const small *s, int coil, int length, int i)
{
    return s->desc.layout == NDFT_PLANAR ? coil * length + i : i * COILS + coil;
}

static double expected(const small *s, int l, int j)
{
    double sum = 0;
    for (int c = 0; c < COILS; c++) {
        double complex value = 0;
        for (int v = 0; v < s->voxels; v++)
            value += weight(l, v) * s->image[c][v] * small_entry(s, j, v);
        sum += cimag(value * conj(s->kspace[c][j]));
    }
    return sum;
}

typedef struct memory {
    double w[WEIGHTS * GRID], sums[SAMPLES * WEIGHTS];
    double complex image[MOST], kspace[COILS * SAMPLES];
} memory;

static void fill(const small *s, int weights, memory *m)
{
    for (int v = 0; v < s->voxels; v++) {
        for (int l = 0; l < weights; l++) m->w[l * s->voxels + v] = weight(l, v);
        for (int c = 0; c < COILS; c++) m->image[at(s, c, s->voxels, v)] = s->image[c][v];
    }
    for (int j = 0; j < SAMPLES; j++)
        for (int c = 0; c < COILS; c++) m->kspace[at(s, c, SAMPLES, j)] = s->kspace[c][j];
    for (int i = 0; i < SAMPLES * WEIGHTS; i++) m->sums[i] = 1e3;
}

/* Twice, the second time added to the first. */
static void call(ndft_plan *plan, int weights, memory *there, void *workspace)
{
    for (int add = 0; add < 2; add++)
        must(ndft_moments(plan, NULL, weights, there->w, there->image, there->kspace, add,
                          workspace, there->sums));
    must(ndft_device_sync(device));
}

/* one: the image where there are coil maps, else NULL. */
static void compare(const small *s, int weights, const double complex *one)
{
    static memory m;
    size_t bytes;
    ndft_plan *plan = plan_of(s, NDFT_FORWARD, NULL);
    must(ndft_moments_workspace(plan, weights, &bytes));
    memory *there = device_take(sizeof m);
    void *workspace = device_take(bytes);
    fill(s, weights, &m);
    if (one) memcpy(m.image, one, (size_t)s->voxels * sizeof *one);
    device_copy(there, &m, sizeof m);
    call(plan, weights, there, workspace);
    device_copy(&m, there, sizeof m);
    for (int j = 0; j < SAMPLES; j++)
        for (int l = 0; l < weights; l++)
            assert_true(fabs(m.sums[j * weights + l] - 2 * expected(s, l, j)) < 1e-8);
    device_give(workspace);
    device_give(there);
    ndft_plan_destroy(plan);
}

static void test_sums_are_those_of_the_formula(void **state)
{
    (void)state;
    static small s;
    for (int weights = 1; weights <= WEIGHTS; weights++)
        for (ndft_layout layout = NDFT_PLANAR; layout <= NDFT_INTERLEAVED; layout++) {
            small_make(&s, weights);
            s.desc.layout = layout;
            compare(&s, weights, NULL);
        }
}

/* One image, of which the coils' are factors. */
static void test_with_coil_maps(void **state)
{
    (void)state;
    static small s;
    static double complex maps[COILS * GRID], one[GRID];
    for (ndft_layout layout = NDFT_PLANAR; layout <= NDFT_INTERLEAVED; layout++) {
        small_make(&s, 9);
        for (int i = 0; i < COILS * GRID; i++) maps[i] = mixed(3 * i);
        memcpy(one, s.image[0], sizeof one);
        for (int c = 0; c < COILS; c++)
            for (int v = 0; v < s.voxels; v++) s.image[c][v] = maps[c * GRID + s.voxel[v]] * one[v];
        s.desc.layout = layout;
        s.desc.maps = maps;
        compare(&s, 2, one);
    }
}

static void test_what_is_refused(void **state)
{
    (void)state;
    static small s;
    static _Alignas(16) double some[4];
    size_t bytes;
    small_make(&s, 1);
    ndft_plan *plan = plan_of(&s, NDFT_ADJOINT, NULL);
    assert_int_equal(ndft_moments_workspace(plan, 5, &bytes), NDFT_EINVAL);
    said("weights=5; 1 to 4");
    assert_int_equal(ndft_moments_workspace(plan, 1, NULL), NDFT_EINVAL);
    said("bytes is NULL");
    assert_int_equal(ndft_moments(NULL, NULL, 1, some, some, some, false, some, some), NDFT_EINVAL);
    said("plan is NULL");
    assert_int_equal(ndft_moments(plan, NULL, 0, some, some, some, false, some, some), NDFT_EINVAL);
    said("weights=0; 1 to 4");
    assert_int_equal(ndft_moments(plan, NULL, 1, some, some, NULL, false, some, some), NDFT_EINVAL);
    said("samples is NULL");
    assert_int_equal(ndft_moments(plan, NULL, 1, some, some, some, false, some + 1, some),
                     NDFT_EINVAL);
    said("workspace is 8 bytes past a multiple of 16");
    assert_int_equal(ndft_moments(plan, NULL, 1, some, some, some, false, some, some), NDFT_EINVAL);
    said("the plan was made for ops=2; moments need NDFT_FORWARD");
    ndft_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums_are_those_of_the_formula),
                                       cmocka_unit_test(test_with_coil_maps),
                                       cmocka_unit_test(test_what_is_refused)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}
