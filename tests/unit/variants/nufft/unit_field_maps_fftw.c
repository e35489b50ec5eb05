/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bounds.h"
#include "device/backend.h"
#include "problem/kinds.h"
#include "reference.h"
#include "support/field_maps.h"
#include "support/turn.h"

#include "prepared.h"

#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/*
 * What expands a field map, against the operator in double, by every unit vector: the coils are the
 * unit vectors, their outputs the columns. Claims have to hold for all entries together and for
 * each.
 */

enum { NX = 8, NY = 6, VOXELS = NX * NY, SAMPLES = 110 };

typedef struct setting {
    double k[2][SAMPLES], t[SAMPLES], dw[VOXELS];
    float k32[2][SAMPLES], t32[SAMPLES], dw32[VOXELS];
    double complex entry[SAMPLES][VOXELS];
    ndft_problem p;
} setting;

static const void *rounded(ndft_prec prec, int n, double *exact, float *single)
{
    for (int i = 0; i < n; i++) {
        single[i] = (float)exact[i];
        if (prec == NDFT_F32) exact[i] = single[i];
    }
    return prec == NDFT_F32 ? (const void *)single : exact;
}

static double complex entry(const setting *s, int j, int v)
{
    const double x = v % NX - NX / 2, y = v / NX - NY / 2;
    const double turns = s->k[0][j] * x / NX + s->k[1][j] * y / NY;
    return cexp(-I * (2 * M_PI * turns + s->dw[v] * s->t[j]));
}

static void set(int map, int clock, ndft_prec prec, double tol, ndft_op op, setting *s)
{
    for (int v = 0; v < VOXELS; v++) s->dw[v] = 2 * M_PI * field_map(map, v, VOXELS);
    for (int j = 0; j < SAMPLES; j++) {
        s->t[j] = clock_of(clock, j, SAMPLES);
        s->k[0][j] = NX / 2.0 * hashed(1, j);
        s->k[1][j] = NY / 2.0 * hashed(2, j);
    }
    s->p = (ndft_problem){.dim = 2,
                          .prec = prec,
                          .tol = tol,
                          .n = {NX, NY, 1},
                          .n_voxels = VOXELS,
                          .n_samples = SAMPLES,
                          .coils = op == NDFT_ADJOINT ? SAMPLES : VOXELS,
                          .k = {rounded(prec, SAMPLES, s->k[0], s->k32[0]),
                                rounded(prec, SAMPLES, s->k[1], s->k32[1])},
                          .t = rounded(prec, SAMPLES, s->t, s->t32),
                          .dw = rounded(prec, VOXELS, s->dw, s->dw32)};
    ndft_measure_bounds(&s->p, NULL);
    for (int j = 0; j < SAMPLES; j++)
        for (int v = 0; v < VOXELS; v++) s->entry[j][v] = entry(s, j, v);
}

/* Of output `row` for the unit vector `column`. */
static double complex exactly(const setting *s, ndft_op op, int row, int column)
{
    if (op == NDFT_FORWARD) return s->entry[row][column];
    if (op == NDFT_ADJOINT) return conj(s->entry[column][row]);
    double complex sum = 0;
    for (int j = 0; j < SAMPLES; j++) sum += conj(s->entry[j][row]) * s->entry[j][column];
    return sum;
}

/* Root mean square over all entries, relative; the largest, over that of any entry. */
typedef struct errors {
    double typical, any;
} errors;

static errors errors_of(const setting *s, ndft_op op, const void *out)
{
    const int rows = (int)ndft_output_length(&s->p, op);
    double square = 0, size = 0, most = 0;
    for (int c = 0; c < s->p.coils; c++) {
        for (int r = 0; r < rows; r++) {
            const int64_t at = 2 * (c * rows + r);
            const double complex exact = exactly(s, op, r, c);
            const double e = cabs(ndft_real_at(out, s->p.prec, at) +
                                  I * ndft_real_at(out, s->p.prec, at + 1) - exact);
            square += e * e;
            size += creal(exact * conj(exact));
            most = fmax(most, e);
        }
    }
    return (errors){sqrt(square / size), op == NDFT_NORMAL ? most / SAMPLES : most};
}

