/* SPDX-License-Identifier: Apache-2.0 */
#include "make/trajectory.h"
#include "structure.h"
#include "support/make_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double k_at(const ndft_made *made, int d, int64_t j)
{
    return ndft_real_at(made->problem.k[d], made->problem.prec, j);
}

static double t_at(const ndft_made *made, int64_t j)
{
    return ndft_real_at(made->problem.t, made->problem.prec, j);
}

static ndft_case with_shots(int dim, ndft_source_kind kind, int64_t a, int64_t b)
{
    ndft_case c = a_case(dim, 33, dim > 1 ? 47 : 1, dim > 2 ? 10 : 1, 1009);
    c.traj = (ndft_source){.kind = kind, .a = a, .b = b};
    c.t = 25e-3;
    c.seed = 7;
    return c;
}

static void every_trajectory_stays_in_bounds(void **state)
{
    (void)state;
    ndft_case upward =
        a_case(2, 101, 101, 1, 150); /* 101/150 lies just below a multiple of 2^-15 */
    upward.traj.kind = NDFT_TRAJ_RADIAL;
    const ndft_case cases[] = {upward,
                               with_shots(1, NDFT_SOURCE_RANDOM, 1, 0),
                               with_shots(2, NDFT_SOURCE_RANDOM, 3, 0),
                               with_shots(3, NDFT_SOURCE_RANDOM, 1, 0),
                               with_shots(2, NDFT_TRAJ_RADIAL, 7, 0),
                               with_shots(2, NDFT_TRAJ_GOLDEN, 32, 0),
                               with_shots(2, NDFT_TRAJ_SPIRAL, 4, 0),
                               with_shots(2, NDFT_TRAJ_VDSPIRAL, 4, 0),
                               with_shots(2, NDFT_TRAJ_EPI, 3, 0),
                               with_shots(2, NDFT_TRAJ_EPI, 32, 0),
                               with_shots(3, NDFT_TRAJ_SOS, 5, 8),
                               with_shots(3, NDFT_TRAJ_KOOSHBALL, 31, 0),
                               with_shots(3, NDFT_TRAJ_FLORET, 31, 0),
                               with_shots(2, NDFT_TRAJ_RADIAL, 1009, 0)};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ndft_made made = made_of(&cases[i]);
        for (int d = 0; d < cases[i].dim; d++) {
            double reach = 0;
            for (int64_t j = 0; j < cases[i].m; j++) reach = fmax(reach, fabs(k_at(&made, d, j)));
            assert_true(reach <= (double)cases[i].n[d] / 2);
            assert_true(reach == made.problem.k_max[d]);
            bool line = cases[i].traj.a == 1 && cases[i].traj.kind == NDFT_TRAJ_RADIAL;
            if (!line && cases[i].traj.a < 1009) assert_true(reach >= 0.3 * (double)cases[i].n[d]);
        }
        assert_true(made.problem.t_max < 25e-3 * 1.001);
        ndft_made_free(&made);
    }
}

static void shots_restart_the_clock(void **state)
{
    (void)state;
    ndft_case c = with_shots(2, NDFT_TRAJ_SPIRAL, 4, 0);
    ndft_made made = made_of(&c);
    double dwell = t_at(&made, 1);
    assert_true(fabs(dwell - 25e-3 / 253) <= 0x1p-28);
    assert_true(dwell * 0x1p27 == round(dwell * 0x1p27));
    for (int64_t j = 0; j < c.m; j++) assert_true(t_at(&made, j) == (double)(j % 253) * dwell);
    assert_int_equal(made.problem.structure.distinct_times, 253);
    ndft_made_free(&made);

    c.t = 0;
    made = made_of(&c);
    for (int64_t j = 0; j < c.m; j++) assert_true(t_at(&made, j) == 0);
    assert_int_equal(made.problem.structure.distinct_times, 1);
    ndft_made_free(&made);
}

