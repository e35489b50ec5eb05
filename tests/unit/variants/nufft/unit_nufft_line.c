/* SPDX-License-Identifier: Apache-2.0 */
#include "nufft/readout/line_shape.h"
#include "support/make_case.h"

#include <math.h>
#include <stdlib.h>

/* nufft_line's lines, cut so that a sample is in the middle of each, and the orders of voxels and
 * lines in which they are spread. */

static ndft_made lines_of(int dim, int64_t nx, int64_t ny, int64_t nz, ndft_source traj, int64_t m)
{
    ndft_case c = a_case(dim, nx, ny, nz, m);
    c.traj = traj;
    c.t = 10e-3;
    ndft_made made = made_of(&c);
    assert_true(made.problem.structure.line_length > 0);
    return made;
}

/* Places that x may have, and a line's middle plus x steps where its sample is. */
static void check_line(const ndft_problem *p, const ndft_line_shape *s, const ndft_line *line)
{
    for (int q = 0; q < line->length; q++) {
        const int i = q + line->before, x = i - s->middle;
        assert_in_range(i, 0, s->along.n[0] - 1);
        for (int d = 0; d < 4; d++) {
            const void *array = d < 3 ? p->k[d] : p->t;
            const double at = array ? ndft_real_at(array, p->prec, line->first + q) : 0;
            const double along = line->middle[d] + x * 2 * line->half_step[d];
            assert_true(fabs(along - at) <= 1e-13 * (1 + fabs(at)));
        }
    }
}

static void samples_lie_at_whole_steps_from_the_middle(void **state)
{
    (void)state;
    const int knobs[] = {200, NDFT_WINDOW_KB, 0};
    const struct {
        ndft_source traj;
        int64_t m;
        int longest;
    } cases[] = {{{.kind = NDFT_TRAJ_GOLDEN, .a = 3}, 1536, 512},
                 {{.kind = NDFT_TRAJ_RADIAL, .a = 7}, 1009, 512},
                 {{.kind = NDFT_TRAJ_RADIAL, .a = 7}, 1009, 40},
                 {{.kind = NDFT_TRAJ_EPI, .a = 4}, 1200, 17},
                 {{.kind = NDFT_TRAJ_GOLDEN, .a = 1}, 129, 64}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ndft_made made = lines_of(2, 64, 48, 1, cases[i].traj, cases[i].m);
        const ndft_problem *p = &made.problem;
        const ndft_line_limits limits = {cases[i].longest, 2, 8};
        ndft_line_shape shape;
        ndft_error err;
        assert_int_equal(ndft_line_shape_make(p, knobs, &limits, &err, &shape), NDFT_OK);
        assert_true(shape.cut.length <= cases[i].longest);
        int64_t samples = 0;
        for (int64_t l = 0; l < shape.lines; l++) {
            const ndft_line line = ndft_line_at(p, &shape.cut, l, 1);
            check_line(p, &shape, &line);
            samples += line.length;
        }
        assert_int_equal(samples, p->n_samples);
        ndft_made_free(&made);
    }
}

enum { LANES = 32, STRIDE = 3, STEP = 256, CANARY = -7 };

/* Every voxel once, none beyond the room, lanes of whole runs STRIDE apart along the axis. */
static void check_voxels(const ndft_problem *p, int axis)
{
    const int64_t padded = (p->n_voxels + STEP - 1) / STEP * STEP;
    int32_t *order = malloc((size_t)(padded + 1) * sizeof *order);
    int *seen = calloc((size_t)p->n_voxels, sizeof *seen);
    assert_non_null(order);
    assert_non_null(seen);
    order[padded] = CANARY;
    assert_true(ndft_order_voxels(p, axis, LANES, STRIDE, padded, order));
    assert_int_equal(order[padded], CANARY);
    for (int64_t i = 0; i < padded; i++)
        if (order[i] >= 0) seen[order[i]]++;
    for (int64_t v = 0; v < p->n_voxels; v++) assert_int_equal(seen[v], 1);
    for (int l = 1; p->n[axis] >= LANES * STRIDE && l < LANES; l++) {
        int64_t here[3], there[3];
        ndft_voxel_coord(p, order[l - 1], here);
        ndft_voxel_coord(p, order[l], there);
        assert_int_equal(there[axis] - here[axis], STRIDE);
    }
    free(order);
    free(seen);
}

static void voxels_are_ordered_once_each(void **state)
{
    (void)state;
    const int64_t sizes[][3] = {{64, 64, 1}, {33, 28, 1}, {128, 2, 1}, {2, 128, 1}, {5, 6, 7}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int64_t *n = sizes[i];
        const int dim = n[2] > 1 ? 3 : 2;
        const ndft_source traj = {.kind = dim > 2 ? NDFT_TRAJ_KOOSHBALL : NDFT_TRAJ_RADIAL, .a = 5};
        ndft_made made = lines_of(dim, n[0], n[1], n[2], traj, 100);
        for (int axis = 0; axis < dim; axis++) check_voxels(&made.problem, axis);
        ndft_made_free(&made);
    }
}

static void lines_are_ordered_by_axis(void **state)
{
    (void)state;
    ndft_made made =
        lines_of(2, 64, 64, 1, (ndft_source){.kind = NDFT_TRAJ_GOLDEN, .a = 50}, 50 * 32);
    const ndft_line_cut cut = ndft_line_cut_of(&made.problem, 512);
    int32_t order[50];
    unsigned char axis[50];
    int seen[50] = {0};
    assert_int_equal(ndft_n_lines(&made.problem, &cut), 50);
    ndft_order_lines(&made.problem, &cut, 50, order, axis);
    for (int i = 0; i < 50; i++) {
        const ndft_line line = ndft_line_at(&made.problem, &cut, order[i], 1);
        assert_int_equal(axis[i], fabs(line.half_step[1]) > fabs(line.half_step[0]));
        assert_true(i == 0 || axis[i - 1] <= axis[i]);
        seen[order[i]]++;
    }
    for (int i = 0; i < 50; i++) assert_int_equal(seen[i], 1);
    assert_int_equal(axis[0], 0);
    assert_int_equal(axis[49], 1);
    ndft_made_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_lie_at_whole_steps_from_the_middle),
        cmocka_unit_test(voxels_are_ordered_once_each),
        cmocka_unit_test(lines_are_ordered_by_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
