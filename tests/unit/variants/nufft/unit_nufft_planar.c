/* SPDX-License-Identifier: Apache-2.0 */
#include "nufft/transform/interleaved_shape.h"
#include "nufft/transform/planar_shape.h"

#include "coils/coil_maps.h"
#include "support/nufft_problem.h"

#include <string.h>

/* Which planar grids are transformed inside blocks, and what that saves. */

static const int *knobs_of(int fft)
{
    static int knobs[NDFT_CUDA_KNOBS];
    memcpy(knobs, preset, sizeof preset);
    knobs[NDFT_KNOB_FFT] = fft;
    return knobs;
}

static bool takes(int dim, int64_t n, int coils, int fft)
{
    ndft_problem p = problem_of(dim, n, NDFT_F32, 1e-4);
    p.coils = coils;
    const ndft_nufft_shape shape = shape_of(&p, preset, 1);
    return ndft_nufft_planar_takes_own(&p, &shape, knobs_of(fft));
}

static void the_knob_is_obeyed(void **state)
{
    (void)state;
    for (int dim = 1; dim <= 3; dim++)
        for (int64_t n = 16; n <= 256; n *= 2) {
            assert_true(takes(dim, n, 1, NDFT_FFT_OWN));
            assert_false(takes(dim, n, 1, NDFT_FFT_VENDOR));
        }
}

/* What cuFFT is known to be faster for, or nobody has measured: short lines, axes of no usual
 * length, long ones. */
static void lines_and_axes_of_other_lengths_are_not_taken_by_themselves(void **state)
{
    (void)state;
    assert_false(takes(1, 64, 1, NDFT_FFT_AUTO));
    assert_false(takes(1, 1200, 1, NDFT_FFT_AUTO));
    assert_false(takes(1, 4097, 1, NDFT_FFT_AUTO));
    assert_false(takes(2, 24, 1, NDFT_FFT_AUTO)); /* 48 cells */
    assert_false(takes(3, 24, 1, NDFT_FFT_AUTO));
    assert_false(takes(2, 320, 2, NDFT_FFT_AUTO)); /* 640 cells */
    assert_false(takes(2, 600, 1, NDFT_FFT_AUTO)); /* 1200 */
    assert_false(takes(3, 256, 1, NDFT_FFT_AUTO));
}

/* Kernels of few lines gain by more cells, too, up to the longest usual length. */
static void a_plane_is_taken_up_to_1024_cells_an_axis(void **state)
{
    (void)state;
    assert_true(takes(2, 320, 1, NDFT_FFT_AUTO));
    assert_true(takes(2, 512, 1, NDFT_FFT_AUTO));
    assert_false(takes(3, 320, 1, NDFT_FFT_AUTO));
}

/* Its lines may have 768 cells, where others have 800. */
static void a_plane_alone_has_lines_of_768_cells(void **state)
{
    (void)state;
    for (int columns = 1; columns <= 2; columns++)
        for (int prec = NDFT_F32; prec <= NDFT_F64; prec++) {
            ndft_problem p = problem_of(2, 384, prec, 1e-4);
            p.coils = columns;
            p.n[1] = 390;
            ndft_nufft_shape shape = shape_of(&p, preset, 1);
            const bool plane = columns == 1 && prec == NDFT_F32;
            assert_int_equal(ndft_nufft_planar_fit(&shape, prec, NULL), NDFT_OK);
            assert_int_equal(shape.grid[0], plane ? 768 : 800);
            assert_int_equal(shape.grid[1], 800);
            assert_int_equal(shape.cells, shape.grid[0] * 800);
            assert_int_equal(shape.column_bytes, shape.cells * 2 * (int64_t)ndft_real_size(prec));
        }
}

/* 100 cells become 128. */
static void many_more_cells_are_taken_of_one_plane_alone(void **state)
{
    (void)state;
    assert_true(takes(2, 50, 1, NDFT_FFT_AUTO));
    assert_false(takes(2, 50, 2, NDFT_FFT_AUTO));
    assert_false(takes(3, 50, 1, NDFT_FFT_AUTO));
    assert_true(takes(3, 36, 1, NDFT_FFT_AUTO)); /* 72 and 80 */
}

