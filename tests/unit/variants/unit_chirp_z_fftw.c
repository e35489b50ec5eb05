/* SPDX-License-Identifier: Apache-2.0 */
#include "chirp_z/lattice.h"

#include "group.h"
#include "problem/kinds.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Lattices are found where samples lie on one and nowhere else; chirp_z serves those, exactly. */

static const char *lattice_1d(const double *k, int64_t samples, int64_t n, ndft_lattice *l)
{
    const ndft_problem p = {
        .dim = 1, .prec = NDFT_F64, .n = {n, 1, 1}, .n_samples = samples, .k = {k}};
    return ndft_lattice_of(&p, l);
}

static void lattices_are_found(void **state)
{
    (void)state;
    ndft_lattice l;
    const double reversed[] = {3, 1.5, 0, -1.5, -1.5};
    assert_null(lattice_1d(reversed, 5, 8, &l));
    assert_true(l.count[0] == 4 && l.first[0] == -1.5 && l.step[0] == 1.5 && l.apart[0] == 0);
    const double gaps[] = {0, 4, 10, 6}; /* no two neighbours */
    assert_null(lattice_1d(gaps, 4, 8, &l));
    assert_true(l.count[0] == 6 && l.step[0] == 2);
    const double one[] = {0.3, 0.3};
    assert_null(lattice_1d(one, 2, 8, &l));
    assert_true(l.count[0] == 1 && l.step[0] == 0 && l.places == 1);
    double rounded[300]; /* steps of 2/3, each rounded to 2^-15, the last ones first */
    for (int i = 0; i < 300; i++) rounded[i] = rint((299 - i) * 2 / 3. * 0x1p15) * 0x1p-15 - 100;
    assert_null(lattice_1d(rounded, 300, 200, &l));
    assert_int_equal(l.count[0], 300);
    assert_true(l.apart[0] > 0x1p-17 && l.apart[0] < 0x1p-15);
}

static void others_are_not(void **state)
{
    (void)state;
    ndft_lattice l;
    const double uneven[] = {0, 1, 2, 3.01, 4}, irrational[] = {0, 1, M_SQRT2, 2, M_PI, 3, M_E};
    assert_non_null(strstr(lattice_1d(uneven, 5, 8, &l), "not equispaced"));
    assert_non_null(strstr(lattice_1d(irrational, 7, 8, &l), "not equispaced"));
    assert_null(lattice_1d(irrational, 7, 1, &l)); /* of one voxel: coordinates do not matter */
    const double sparse[] = {0, 1, 100000};
    assert_non_null(strstr(lattice_1d(sparse, 3, 8, &l), "less than a sixteenth"));
}

static void phasors_are_reduced(void **state)
{
    (void)state;
    double phasor[2];
    const int64_t n = 1000003, i = (int64_t)999999 * 999999;
    const double a = 0x1.23457p-1; /* a i has more digits than a double, fewer than a long one */
    ndft_lattice_phasor(a, i, -3, 7, n, phasor);
    const long double half_turns = fmodl((long double)a * (long double)i - 21, 2 * n);
    const long double angle = acosl(-1) * half_turns / (long double)n;
    assert_true(fabsl((long double)phasor[0] - cosl(angle)) < 1e-15L);
    assert_true(fabsl((long double)phasor[1] - sinl(angle)) < 1e-15L);
}

static void take(void *context, const ndft_result *result)
{
    *(ndft_check *)context = result->check;
}

static void expect(const char *line, ndft_verdict verdict, const char *reason)
{
    ndft_case c;
    ndft_check check;
    ndft_error err;
    const ndft_candidate candidate =
        ndft_candidate_of(ndft_registered_find("chirp_z.cpu", strlen("chirp_z.cpu")));
    const ndft_group_options options = {.timing = ndft_timing_defaults};
    assert_int_equal(ndft_case_parse(line, &c, &err), NDFT_OK);
    assert_int_equal(ndft_run_group(ndft_kind_of(&c), &c, &ndft_backend_cpu, &candidate, 1,
                                    &options, &(ndft_sink){take, &check}, &err),
                     NDFT_OK);
    if (check.verdict != verdict || !strstr(check.reason, reason))
        fail_msg("%s: %s, %s", line, ndft_verdict_name(check.verdict), check.reason);
}

