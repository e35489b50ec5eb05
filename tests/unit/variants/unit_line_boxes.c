/* SPDX-License-Identifier: Apache-2.0 */
#include "gemm/line/line_boxes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Boxes of line_gemm.cuda: every voxel once, and none turns too much beside its box's centre. */

enum { LINE = 64, LINES = 7, SAMPLES = LINE * LINES, STEP = 64, MOST = 61 * 53 };

typedef struct boxed {
    double k[3][SAMPLES], t[SAMPLES], dw[MOST], x[2][MOST];
    int32_t voxel[MOST];
    ndft_problem p;
} boxed;

/* Lines through the centre, whose ends are at the edges of k-space. */
static void setup(boxed *b, int64_t nx, int64_t ny, double hz)
{
    memset(b, 0, sizeof *b);
    b->p = (ndft_problem){.prec = NDFT_F64,
                          .dim = 2,
                          .n = {nx, ny, 1},
                          .n_voxels = nx * ny,
                          .n_samples = SAMPLES,
                          .k = {b->k[0], b->k[1]},
                          .t = b->t,
                          .dw = b->dw};
    for (int j = 0; j < SAMPLES; j++) {
        const double angle = 0.4 * (j / LINE), s = (double)(j % LINE - LINE / 2) / LINE;
        b->k[0][j] = (double)nx * s * cos(angle);
        b->k[1][j] = (double)ny * s * sin(angle);
        b->t[j] = 2e-3 * (double)(j % LINE) / LINE;
    }
    for (int64_t v = 0; v < nx * ny; v++)
        b->dw[v] = ndft_two_pi * hz * ((double)(v * 7919 % 1009) / 504 - 1);
}

static void check(boxed *b, double reach, int64_t least)
{
    const ndft_problem *p = &b->p;
    const ndft_line_cut cut = ndft_cut_lines(LINE, 512);
    unsigned char seen[MOST] = {0};
    ndft_line_boxes boxes;
    assert_true(ndft_line_boxes_make(p, &cut, STEP, reach, &boxes));
    assert_true(boxes.n >= least && boxes.steps >= boxes.n);
    double turned = 0;
    for (int64_t i = 0; i < boxes.steps * STEP; i++) {
        const int32_t v = boxes.places[i], box = boxes.box[i / STEP];
        double x[3], off[4];
        assert_true(box >= 0 && box < boxes.n);
        assert_true(i < STEP || box - boxes.box[i / STEP - 1] <= 1);
        if (v < 0) continue;
        seen[v]++;
        ndft_voxel_at(p, v, x);
        for (int d = 0; d < 3; d++) off[d] = x[d] / (double)p->n[d] - boxes.centres[box][d];
        off[3] = ndft_real_at(p->dw, p->prec, v) / ndft_two_pi - boxes.centres[box][3];
        for (int64_t l = 0; l < ndft_n_lines(p, &cut); l++) {
            const ndft_line line = ndft_line_at(p, &cut, l, -1);
            double sum = 0;
            for (int d = 0; d < 4; d++) sum += 2 * line.half_step[d] * off[d];
            turned = fmax(turned, fabs(sum));
        }
    }
    for (int64_t v = 0; v < p->n_voxels; v++) assert_int_equal(seen[v], 1);
    assert_true(turned <= reach && turned > reach / 8);
    ndft_line_boxes_free(&boxes);
}

static void test_boxes_hold_every_voxel_near_their_centre(void **state)
{
    (void)state;
    static boxed b;
    setup(&b, 61, 53, 50);
    check(&b, 0.1, 40);
    check(&b, 0.4, 4);
    setup(&b, 16, 48, 0);
    check(&b, 0.1, 12);
}

static void test_boxes_of_masks_and_positions(void **state)
{
    (void)state;
    static boxed b;
    setup(&b, 61, 53, 50);
    b.p.n_voxels = 0;
    for (int64_t v = 0; v < MOST; v++)
        if (v % 61 > 20 || v / 61 > 30) b.voxel[b.p.n_voxels++] = (int32_t)v;
    b.p.voxel = b.voxel;
    check(&b, 0.2, 8);
    setup(&b, 61, 53, 50);
    for (int d = 0; d < 2; d++) {
        for (int64_t v = 0; v < MOST; v++)
            b.x[d][v] = 25 * sin((double)(v * (d + 1)) + 0.3 * (double)v * d);
        b.p.x[d] = b.x[d];
        b.p.x_max[d] = 25;
    }
    check(&b, 0.2, 8);
}

static void test_a_wide_field_has_no_boxes(void **state)
{
    (void)state;
    static boxed b;
    ndft_line_boxes boxes;
    const ndft_line_cut cut = ndft_cut_lines(LINE, 512);
    setup(&b, 16, 16, 1e4);
    assert_true(ndft_line_boxes_make(&b.p, &cut, STEP, 0.1, &boxes));
    assert_int_equal(boxes.n, 0);
    ndft_line_boxes_free(&boxes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes_hold_every_voxel_near_their_centre),
        cmocka_unit_test(test_boxes_of_masks_and_positions),
        cmocka_unit_test(test_a_wide_field_has_no_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