static void planes_and_volumes_of_usual_axes_are_taken_by_themselves(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int64_t n = 32; n <= 128; n *= 2)
            for (int coils = 1; coils <= 32; coils *= 2)
                assert_true(takes(dim, n, coils, NDFT_FFT_AUTO));
    assert_true(takes(2, 256, 32, NDFT_FFT_AUTO));
    assert_true(takes(3, 200, 1, NDFT_FFT_AUTO));
}

static void long_lines_of_clusters_are_taken_by_themselves(void **state)
{
    (void)state;
    for (int64_t n = 1024; n <= 4096; n *= 2)
        for (int coils = 1; coils <= 32; coils *= 2) assert_true(takes(1, n, coils, NDFT_FFT_AUTO));
    assert_true(takes(1, 1000, 1, NDFT_FFT_AUTO)); /* 2048 */
    assert_true(takes(1, 3100, 1, NDFT_FFT_AUTO)); /* 6200 become 6400 */
}

static bool takes_with(int dim, int64_t n, void (*change)(ndft_problem *))
{
    ndft_problem p = problem_of(dim, n, NDFT_F32, 1e-4);
    p.coils = 1;
    const ndft_nufft_shape shape = shape_of(&p, preset, 1);
    if (change) change(&p);
    return ndft_nufft_planar_takes_own(&p, &shape, knobs_of(NDFT_FFT_AUTO));
}

static void make_double(ndft_problem *p) { p->prec = NDFT_F64; }
static void mask(ndft_problem *p)
{
    static const int32_t voxel[1] = {0};
    p->voxel = voxel;
}
static void give_maps(ndft_problem *p)
{
    ndft_problem bare;
    p->maps = p;
    p->maps_max = p->power_max = p->power_mean = 1;
    *p = *ndft_problem_without_maps(p, &bare);
}
static void give_field(ndft_problem *p) { p->dw = p; }

/* An image that has nothing but voxels. */
static void plain_images_are_taken_by_themselves(void **state)
{
    (void)state;
    void (*const changes[])(ndft_problem *) = {mask, give_maps, give_field};
    assert_true(takes_with(2, 64, NULL));
    assert_false(takes_with(2, 64, make_double));
    assert_true(takes_with(1, 1024, make_double));
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        assert_false(takes_with(1, 1024, changes[i]));
        assert_false(takes_with(2, 64, changes[i]));
    }
}

static void axes_beyond_a_line_are_refused(void **state)
{
    (void)state;
    ndft_problem p = problem_of(2, 4096, NDFT_F32, 1e-4);
    assert_null(ndft_nufft_lines_unsupported(&p, preset));
    p.n[1]++;
    assert_non_null(strstr(ndft_nufft_lines_unsupported(&p, preset), "8192 at most"));
    p.dim = 1;
    assert_null(ndft_nufft_lines_unsupported(&p, preset));
}

/* A kernel for each axis and one for samples, whose reads wait for each other where samples are
 * few; no zeros are written, and none are read. Those of cuFFT begin late. */
static void fewer_launches_and_bytes(void **state)
{
    (void)state;
    for (int dim = 1; dim <= 3; dim++)
        for (int op = NDFT_FORWARD; op <= NDFT_ADJOINT; op += NDFT_ADJOINT - NDFT_FORWARD) {
            ndft_problem p = problem_of(dim, dim > 1 ? 64 : 2048, NDFT_F32, 1e-4);
            p.coils = 1;
            ndft_nufft_work own = ndft_nufft_work_of(&p, op, knobs_of(NDFT_FFT_OWN));
            ndft_nufft_work vendor = ndft_nufft_work_of(&p, op, knobs_of(NDFT_FFT_VENDOR));
            own.apart = vendor.apart = 0;
            const ndft_cost less = ndft_nufft_thread_cost(&own);
            const ndft_cost more = ndft_nufft_thread_cost(&vendor);
            assert_in_range(less.launches, dim + 1, dim + 4);
            assert_true(op == NDFT_FORWARD || less.launches == dim + 1);
            assert_true(less.launches + (op == NDFT_ADJOINT ? 7 : 3) < more.launches);
            assert_true(less.l2_bytes < more.l2_bytes);
        }
}