static void *run(const setting *s, const ndft_candidate *candidate, ndft_op op, ndft_exec *exec)
{
    ndft_prepared plan;
    const size_t bytes = ndft_vector_bytes(&s->p, ndft_output_length(&s->p, op));
    void *in = calloc(1, ndft_vector_bytes(&s->p, s->p.coils)), *out = malloc(bytes);
    for (int c = 0; c < s->p.coils; c++) ndft_put_real(in, s->p.prec, 2 * c * (s->p.coils + 1), 1);
    if (ndft_prepare_promised(candidate->entry->variant, candidate->knobs, &s->p, op, exec, &plan))
        fail_msg("%s", exec->error->message);
    assert_int_equal(ndft_prepared_execute_host(&plan, op, in, out), NDFT_OK);
    ndft_prepared_destroy(&plan);
    free(in);
    return out;
}

/* Whether it fits; then the claim must hold. */
static bool holds(const char *id, setting *s, ndft_op op, const char *of, ndft_exec *exec)
{
    ndft_candidate candidate;
    ndft_error err = {0};
    ndft_check check = ndft_check_blank();
    assert_int_equal(ndft_id_parse(id, &candidate, &err), NDFT_OK);
    if (!ndft_fits(&ndft_nonuniform, &candidate, &s->p, op, &exec->device, &check)) {
        print_message("%s, %s: %s\n", id, of, check.reason);
        return false;
    }
    void *out = run(s, &candidate, op, exec);
    const errors e = errors_of(s, op, out);
    if (!(e.typical <= check.claim && e.any <= check.claim_any))
        fail_msg("%s, %s: %.3g of %.3g claimed, at worst %.3g of %.3g", id, of, e.typical,
                 check.claim, e.any, check.claim_any);
    free(out);
    return true;
}

static void on_all(const char *id, ndft_op op, ndft_tol_kind kind, ndft_prec prec,
                   int unsupported_most)
{
    static const char *const kinds[] = {"", " of any data"};
    const double tol = prec == NDFT_F32 ? 1e-4 : 1e-8;
    ndft_error err = {0};
    ndft_exec *exec;
    setting *s = malloc(sizeof *s);
    int unsupported = 0;
    assert_int_equal(ndft_backend_cpu.open(0, &exec, &err), NDFT_OK);
    for (int map = 0; map < FIELD_MAPS; map++) {
        for (int clock = 0; clock < CLOCKS; clock++) {
            if (!has_turn(map + clock)) continue;
            char of[80];
            snprintf(of, sizeof of, "map %d, clock %d, tol=%g%s", map, clock, tol, kinds[kind]);
            set(map, clock, prec, tol, op, s);
            s->p.tol_kind = kind;
            unsupported += !holds(id, s, op, of, exec);
        }
    }
    free(s);
    ndft_backend_cpu.close(exec);
    assert_in_range(unsupported, 0, unsupported_most);
}

static void test_normal_by_convolutions(void **state)
{
    (void)state;
    on_all("nufft_toeplitz.cpu", NDFT_NORMAL, NDFT_TOL_TYPICAL, NDFT_F32, 0);
    on_all("nufft_toeplitz.cpu", NDFT_NORMAL, NDFT_TOL_TYPICAL, NDFT_F64, 0);
    on_all("nufft_toeplitz.cpu", NDFT_NORMAL, NDFT_TOL_ANY, NDFT_F64, 0);
}

/* One voxel of a map is too far away, by three clocks. */
static void on_operations(const char *id)
{
    for (int op = NDFT_FORWARD; op <= NDFT_ADJOINT; op++) {
        on_all(id, (ndft_op)op, NDFT_TOL_TYPICAL, NDFT_F32, 3);
        on_all(id, (ndft_op)op, NDFT_TOL_TYPICAL, NDFT_F64, 3);
        on_all(id, (ndft_op)op, NDFT_TOL_ANY, NDFT_F64, 3);
    }
}

static void test_singular_vectors(void **state)
{
    (void)state;
    on_operations("nufft_scatter.cpu");
}

static void test_segments(void **state)
{
    (void)state;
    on_operations("nufft_scatter.cpu:field=segments");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normal_by_convolutions),
        cmocka_unit_test(test_singular_vectors),
        cmocka_unit_test(test_segments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
