/* SPDX-License-Identifier: Apache-2.0 */
#include "phase/lines.h"
#include "support/make_case.h"

#include <math.h>
#include <stdlib.h>

/* Pieces of uniform lines, as line_gemm.cuda takes them: every sample once, at its place about the
 * middle of its piece. */

static void check_sample(const ndft_problem *p, const ndft_line_cut *cut, const ndft_line *line,
                         int i)
{
    const double s = i + line->before - (cut->tile - 1) / 2.0;
    for (int d = 0; d < 4; d++) {
        const void *array = d < 3 ? p->k[d] : p->t;
        const double at = array ? ndft_real_at(array, p->prec, line->first + i) : 0;
        const double along = line->middle[d] + 2 * s * line->half_step[d];
        assert_true(fabs(along + at) <= 1e-13 * (1 + fabs(at))); /* cut with sign -1 */
    }
}

static void check_pieces(const ndft_problem *p, int tile)
{
    const ndft_line_cut cut = ndft_cut_lines(p->structure.line_length, tile);
    const int64_t n = ndft_n_lines(p, &cut);
    int *seen = calloc((size_t)p->n_samples, sizeof *seen);
    assert_non_null(seen);
    for (int64_t l = 0; l < n; l++) {
        const ndft_line line = ndft_line_at(p, &cut, l, -1);
        assert_true(line.length > 0 && line.before >= 0 && line.before + line.length <= tile);
        for (int i = 0; i < line.length; i++) {
            assert_true(line.first + i < p->n_samples);
            seen[line.first + i]++;
            check_sample(p, &cut, &line, i);
        }
    }
    for (int64_t j = 0; j < p->n_samples; j++) assert_int_equal(seen[j], 1);
    free(seen);
}

static void pieces_hold_every_sample_once(void **state)
{
    (void)state;
    const struct {
        ndft_source traj;
        int dim;
        int64_t m;
    } cases[] = {{{.kind = NDFT_TRAJ_GOLDEN, .a = 3}, 2, 1536},
                 {{.kind = NDFT_TRAJ_RADIAL, .a = 7}, 2, 1009},
                 {{.kind = NDFT_TRAJ_EPI, .a = 4}, 2, 1200},
                 {{.kind = NDFT_TRAJ_GOLDEN, .a = 1}, 2, 129},
                 {{.kind = NDFT_TRAJ_KOOSHBALL, .a = 5}, 3, 1281},
                 {{.kind = NDFT_TRAJ_SOS, .a = 5, .b = 8}, 3, 1999}};
    const int tiles[] = {128, 256, 512};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ndft_case c = a_case(cases[i].dim, 64, 48, cases[i].dim > 2 ? 20 : 1, cases[i].m);
        c.traj = cases[i].traj;
        c.t = 10e-3;
        ndft_made made = made_of(&c);
        assert_true(made.problem.structure.line_length > 0);
        for (int t = 0; t < 3; t++) check_pieces(&made.problem, tiles[t]);
        ndft_made_free(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_hold_every_sample_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
