/* SPDX-License-Identifier: Apache-2.0 */
#include "nufft/window/window.h"
#include "support/turn.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Windows by what they are for: one-dimensional transforms against the direct sum, in double. */

enum { MOST_VOXELS = 65, SAMPLES = 1500 };

static const double sigmas[] = {2, 1.5, 1.25};
static const int lengths[] = {65, 32, 24}; /* of even ones one lies at the very edge */

typedef struct transform {
    const ndft_window *window;
    int density; /* of the table, 0: polynomials */
    int voxels;
    int64_t cells;
    double k[SAMPLES];
    double complex image[MOST_VOXELS];
} transform;

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53 - 0.5;
}

static transform make(const ndft_window *window, int density, int voxels)
{
    uint64_t state = 7;
    transform t = {.window = window, .density = density, .voxels = voxels};
    t.cells = 2 * (int64_t)ceil(voxels * window->sigma / 2);
    for (int j = 0; j < SAMPLES; j++) t.k[j] = 2.5 * voxels * uniform(&state); /* some fold */
    for (int i = 0; i < voxels; i++) t.image[i] = cexp(2 * M_PI * I * uniform(&state));
    return t;
}

static double complex direct(const transform *t, double k)
{
    double complex sum = 0;
    for (int i = 0; i < t->voxels; i++)
        sum += t->image[i] * cexp(-2 * M_PI * I * k * (i - t->voxels / 2) / t->voxels);
    return sum;
}

/* Cell c of the transform of the deapodised image. */
static double complex cell(const transform *t, int64_t c)
{
    double complex sum = 0;
    for (int i = 0; i < t->voxels; i++) {
        const int64_t x = i - t->voxels / 2;
        const double hat = ndft_window_hat(t->window, (double)x / (double)t->cells);
        const double turns = (double)(ndft_grid_cell(x, t->cells) * c % t->cells);
        sum += t->image[i] / hat * cexp(-2 * M_PI * I * turns / (double)t->cells);
    }
    return sum;
}

static double weight(const transform *t, const double *table, int w, double s)
{
    if (!t->density) return ndft_window_poly(t->window, w, s);
    const double at = 0.5 * (s + 1) * t->density;
    const int row = (int)at;
    const double *below = table + row * NDFT_MAX_WIDTH + w;
    return below[0] + (at - row) * (below[NDFT_MAX_WIDTH] - below[0]);
}

/* The relative l2 error of interpolation. */
static double measure(const transform *t)
{
    double complex grid[2 * MOST_VOXELS + 2];
    double *table = malloc(sizeof *table * (size_t)(t->density + 2) * NDFT_MAX_WIDTH);
    assert_non_null(table);
    ndft_window_put_table(t->window, t->density, NDFT_F64, NDFT_MAX_WIDTH, table);
    for (int64_t c = 0; c < t->cells; c++) grid[c] = cell(t, c);
    double wrong = 0, all = 0;
    for (int j = 0; j < SAMPLES; j++) {
        const ndft_grid_position at =
            ndft_grid_place(t->k[j], t->voxels, t->cells, t->window->width);
        double complex sum = -direct(t, t->k[j]);
        all += creal(sum * conj(sum));
        for (int w = 0; w < t->window->width; w++)
            sum += weight(t, table, w, at.s) * grid[(at.first + w) % t->cells];
        wrong += creal(sum * conj(sum));
    }
    free(table);
    return sqrt(wrong / all);
}

/* About the prediction: by chance a fifth more, and not far below. */
static bool holds(double measured, double predicted)
{
    return measured <= 1.2 * predicted + 1e-14 && measured >= predicted / 5;
}