/* A thread reads one term after another, and samples that lie apart have no lines of the cache in
 * common. */
static void terms_and_distances_take_longer(void **state)
{
    (void)state;
    ndft_problem p = problem_of(2, 64, NDFT_F32, 1e-4);
    ndft_nufft_work few = ndft_nufft_work_of(&p, NDFT_FORWARD, knobs_of(NDFT_FFT_AUTO)), many = few;
    many.terms = 8;
    assert_true(ndft_nufft_thread_cost(&many).launches > ndft_nufft_thread_cost(&few).launches + 2);
    many = few;
    few.room = 64 * many.room;
    const double near = ndft_nufft_thread_cost(&many).l2_bytes / many.samples;
    assert_true(ndft_nufft_thread_cost(&few).l2_bytes / few.samples > 2 * near);
}

/* Rows of cells begin anywhere, so that six are half a piece more than five; windows of more than
 * seven leave room for fewer threads; and tiles' products wait for one term after another. */
static void windows_and_terms_take_what_they_have(void **state)
{
    (void)state;
    ndft_problem p = problem_of(2, 64, NDFT_F32, 1e-4);
    ndft_nufft_work w = ndft_nufft_work_of(&p, NDFT_ADJOINT, knobs_of(NDFT_FFT_AUTO));
    double bytes[9], forward[9];
    for (int width = 4; width <= 8; width++) {
        w.width = width;
        w.window = width * width;
        w.op = NDFT_ADJOINT;
        bytes[width] = ndft_nufft_thread_cost(&w).l2_bytes;
        w.op = NDFT_FORWARD;
        forward[width] = ndft_nufft_thread_cost(&w).launches;
    }
    assert_true(bytes[6] - bytes[5] > bytes[5] - bytes[4]);
    assert_true(forward[6] == forward[7] && forward[7] < forward[8]);
    w.op = NDFT_ADJOINT;
    const double one = ndft_nufft_product_cost(&w, 16, 0, 256).launches;
    w.terms = 8;
    assert_true(ndft_nufft_product_cost(&w, 16, 0, 256).launches > one + 7 * 14);
}

/* Boxes of a lone plane are read by samples that are dealt, where tiles are those of boxes. */
static void a_plane_alone_is_read_by_dealt_boxes(void **state)
{
    (void)state;
    ndft_problem p = problem_of(2, 64, NDFT_F32, 1e-4);
    p.coils = 1;
    ndft_nufft_work w = ndft_nufft_work_of(&p, NDFT_FORWARD, knobs_of(NDFT_FFT_AUTO));
    const int boxes[3] = {16, 16, 1}, others[3] = {16, 8, 1};
    const double dealt = ndft_nufft_box_cost(&w, boxes, 128).issue_slots;
    assert_true(1.2 * dealt < ndft_nufft_box_cost(&w, others, 128).issue_slots);
    w.columns = 2;
    assert_true(2.2 * dealt < ndft_nufft_box_cost(&w, boxes, 128).issue_slots);
}

static ndft_nufft_work lines_of_a_plane(ndft_op op)
{
    const ndft_problem p = problem_of(2, 128, NDFT_F32, 1e-4);
    ndft_nufft_work w = ndft_nufft_work_of(&p, op, knobs_of(NDFT_FFT_AUTO));
    assert_int_equal(ndft_nufft_fit_lines(&w.shape, p.prec, NULL), NDFT_OK);
    return w;
}

/* Of interleaved grids: a block evaluates weights row by row, of few coils in few blocks; boxes are
 * read by a kernel that begins early. */
static void few_coils_of_a_field_wait(void **state)
{
    (void)state;
    ndft_nufft_work w = lines_of_a_plane(NDFT_ADJOINT);
    w.terms = w.columns = 7;
    const ndft_nufft_lanes one = ndft_nufft_lanes_of(1, 7, 2, 8);
    const double waits = ndft_nufft_interleaved_cost(&w, &one).launches;
    w.coils = 8;
    w.columns = 56;
    const ndft_nufft_lanes eight = ndft_nufft_lanes_of(8, 7, 2, 8);
    assert_int_equal(eight.coils, 8);
    assert_true(waits > ndft_nufft_interleaved_cost(&w, &eight).launches + 5);
    w.op = NDFT_FORWARD;
    const ndft_nufft_lanes four = ndft_nufft_lanes_of(8, 7, 2, 4);
    assert_true(ndft_nufft_interleaved_cost(&w, &eight).launches <
                ndft_nufft_interleaved_cost(&w, &four).launches);
}

