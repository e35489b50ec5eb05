/* SPDX-License-Identifier: Apache-2.0 */
#include "support/nufft_problem.h"

#include "base/random.h"
#include "nufft/window/cubes.h"
#include "nufft/window/room.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What any data may err by: widths chosen for it, the worst entry, the fullest cell. */

static double worst_at(const ndft_problem *p, ndft_op op, const int *knobs)
{
    const ndft_nufft_worst worst = ndft_nufft_worst_at(p, op, knobs);
    return ndft_nufft_worst_sum(&worst, p->prec, 0);
}

/* Of any data a transform takes the first width that holds, if there is one. */
static void test_width_for_any_data(void **state)
{
    (void)state;
    static const double tols[][5] = {{1e-1, 1e-2, 1e-3, 0}, {1e-3, 1e-6, 1e-8, 1e-10}};
    for (int prec = 0; prec < 2; prec++)
        for (int dim = 1; dim <= 3; dim++)
            for (int i = 0; tols[prec][i] > 0; i++) {
                ndft_problem p = problem_of(dim, 41, (ndft_prec)prec, tols[prec][i]);
                p.tol_kind = NDFT_TOL_ANY;
                int knobs[NDFT_NUFFT_KNOBS];
                memcpy(knobs, preset, sizeof knobs);
                const int width = ndft_nufft_width(&p, knobs);
                const double worst = worst_at(&p, NDFT_FORWARD, knobs);
                if (worst > p.tol)
                    fail_msg("f%d %dd W=%d: %g of tol=%g", prec ? 64 : 32, dim, width, worst,
                             p.tol);
                assert_int_equal(shape_of(&p, knobs, 1).window.width, width);
                knobs[NDFT_KNOB_WIDTH] = width - 1;
                if (width > NDFT_MIN_WIDTH)
                    assert_true(fmax(worst_at(&p, NDFT_FORWARD, knobs),
                                     worst_at(&p, NDFT_ADJOINT, knobs)) > p.tol);
            }
    ndft_problem p = problem_of(3, 64, NDFT_F32, 1e-6);
    p.tol_kind = NDFT_TOL_ANY;
    ndft_error error = {0};
    ndft_nufft_shape s;
    assert_int_equal(ndft_nufft_shape_make(&p, preset, 1, &error, &s), NDFT_EUNSUPPORTED);
    assert_non_null(strstr(error.message, "tol=1e-06 for any data is below what f32 can give"));
}

/* The largest entry of the error, in double, over samples at the worst places there are. */
static double worst_entry(const ndft_nufft_shape *s)
{
    enum { PLACES = 97 };
    double worst[3] = {0}, kept = 1;
    for (int d = 0; d < s->dim; d++)
        for (int i = 0; i <= PLACES; i++)
            for (int64_t x = -(s->n[d] / 2); x < s->n[d] - s->n[d] / 2; x++) {
                const double xi = (double)x / (double)s->grid[d], at = 2.0 * i / PLACES - 1;
                double re = -1, im = 0;
                for (int w = 0; w < s->window.width; w++) {
                    const double z = w + 0.5 * (at + 1) - 0.5 * s->window.width;
                    const double part =
                        ndft_window_poly(&s->window, w, at) / ndft_window_hat(&s->window, xi);
                    re += part * cos(2 * M_PI * xi * z);
                    im -= part * sin(2 * M_PI * xi * z);
                }
                worst[d] = fmax(worst[d], hypot(re, im));
            }
    for (int d = 0; d < s->dim; d++) kept *= 1 + worst[d];
    return kept - 1;
}

/* On odd and small grids too, whose oversampling is not sigma. */
static void test_worst_entries(void **state)
{
    (void)state;
    static const int64_t sizes[][3] = {{31, 1, 1}, {2, 1, 1}, {7, 12, 1}, {1, 30, 1}, {5, 3, 4}};
    static const int sigmas[] = {125, 150, 200};
    for (int i = 0; i < 15; i++)
        for (int kind = NDFT_WINDOW_KB; kind <= NDFT_WINDOW_ES; kind++)
            for (int width = 2; width <= 12; width += 2) {
                const int64_t *n = sizes[i / 3];
                const int knobs[] = {sigmas[i % 3], kind, NDFT_WEIGHTS_POLYNOMIAL, width, 0};
                ndft_problem p = problem_of(1 + (n[1] > 1) + (n[2] > 1), 1, NDFT_F64, 1e-4);
                memcpy(p.n, n, sizeof p.n);
                const ndft_nufft_shape s = shape_of(&p, knobs, 1);
                const double found = worst_entry(&s);
                const double entry = ndft_nufft_worst_at(&p, NDFT_FORWARD, knobs).entry;
                if (found <= entry + 1e-14 && entry <= 3 * found + 1e-13) continue;
                fail_msg("n=%lldx%lldx%lld window %d sigma=%d W=%d: %g of %g", (long long)n[0],
                         (long long)n[1], (long long)n[2], kind, knobs[0], width, found, entry);
            }
}

typedef struct crowd {
    int64_t most;
    double mean;
} crowd;