static void hold(ndft_window_kind kind, int width, double sigma, int voxels)
{
    const ndft_window window = ndft_window_make(kind, width, sigma);
    const int density = ndft_window_density(&window);
    const transform on_line = make(&window, 0, voxels);
    const transform from_table = make(&window, density, voxels);
    const double edge = ndft_window_edge(&window, 1, voxels), measured = measure(&on_line);
    const double predicted = edge * ndft_window_error(&window, 1);
    const double table = edge * ndft_window_table_error(&window, density, 1);
    const double tabled = measure(&from_table);
    if (holds(measured, predicted) && holds(tabled, table)) return;
    fail_msg("kind %d W=%d sigma=%g n=%d: %.3g of %.3g, table of %d %.3g of %.3g", kind, width,
             sigma, voxels, measured, predicted, density, tabled, table);
}

static void test_transforms(void **state)
{
    (void)state;
    for (int kind = NDFT_WINDOW_KB; kind <= NDFT_WINDOW_ES; kind++)
        for (int s = 0; s < 3; s++)
            for (int width = NDFT_MIN_WIDTH; width <= NDFT_MAX_WIDTH; width++)
                for (int n = 0; n < 3; n++)
                    if (has_turn(s + width + n))
                        hold((ndft_window_kind)kind, width, sigmas[s], lengths[n]);
}

/* A sample's place just below the end of its cell is the end itself in f32. */
static void test_end_of_table(void **state)
{
    (void)state;
    const ndft_window window = ndft_window_make(NDFT_WINDOW_KB, 4, 2);
    const transform t = {.window = &window, .density = ndft_window_density(&window)};
    const size_t size = sizeof(double) * (size_t)(t.density + 2) * NDFT_MAX_WIDTH;
    double *table = malloc(size);
    assert_non_null(table);
    memset(table, 0xff, size); /* NaN */
    ndft_window_put_table(&window, t.density, NDFT_F64, NDFT_MAX_WIDTH, table);
    for (int w = 0; w < window.width; w++)
        assert_true(fabs(weight(&t, table, w, 1) - ndft_window_poly(&window, w, 1)) < 1e-3);
    free(table);
}

/* Parameters are the good ones: what is lost at usual widths. */
static void test_parameters(void **state)
{
    (void)state;
    static const double most[][4] = {{5e-4, 6.2e-5, 6.2e-6, 6.2e-7},
                                     {9.3e-3, 1.7e-3, 9e-4, 2.5e-4},
                                     {7.4e-4, 7.7e-5, 8e-6, 9.2e-7}};
    for (int kind = NDFT_WINDOW_KB; kind <= NDFT_WINDOW_ES; kind++) {
        for (int width = 4; width <= 7; width++) {
            const ndft_window window = ndft_window_shape((ndft_window_kind)kind, width, 2);
            assert_true(ndft_window_error(&window, 1) <= most[kind][width - 4]);
        }
    }
}

/* hat in closed form against a fine sum over the window. */
static void test_hat(void **state)
{
    (void)state;
    enum { STEPS = 20000 };
    for (int kind = NDFT_WINDOW_KB; kind <= NDFT_WINDOW_ES; kind++) {
        const ndft_window window = ndft_window_shape((ndft_window_kind)kind, 6, 2);
        for (double xi = 0; xi < 0.6; xi += 0.05) {
            double sum = 0;
            for (int i = 0; i < STEPS; i++) {
                const double z = 3 * (i + 0.5) / STEPS;
                sum += 2 * ndft_window_value(&window, z) * cos(2 * M_PI * xi * z) * 3 / STEPS;
            }
            assert_true(fabs(sum - ndft_window_hat(&window, xi)) < 2e-8);
        }
    }
}

/* One at the centre, even, nothing outside; the polynomials of opposite cells are mirrored. */
static void test_form(void **state)
{
    (void)state;
    for (int kind = NDFT_WINDOW_KB; kind <= NDFT_WINDOW_ES; kind++) {
        const ndft_window window = ndft_window_make((ndft_window_kind)kind, 5, 1.5);
        assert_true(ndft_window_value(&window, 0) == 1);
        assert_true(ndft_window_value(&window, 1.3) == ndft_window_value(&window, -1.3));
        assert_true(ndft_window_value(&window, 2.5001) == 0);
        for (int w = 0; w < 5; w++)
            for (int q = 0; q <= window.degree; q++)
                assert_true(fabs(window.poly[4 - w][q] -
                                 (q % 2 ? -window.poly[w][q] : window.poly[w][q])) < 1e-12);
    }
}