static void lines_are_exactly_uniform(void **state)
{
    (void)state;
    ndft_case radial = a_case(2, 256, 192, 1, 402 * 300), koosh = a_case(3, 64, 50, 33, 64 * 500);
    radial.traj = (ndft_source){.kind = NDFT_TRAJ_GOLDEN, .a = 300};
    koosh.traj = (ndft_source){.kind = NDFT_TRAJ_KOOSHBALL, .a = 500};
    ndft_case sos = koosh, epi = a_case(2, 64, 48, 1, 64 * 48),
              wide = a_case(2, 4096, 4096, 1, 65536);
    sos.traj = (ndft_source){.kind = NDFT_TRAJ_SOS, .a = 20, .b = 25};
    epi.traj = (ndft_source){.kind = NDFT_TRAJ_EPI, .a = 4};
    wide.traj = (ndft_source){.kind = NDFT_TRAJ_RADIAL, .a = 16};
    const struct {
        ndft_case *c;
        int64_t length;
    } cases[] = {{&radial, 402}, {&koosh, 64}, {&sos, 64}, {&epi, 64}, {&wide, 4096}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cases[i].c->t = 11e-3;
        ndft_made made = made_of(cases[i].c);
        assert_int_equal(made.problem.structure.line_length, cases[i].length);
        ndft_made_free(&made);
    }
    ndft_case random = a_case(2, 64, 64, 1, 4096);
    ndft_made made = made_of(&random);
    assert_int_equal(made.problem.structure.line_length, 0);
    ndft_made_free(&made);
}

static void one_bent_line_is_no_structure(void **state)
{
    (void)state;
    ndft_case c = a_case(2, 64, 64, 1, 64 * 16);
    c.traj = (ndft_source){.kind = NDFT_TRAJ_RADIAL, .a = 15}; /* 69 samples each, the last short */
    ndft_made made = made_of(&c);
    assert_int_equal(made.problem.structure.line_length, 69);
    float *kx = (float *)made.problem.k[0];
    kx[700] = nextafterf(kx[700], 100);
    ndft_error err;
    assert_int_equal(ndft_structure_find(&made.problem, NULL, &err), NDFT_OK);
    assert_int_equal(made.problem.structure.line_length, 0);
    ndft_made_free(&made);
}

/* The conventions in which rivals were measured: traj=radial:N with m = N^2, kooshball:m/N. */
static void radial_and_kooshball_follow_their_formulas(void **state)
{
    (void)state;
    ndft_case c = a_case(2, 64, 64, 1, 4096);
    c.traj = (ndft_source){.kind = NDFT_TRAJ_RADIAL, .a = 64};
    ndft_made made = made_of(&c);
    for (int64_t j = 0; j < c.m; j++) {
        double angle = M_PI * (double)(j / 64) / 64, r = (double)(j % 64 - 32);
        assert_true(fabs(k_at(&made, 0, j) - r * cos(angle)) <= 0x1p-10);
        assert_true(fabs(k_at(&made, 1, j) - r * sin(angle)) <= 0x1p-10);
    }
    ndft_made_free(&made);

    c = a_case(3, 32, 32, 32, 32 * 100);
    c.traj = (ndft_source){.kind = NDFT_TRAJ_KOOSHBALL, .a = 100};
    made = made_of(&c);
    for (int64_t j = 0; j < c.m; j++) {
        double z = ((double)(j / 32) + 0.5) / 100, r = (double)(j % 32 - 16);
        double azimuth = M_PI * (3 - sqrt(5)) * (double)(j / 32);
        assert_true(fabs(k_at(&made, 2, j) - r * z) <= 0x1p-10);
        assert_true(fabs(k_at(&made, 0, j) - r * sqrt(1 - z * z) * cos(azimuth)) <= 0x1p-10);
    }
    ndft_made_free(&made);
}

/* Three hubs in turn, about z, x and y: each sample at its radius, on its cone, at its azimuth. */
static void floret_follows_its_formula(void **state)
{
    (void)state;
    enum { SHOTS = 3 * 20 + 1, LENGTH = 64 };
    ndft_case c = a_case(3, 32, 32, 32, (int64_t)SHOTS * LENGTH);
    c.traj = (ndft_source){.kind = NDFT_TRAJ_FLORET, .a = SHOTS};
    ndft_made made = made_of(&c);
    assert_int_equal(made.problem.structure.line_length, 0);
    for (int64_t j = 0; j < c.m; j++) {
        const int64_t shot = j / LENGTH, hub = shot % 3, cone = shot / 3, cones = hub ? 20 : 21;
        const double rho = (double)(j % LENGTH) / (LENGTH - 1), r = 16 * rho;
        const double elevation = M_PI / 4 * ((double)(2 * cone + 1) / (double)cones - 1);
        const double turns = M_PI / 4 * 256 / (double)cones;
        const double azimuth = M_PI * (3 - sqrt(5)) * (double)cone + 2 * M_PI * turns * rho * rho;
        const double x = k_at(&made, (int)(0 + hub) % 3, j), y = k_at(&made, (int)(1 + hub) % 3, j);
        assert_true(fabs(k_at(&made, (int)(2 + hub) % 3, j) - r * sin(elevation)) <= 0x1p-18);
        assert_true(fabs(x - r * cos(elevation) * cos(azimuth)) <= 0x1p-18);
        assert_true(fabs(y - r * cos(elevation) * sin(azimuth)) <= 0x1p-18);
    }
    ndft_made_free(&made);
}