/* How many windows touch one cell, by counting them at every cell. */
static crowd counted(const ndft_problem *p, int width, const int64_t grid[3])
{
    static int32_t cells[40 * 40 * 40];
    crowd found = {0, 0};
    memset(cells, 0, sizeof cells);
    for (int64_t j = 0; j < p->n_samples; j++) {
        int64_t first[3] = {0, 0, 0};
        for (int d = 0; d < p->dim; d++)
            first[d] = ndft_grid_place(((const float *)p->k[d])[j], p->n[d], grid[d], width).first;
        for (int z = 0; z < (p->dim > 2 ? width : 1); z++)
            for (int y = 0; y < (p->dim > 1 ? width : 1); y++)
                for (int x = 0; x < width; x++) {
                    const int64_t at =
                        ((first[2] + z) % grid[2] * grid[1] + (first[1] + y) % grid[1]) * grid[0] +
                        (first[0] + x) % grid[0];
                    cells[at]++;
                    found.most = cells[at] > found.most ? cells[at] : found.most;
                }
    }
    double squares = 0, all = 0;
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        squares += (double)cells[i] * cells[i];
        all += cells[i];
    }
    found.mean = squares / all;
    return found;
}

static void test_crowds(void **state)
{
    (void)state;
    enum { SAMPLES = 20000 };
    static float k[3][SAMPLES];
    uint64_t seed = 11;
    for (int dim = 1; dim <= 3; dim++) {
        ndft_problem p = problem_of(dim, 17, NDFT_F32, 1e-4);
        const int64_t grid[3] = {36, dim > 1 ? 40 : 1, dim > 2 ? 35 : 1};
        for (int spread = 0; spread < 3; spread++) { /* even, towards the centre, in one place */
            for (int64_t i = 0; i < 3 * SAMPLES; i++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                const double at = (double)(seed >> 11) * 0x1p-53 - 0.5;
                k[i / SAMPLES][i % SAMPLES] = (float)(spread == 0   ? 40 * at
                                                      : spread == 1 ? 60 * at * at * at
                                                                    : -8.5);
            }
            for (int few = 0; few < 2; few++) {
                p.n_samples = few ? 40 : SAMPLES;
                for (int d = 0; d < dim; d++) p.k[d] = k[d];
                const crowd found = counted(&p, 5, grid);
                const int64_t most = ndft_nufft_crowd(&p, 5, grid);
                const double mean = ndft_nufft_mean_crowd(&p, 5, grid);
                const bool exact = grid[0] * grid[1] * grid[2] <= 4 * p.n_samples + 4096;
                assert_true(most >= found.most && most <= (exact ? 1 : 8) * found.most);
                assert_true(mean >= 0.85 * found.mean && mean <= 1.5 * found.mean);
            }
        }
    }
}

/* A line through the grid: its tiles alone have samples, each a third of a cell from the next. */
static void test_room_of_a_line(void **state)
{
    (void)state;
    enum { SAMPLES = 300, WIDTH = 5 };
    static float k[2][SAMPLES];
    ndft_problem p = problem_of(2, 50, NDFT_F32, 1e-4);
    const int64_t grid[3] = {100, 100, 1};
    p.n_samples = SAMPLES;
    for (int64_t i = 0; i < SAMPLES; i++) k[0][i] = (float)(i - SAMPLES / 2) / 6;
    for (int d = 0; d < 2; d++) p.k[d] = k[d];
    const double tiles = ndft_nufft_room(&p, WIDTH, grid) * SAMPLES / (WIDTH * WIDTH);
    assert_true(tiles >= 20 && tiles <= 21);
    assert_true(ndft_nufft_apart(&p, grid) == 0);
    for (int64_t i = 1; i < SAMPLES; i += 2) k[1][i] = 7;
    ndft_problem other = p; /* nothing is remembered of it */
    other.n_samples--;
    assert_true(ndft_nufft_apart(&other, grid) == 1);
}

/* Of more samples than are picked, in planes or all over: as all of them say. */
static void test_cubes_of_planes_and_volumes(void **state)
{
    (void)state;
    enum { SAMPLES = 100000, N = 40, EDGE = 4, CUBES = 2 * N / EDGE };
    const int64_t grid[3] = {2 * N, 2 * N, 2 * N};
    for (int planes = 0; planes < 2; planes++) {
        ndft_problem p = problem_of(3, N, NDFT_F32, 1e-4);
        ndft_random random = {.state = 1};
        float *k[3];
        char *seen = calloc(CUBES * CUBES, CUBES);
        double cubes = 0;
        p.n_samples = SAMPLES;
        for (int d = 0; d < 3; d++) p.k[d] = k[d] = calloc(SAMPLES, sizeof *k[d]);
        for (int i = 0; i < SAMPLES; i++) {
            int64_t at = 0;
            for (int d = 0; d < 3; d++) {
                k[d][i] = (float)((ndft_uniform(&random) - 0.5) * N);
                if (planes && d == 2) k[d][i] = floorf(k[d][i] / 8) * 8 + 0.3F;
                at = at * CUBES + (int64_t)((k[d][i] / N + 1) * CUBES) % CUBES;
            }
            cubes += !seen[at];
            seen[at] = 1;
        }
        const double found = SAMPLES * ndft_nufft_cubes(&p, EDGE, grid);
        assert_true(found > 0.75 * cubes && found < 1.3 * cubes);
        for (int d = 0; d < 3; d++) free(k[d]);
        free(seen);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_room_of_a_line),
        cmocka_unit_test(test_width_for_any_data),
        cmocka_unit_test(test_worst_entries),
        cmocka_unit_test(test_crowds),
        cmocka_unit_test(test_cubes_of_planes_and_volumes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
