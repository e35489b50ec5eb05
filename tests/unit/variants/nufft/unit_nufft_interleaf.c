/* SPDX-License-Identifier: Apache-2.0 */
#include "nufft/readout/interleaf.h"
#include "support/make_case.h"

#include <math.h>
#include <time.h>

/* The interleaf of which a spiral's shots are turned copies, and which samples are on none. */

static ndft_made samples_of(ndft_source_kind kind, int64_t shots, int64_t n, int64_t m,
                            ndft_prec prec)
{
    ndft_case c = a_case(2, n, n + n / 8, 1, m);
    c.traj = (ndft_source){.kind = kind, .a = shots};
    c.prec = prec;
    return made_of(&c);
}

/* Distances of samples from where the interleaf has them, in cycles/FOV. */
static void distances(const ndft_problem *p, const ndft_interleaf *interleaf, double *worst,
                      double *mean)
{
    double sum = *worst = 0;
    for (int64_t j = 0; j < p->n_samples; j++) {
        double radius, angle;
        ndft_interleaf_at(interleaf->piece, interleaf->shift, (int)(j % interleaf->length), &radius,
                          &angle);
        angle = 2 * M_PI * (angle + interleaf->turn[j / interleaf->length]);
        const double x = ndft_real_at(p->k[0], p->prec, j) - (double)p->n[0] * radius * cos(angle);
        const double y = ndft_real_at(p->k[1], p->prec, j) - (double)p->n[1] * radius * sin(angle);
        *worst = fmax(*worst, hypot(x, y));
        sum += x * x + y * y;
    }
    *mean = sqrt(sum / (double)p->n_samples);
}

static const struct {
    ndft_source_kind kind;
    int64_t shots, n, m;
    ndft_prec prec;
} spirals[] = {
    {NDFT_TRAJ_SPIRAL, 1, 256, 65536, NDFT_F32},    {NDFT_TRAJ_SPIRAL, 16, 256, 65536, NDFT_F32},
    {NDFT_TRAJ_SPIRAL, 16, 128, 16384, NDFT_F32},   {NDFT_TRAJ_SPIRAL, 64, 512, 262144, NDFT_F32},
    {NDFT_TRAJ_VDSPIRAL, 16, 256, 65536, NDFT_F32}, {NDFT_TRAJ_SPIRAL, 2, 23, 1311, NDFT_F32},
    {NDFT_TRAJ_SPIRAL, 5, 64, 9001, NDFT_F32},      {NDFT_TRAJ_SPIRAL, 16, 128, 16384, NDFT_F64},
};

static void spirals_are_turned_copies_of_one_interleaf(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof spirals / sizeof *spirals; i++) {
        ndft_made made = samples_of(spirals[i].kind, spirals[i].shots, spirals[i].n, spirals[i].m,
                                    spirals[i].prec);
        const ndft_problem *p = &made.problem;
        ndft_interleaf interleaf;
        double worst, mean;
        assert_null(ndft_interleaf_find(p, &interleaf));
        assert_int_equal(interleaf.shots, spirals[i].shots);
        assert_int_equal(interleaf.length, (p->n_samples - 1) / interleaf.shots + 1);
        assert_true(interleaf.pieces <= NDFT_INTERLEAF_START / 4 + interleaf.length / 8);
        distances(p, &interleaf, &worst, &mean);
        assert_true(worst < 1e-4);
        assert_true(interleaf.error <= p->tol / 2);
        assert_true(M_PI / sqrt(3) * mean <= interleaf.error); /* the phase's deviation */
        assert_true(interleaf.error <= 6 * M_PI / sqrt(3) * mean);
        /* At the image's edge, and with three units of each sine's rounding at its corner. */
        const double n = (double)p->n[0], edge = 2 * M_PI * floor(n / 2) / n;
        const double eps = p->prec == NDFT_F32 ? 0x1p-24 : 0x1p-53;
        const double sines = 6 * eps * edge * hypot(p->k_max[0], p->k_max[1]);
        assert_true(edge * worst <= interleaf.worst * (1 + 1e-6));
        assert_true(interleaf.worst <= M_SQRT2 * edge * worst * (1 + 1e-6) + sines);
        ndft_interleaf_free(&interleaf);
        ndft_made_free(&made);
    }
}