static void epi_covers_the_grid(void **state)
{
    (void)state;
    ndft_case c = a_case(2, 8, 6, 1, 48);
    c.traj = (ndft_source){.kind = NDFT_TRAJ_EPI, .a = 2};
    ndft_made made = made_of(&c);
    int seen[48] = {0};
    for (int64_t j = 0; j < c.m; j++)
        seen[(int)(k_at(&made, 0, j) + 4 + 8 * (k_at(&made, 1, j) + 3))]++;
    for (int i = 0; i < 48; i++) assert_int_equal(seen[i], 1);
    assert_true(k_at(&made, 0, 7) == 3 && k_at(&made, 0, 8) == 3); /* there and back */
    assert_true(k_at(&made, 1, 8) - k_at(&made, 1, 7) == 2);       /* every other line */
    ndft_made_free(&made);
}

/* Largest gradient and slew of one arm by finite differences, in T/m and T/m/s. */
static void measure_arm(const ndft_made *made, double fov, int64_t length, double *gradient,
                        double *slew)
{
    double dwell = t_at(made, 1), last[2] = {0, 0};
    *gradient = *slew = 0;
    for (int64_t j = 1; j < length; j++) {
        double g[2];
        for (int d = 0; d < 2; d++)
            g[d] = (k_at(made, d, j) - k_at(made, d, j - 1)) / (fov * dwell * NDFT_GAMMA);
        *gradient = fmax(*gradient, hypot(g[0], g[1]));
        *slew = fmax(*slew, hypot(g[0] - last[0], g[1] - last[1]) / dwell);
        memcpy(last, g, sizeof last);
    }
}

/* Shortest readout that the message of a t too short names, in s. */
static double shortest_t(ndft_case c)
{
    ndft_made made;
    ndft_error err;
    c.t = 1e-4;
    assert_int_equal(ndft_make(&c, &made, &err), NDFT_EINVAL);
    const char *at = strstr(err.message, "the shortest is t=");
    assert_non_null(at);
    return atof(at + strlen("the shortest is t=")) * 1e-3;
}

static void spirals_keep_the_limits(void **state)
{
    (void)state;
    const struct {
        ndft_source_kind kind;
        int64_t n, shots, length;
        double fov;
    } arms[] = {{NDFT_TRAJ_SPIRAL, 64, 1, 4096, .22},   {NDFT_TRAJ_SPIRAL, 256, 8, 4096, .22},
                {NDFT_TRAJ_SPIRAL, 512, 1, 65536, .22}, {NDFT_TRAJ_VDSPIRAL, 256, 4, 8192, .22},
                {NDFT_TRAJ_SPIRAL, 47, 4, 253, .22},    {NDFT_TRAJ_VDSPIRAL, 64, 1, 2000, .1},
                {NDFT_TRAJ_SPIRAL, 64, 128, 512, .22}};
    for (size_t i = 0; i < sizeof arms / sizeof *arms; i++) {
        ndft_case c = a_case(2, arms[i].n, arms[i].n, 1, arms[i].shots * arms[i].length);
        c.prec = NDFT_F64;
        c.fov = arms[i].fov;
        c.traj = (ndft_source){.kind = arms[i].kind, .a = arms[i].shots};
        c.t = shortest_t(c);
        ndft_made made = made_of(&c);
        double gradient, slew;
        measure_arm(&made, c.fov, arms[i].length, &gradient, &slew);
        if (gradient > 40.1e-3 || slew > 140 * 1.02)
            fail_msg("arm %zu: %g mT/m, %g T/m/s", i, gradient * 1e3, slew);
        assert_true(slew > 140 * 0.9); /* and use them */
        double end = hypot(k_at(&made, 0, arms[i].length - 1), k_at(&made, 1, arms[i].length - 1));
        assert_true(fabs(end - (double)arms[i].n / 2) < 1e-9 * end);
        assert_true(k_at(&made, 0, 0) == 0 && k_at(&made, 1, 0) == 0);
        ndft_made_free(&made);
    }
}