static void equispaced_samples_are_served(void **state)
{
    (void)state;
    expect("forward 2d n=33x32 m=1056 traj=epi:32 coils=3", NDFT_PASS, "");
    expect("adjoint 2d n=33x32 m=1056 traj=epi:32 coils=3 mask=disk", NDFT_PASS, "");
    expect("forward 2d n=16x24 m=900 traj=epi:4 layout=interleaved coils=2 mask=disk", NDFT_PASS,
           "");
    expect("adjoint 2d n=16x16 m=1500 traj=epi:4 layout=interleaved coils=5 prec=f64 tol=1e-12",
           NDFT_PASS, "");
    expect("normal 2d n=20x16 m=500 traj=epi:4", NDFT_PASS, "");
    expect("forward 2d n=33x47 m=1551 traj=epi", NDFT_PASS, ""); /* ky rounded to a grid's */
    expect("adjoint 3d n=5x6x7 m=90 traj=kooshball:90 data=phantom", NDFT_PASS, ""); /* one place */
}

static void others_are_unsupported(void **state)
{
    (void)state;
    static const char epi[] = "forward 2d n=16x16 m=256 traj=epi:16 t=5ms";
    char line[128];
    expect("forward 2d n=16x16 m=256", NDFT_UNSUPPORTED, "not equispaced");
    expect("adjoint 2d n=16x16 m=256 traj=radial:16", NDFT_UNSUPPORTED, "not equispaced");
    snprintf(line, sizeof line, "%s field=smooth:50Hz", epi);
    expect(line, NDFT_UNSUPPORTED, "no field map");
    snprintf(line, sizeof line, "%s grad=random:20Hz", epi);
    expect(line, NDFT_UNSUPPORTED, "no gradient maps");
    expect("forward 2d n=33x47 m=1551 traj=epi tol=1e-6", NDFT_UNSUPPORTED, "claim");
}

/* The sum as it is written, on a lattice of three dimensions. */
static void three_dimensions_are_served(void **state)
{
    (void)state;
    enum { M = 3 * 4 * 2, N = 4 * 3 * 5 };
    double k[3][M], in[2 * N], out[2 * M];
    ndft_problem p = {.dim = 3, .prec = NDFT_F64, .coils = 1, .n = {4, 3, 5}};
    p.n_voxels = N;
    p.n_samples = M;
    for (int j = 0; j < M; j++) {
        k[0][j] = 0.7 * (j % 3) - 1;
        k[1][j] = 1.3 * (j / 3 % 4);
        k[2][j] = 0.3 - 0.4 * (j / 12);
    }
    for (int d = 0; d < 3; d++) p.k[d] = k[d];
    for (int i = 0; i < 2 * N; i++) in[i] = sin(i * i);
    const ndft_variant *v = ndft_registered_find("chirp_z.cpu", strlen("chirp_z.cpu"))->variant;
    ndft_exec *exec;
    ndft_error err;
    void *plan;
    assert_int_equal(ndft_backend_cpu.open(0, &exec, &err), NDFT_OK);
    exec->error = &err;
    assert_null(v->unsupported(&p, &exec->device, NULL));
    assert_int_equal(v->plan(&p, NULL, NDFT_FORWARD, exec, &plan), NDFT_OK);
    assert_int_equal(v->execute(plan, NDFT_FORWARD, in, out), NDFT_OK);
    v->destroy(plan);
    ndft_backend_cpu.close(exec);
    for (int j = 0; j < M; j++) {
        double complex sum = 0;
        for (int i = 0; i < N; i++) {
            int64_t x[3];
            double turns = 0;
            ndft_voxel_coord(&p, i, x);
            for (int d = 0; d < 3; d++) turns += k[d][j] * (double)x[d] / (double)p.n[d];
            sum += (in[2 * i] + I * in[2 * i + 1]) * cexp(-2 * M_PI * I * turns);
        }
        assert_true(cabs(sum - out[2 * j] - I * out[2 * j + 1]) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattices_are_found),     cmocka_unit_test(others_are_not),
        cmocka_unit_test(phasors_are_reduced),    cmocka_unit_test(equispaced_samples_are_served),
        cmocka_unit_test(others_are_unsupported), cmocka_unit_test(three_dimensions_are_served),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