static void a_loose_tolerance_takes_longer_pieces(void **state)
{
    (void)state;
    ndft_made made = samples_of(NDFT_TRAJ_SPIRAL, 16, 256, 65536, NDFT_F32);
    ndft_interleaf fine, coarse;
    assert_null(ndft_interleaf_find(&made.problem, &fine));
    made.problem.tol = 1e-1;
    assert_null(ndft_interleaf_find(&made.problem, &coarse));
    assert_true(coarse.shift > fine.shift && coarse.pieces < fine.pieces / 4);
    assert_true(coarse.error > fine.error && coarse.error < 1e-2);
    ndft_interleaf_free(&fine);
    ndft_interleaf_free(&coarse);
    ndft_made_free(&made);
}

static void is_on_none(const ndft_problem *p)
{
    ndft_interleaf interleaf;
    assert_non_null(ndft_interleaf_find(p, &interleaf));
    assert_null(interleaf.piece);
    assert_non_null(ndft_interleaf_unsupported(p));
    assert_true(isinf(ndft_interleaf_error(p)));
}

static void other_samples_are_on_none(void **state)
{
    (void)state;
    const ndft_source_kind kinds[] = {NDFT_SOURCE_RANDOM, NDFT_TRAJ_EPI};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        ndft_made made = samples_of(kinds[i], 4, 64, 4096, NDFT_F32);
        is_on_none(&made.problem);
        ndft_made_free(&made);
    }
    ndft_made made = samples_of(NDFT_TRAJ_SPIRAL, 4, 64, 15, NDFT_F32);
    is_on_none(&made.problem); /* fewer than a cubic or two */
    ndft_made_free(&made);
}

/* One shot that is not quite a copy, and a problem whose samples are not known yet. */
static void every_coordinate_is_looked_at(void **state)
{
    (void)state;
    ndft_made made = samples_of(NDFT_TRAJ_SPIRAL, 4, 64, 4096, NDFT_F32);
    float *x = (float *)made.problem.k[0];
    assert_null(ndft_interleaf_unsupported(&made.problem));
    x[3500] += 1e-2f;
    is_on_none(&made.problem);
    made.problem.k[0] = NULL;
    is_on_none(&made.problem);
    ndft_made_free(&made);
}

/* Samples of one radius, at the angles that a rule has, in turns. */
static ndft_made ring_of(double angle(int64_t, int64_t))
{
    enum { SAMPLES = 1 << 17 };
    ndft_made made = samples_of(NDFT_SOURCE_RANDOM, 1, 64, SAMPLES, NDFT_F32);
    float *x = (float *)made.problem.k[0], *y = (float *)made.problem.k[1];
    for (int64_t j = 0; j < SAMPLES; j++) {
        x[j] = (float)(20 * cos(2 * M_PI * angle(j, SAMPLES)));
        y[j] = (float)(22.5 * sin(2 * M_PI * angle(j, SAMPLES)));
    }
    made.problem.k_max[0] = 20;
    made.problem.k_max[1] = 22.5;
    return made;
}

static double irregular(int64_t j, int64_t m)
{
    (void)m;
    return 0.618033988749895 * (double)j * (double)j;
}

static double late(int64_t j, int64_t m) { return 0.01 * (double)(j + (j > m - 9) + (j > m - 6)); }

/* Every length of an interleaf may be that of a ring, by its first sample. */
static void rings_take_no_time(void **state)
{
    (void)state;
    double (*const rules[])(int64_t, int64_t) = {irregular, late};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        ndft_made made = ring_of(rules[i]);
        const clock_t start = clock();
        ndft_interleaf interleaf;
        if (!ndft_interleaf_find(&made.problem, &interleaf)) {
            assert_true(interleaf.length > made.problem.n_samples - 9);
            ndft_interleaf_free(&interleaf);
        }
        assert_true(clock() - start < CLOCKS_PER_SEC);
        ndft_made_free(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spirals_are_turned_copies_of_one_interleaf),
        cmocka_unit_test(a_loose_tolerance_takes_longer_pieces),
        cmocka_unit_test(other_samples_are_on_none),
        cmocka_unit_test(every_coordinate_is_looked_at),
        cmocka_unit_test(rings_take_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