/* Neighbouring turns of all arms are one cycle/FOV apart: radius = S angle / (2 pi). */
static void spiral_meets_nyquist(void **state)
{
    (void)state;
    ndft_case c = a_case(2, 64, 64, 1, 4 * 5000);
    c.traj = (ndft_source){.kind = NDFT_TRAJ_SPIRAL, .a = 4};
    c.prec = NDFT_F64;
    ndft_made made = made_of(&c);
    double angle = 0;
    for (int64_t j = 2; j < 5000; j++) {
        double x = k_at(&made, 0, j), y = k_at(&made, 1, j);
        double step = atan2(y, x) - atan2(k_at(&made, 1, j - 1), k_at(&made, 0, j - 1));
        angle += step - 2 * M_PI * round(step / (2 * M_PI));
        double first = atan2(k_at(&made, 1, 1), k_at(&made, 0, 1));
        assert_true(fabs(hypot(x, y) - 4 * (angle + first) / (2 * M_PI)) < 1e-6);
    }
    assert_true(fabs(hypot(k_at(&made, 0, 4999), k_at(&made, 1, 4999)) - 32) < 1e-9);
    ndft_made_free(&made);
}

static void spiral_that_cannot_be_played(void **state)
{
    (void)state;
    ndft_case c = a_case(2, 256, 256, 1, 65536);
    c.traj = (ndft_source){.kind = NDFT_TRAJ_SPIRAL, .a = 1};
    c.t = 10e-3;
    REFUSED(&c, NDFT_EINVAL, "t=10ms", "spiral:1", "the shortest is t=", "would fit: traj=spiral:");

    ndft_made made;
    ndft_error err;
    assert_int_equal(ndft_make(&c, &made, &err), NDFT_EINVAL);
    int64_t shots =
        atoll(strstr(err.message, "traj=spiral:1 ") ? strstr(err.message, "in 10ms ") + 8 : "");
    assert_true(shots > 1);
    c.traj.a = shots; /* what it names fits, and one less does not */
    made = made_of(&c);
    ndft_made_free(&made);
    c.traj.a = shots - 1;
    REFUSED(&c, NDFT_EINVAL, "too short");

    c.t = 1e-5;
    REFUSED(&c, NDFT_EINVAL, "no number of shots fits");
    c.t = 0; /* no clock, no limit */
    made = made_of(&c);
    ndft_made_free(&made);
}

static void wrong_trajectories_are_refused(void **state)
{
    (void)state;
    ndft_case c = with_shots(3, NDFT_TRAJ_RADIAL, 4, 0);
    REFUSED(&c, NDFT_EINVAL, "2d", "3d");
    c = with_shots(2, NDFT_TRAJ_KOOSHBALL, 4, 0);
    REFUSED(&c, NDFT_EINVAL, "3d");
    c = with_shots(2, NDFT_TRAJ_RADIAL, 1010, 0);
    REFUSED(&c, NDFT_EINVAL, "1010 shots", "m=1009");
    c = with_shots(2, NDFT_TRAJ_RADIAL, 0, 0);
    REFUSED(&c, NDFT_EINVAL, "0 shots");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_trajectory_stays_in_bounds),
        cmocka_unit_test(shots_restart_the_clock),
        cmocka_unit_test(lines_are_exactly_uniform),
        cmocka_unit_test(one_bent_line_is_no_structure),
        cmocka_unit_test(radial_and_kooshball_follow_their_formulas),
        cmocka_unit_test(floret_follows_its_formula),
        cmocka_unit_test(epi_covers_the_grid),
        cmocka_unit_test(spirals_keep_the_limits),
        cmocka_unit_test(spiral_meets_nyquist),
        cmocka_unit_test(spiral_that_cannot_be_played),
        cmocka_unit_test(wrong_trajectories_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