/* Samples are found anew for each group of lanes; products of few columns take a warp as long as
 * those of many, so that half of them take more than half. */
static void groups_and_warps_take_as_long(void **state)
{
    (void)state;
    ndft_nufft_work w = lines_of_a_plane(NDFT_FORWARD);
    w.samples = 1e6;
    const ndft_nufft_lanes two = {
        .coils = 2, .terms = 1, .count = 2, .groups = 1, .coil_groups = 1, .term_groups = 1};
    ndft_nufft_lanes more = two;
    more.groups = more.coil_groups = 3;
    assert_true(ndft_nufft_interleaved_cost(&w, &more).launches >
                ndft_nufft_interleaved_cost(&w, &two).launches + 9);
    w.op = NDFT_ADJOINT;
    more.groups = more.coil_groups = 8;
    const double few = ndft_nufft_interleaved_cost(&w, &two).shared_bytes;
    assert_true(ndft_nufft_interleaved_cost(&w, &more).shared_bytes < 2 * few);
}

/* Two groups of coils share a warp, which reads fewer cells of shared memory than boxes of one do.
 */
static void strips_read_less_than_boxes(void **state)
{
    (void)state;
    ndft_nufft_work w = lines_of_a_plane(NDFT_FORWARD);
    w.samples = 65536;
    w.width = 8;
    double bytes[4] = {0};
    for (int groups = 1; groups < 4; groups++) {
        w.coils = w.columns = 8 * groups;
        const ndft_nufft_lanes lanes = ndft_nufft_lanes_of(8 * groups, 1, 2, 8);
        assert_int_equal(lanes.coil_groups, groups);
        bytes[groups] = ndft_nufft_interleaved_cost(&w, &lanes).shared_bytes;
    }
    assert_true(bytes[2] < 1.3 * bytes[1]);
    assert_true(bytes[3] > 1.5 * bytes[2]); /* half of a warp is idle */
}

/* A line of the model takes strips for less than they execute, which is what a record says. */
static void weights_are_of_lines_alone(void **state)
{
    (void)state;
    ndft_nufft_work w = lines_of_a_plane(NDFT_FORWARD);
    w.samples = 1e6;
    w.width = 8;
    w.coils = w.columns = 16;
    const ndft_nufft_lanes lanes = ndft_nufft_lanes_of(16, 1, 2, 8);
    const double executed = ndft_nufft_interleaved_cost(&w, &lanes).issue_slots;
    w.weighed = true;
    assert_true(ndft_nufft_interleaved_cost(&w, &lanes).issue_slots < 0.6 * executed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_knob_is_obeyed),
        cmocka_unit_test(windows_and_terms_take_what_they_have),
        cmocka_unit_test(groups_and_warps_take_as_long),
        cmocka_unit_test(lines_and_axes_of_other_lengths_are_not_taken_by_themselves),
        cmocka_unit_test(a_plane_is_taken_up_to_1024_cells_an_axis),
        cmocka_unit_test(a_plane_alone_has_lines_of_768_cells),
        cmocka_unit_test(many_more_cells_are_taken_of_one_plane_alone),
        cmocka_unit_test(planes_and_volumes_of_usual_axes_are_taken_by_themselves),
        cmocka_unit_test(long_lines_of_clusters_are_taken_by_themselves),
        cmocka_unit_test(plain_images_are_taken_by_themselves),
        cmocka_unit_test(axes_beyond_a_line_are_refused),
        cmocka_unit_test(fewer_launches_and_bytes),
        cmocka_unit_test(terms_and_distances_take_longer),
        cmocka_unit_test(a_plane_alone_is_read_by_dealt_boxes),
        cmocka_unit_test(few_coils_of_a_field_wait),
        cmocka_unit_test(strips_read_less_than_boxes),
        cmocka_unit_test(weights_are_of_lines_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