/* Kernels count on it (weights.cuh). */
static void test_degree(void **state)
{
    (void)state;
    for (int kind = NDFT_WINDOW_KB; kind <= NDFT_WINDOW_ES; kind++)
        for (int width = NDFT_MIN_WIDTH; width <= NDFT_MAX_WIDTH; width++)
            for (int sigma = 125; sigma <= 400; sigma += 55) {
                const ndft_window window =
                    ndft_window_make((ndft_window_kind)kind, width, sigma / 100.0);
                assert_in_range(window.degree, width - 1, NDFT_MAX_DEGREE);
            }
}

/* The worst of all voxels of an axis; places are finer at the ends, where windows end. */
static double worst_entry(const transform *t, const double *table, int64_t voxels, int64_t cells)
{
    enum { FINE = 200 };
    double worst = 0;
    for (int i = 0; i < FINE; i++) {
        const double s = -cos(M_PI * i / FINE); /* up to just below 1 */
        for (int64_t x = 0; x <= voxels / 2; x++) {
            const double xi = (double)x / (double)cells, hat = ndft_window_hat(t->window, xi);
            double complex sum = -1;
            for (int w = 0; w < t->window->width; w++) {
                const double z = w + 0.5 * (s + 1) - 0.5 * t->window->width;
                sum += weight(t, table, w, s) / hat * cexp(-2 * M_PI * I * xi * z);
            }
            worst = fmax(worst, cabs(sum));
        }
    }
    return worst;
}

static void hold_worst(ndft_window_kind kind, int width, double sigma, int64_t voxels, bool tabled)
{
    const ndft_window window = ndft_window_make(kind, width, sigma);
    const transform t = {.window = &window, .density = tabled ? ndft_window_density(&window) : 0};
    double *table = malloc(sizeof *table * (size_t)(t.density + 2) * NDFT_MAX_WIDTH);
    assert_non_null(table);
    ndft_window_put_table(&window, t.density, NDFT_F64, NDFT_MAX_WIDTH, table);
    int64_t cells = 2 * (int64_t)ceil((double)voxels * sigma / 2);
    if (cells < 2 * width) cells = 2 * width;
    const double measured = worst_entry(&t, table, voxels, cells);
    const ndft_window_worst bound = ndft_window_worst_of(&window, t.density, voxels / 2, cells);
    free(table);
    if (measured <= bound.error + 1e-14 && bound.error <= 3 * measured + 1e-13) return;
    fail_msg("kind %d W=%d sigma=%g N=%lld, table %d: %.3g of %.3g", kind, width, sigma,
             (long long)voxels, tabled, measured, bound.error);
}

/* Of every voxel, sample and kind of weights, not of the mean one. */
static void test_worst(void **state)
{
    (void)state;
    static const int64_t voxels[] = {1, 2, 3, 13, 131};
    for (int kind = NDFT_WINDOW_KB; kind <= NDFT_WINDOW_ES; kind++)
        for (int s = 0; s < 3; s++)
            for (int width = NDFT_MIN_WIDTH; width <= NDFT_MAX_WIDTH; width++)
                for (int i = 0; i < 5; i++)
                    for (int tabled = 0; tabled < 2; tabled++)
                        if (has_turn(s + width + i + tabled))
                            hold_worst((ndft_window_kind)kind, width, sigmas[s], voxels[i], tabled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transforms), cmocka_unit_test(test_end_of_table),
        cmocka_unit_test(test_parameters), cmocka_unit_test(test_hat),
        cmocka_unit_test(test_form),       cmocka_unit_test(test_degree),
        cmocka_unit_test(test_worst),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
