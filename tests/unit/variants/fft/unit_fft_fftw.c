/* SPDX-License-Identifier: Apache-2.0 */
#include "fft/fft_fftw.h"

#include "base/host_fft.h"

#include <complex.h>
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Lines by FFTW, against sums as they are written: either precision and direction, in place and
 * from columns of a grid to rows of a buffer. Threads plan at the same time. */

enum { CELLS = 12, LINES = 8, PITCH = 16 };

static double complex at(const void *array, ndft_prec prec, int64_t i)
{
    return ndft_real_at(array, prec, 2 * i) + I * ndft_real_at(array, prec, 2 * i + 1);
}

static void fill(void *array, ndft_prec prec)
{
    srand(3);
    for (int64_t i = 0; i < 2 * CELLS * PITCH; i++)
        ndft_put_real(array, prec, i, (double)rand() / RAND_MAX - 0.5);
}

static void check(ndft_prec prec, int sign, ndft_fft_lines from, ndft_fft_lines to)
{
    double complex before[LINES][CELLS];
    ndft_fft fft;
    assert_int_equal(ndft_fft_plan(NULL, prec, sign, CELLS, LINES, from, to, &fft), NDFT_OK);
    fill(from.memory, prec);
    for (int l = 0; l < LINES; l++)
        for (int i = 0; i < CELLS; i++)
            before[l][i] = at(from.memory, prec, l * from.line + i * from.cell);
    ndft_fft_run(&fft, from.memory, to.memory);
    for (int l = 0; l < LINES; l++) {
        for (int k = 0; k < CELLS; k++) {
            double complex sum = 0;
            for (int i = 0; i < CELLS; i++)
                sum += before[l][i] * cexp(sign * 2 * acos(-1) * I * (i * k % CELLS) / CELLS);
            const double error = cabs(at(to.memory, prec, l * to.line + k * to.cell) - sum);
            assert_true(error < (prec == NDFT_F32 ? 1e-5 : 1e-13));
        }
    }
    ndft_fft_destroy(&fft);
    assert_null(fft.plan);
}

static void test_lines_are_transformed(void **state)
{
    (void)state;
    for (int prec = 0; prec < 2; prec++) {
        void *grid = aligned_alloc(64, sizeof(double complex) * CELLS * PITCH);
        void *buffer = aligned_alloc(64, sizeof(double complex) * CELLS * PITCH);
        assert_non_null(grid);
        assert_non_null(buffer);
        const ndft_fft_lines rows = {grid, 1, PITCH}, columns = {grid, PITCH, 1};
        const ndft_fft_lines apart = {buffer, 1, CELLS};
        for (int sign = -1; sign <= 1; sign += 2) {
            check((ndft_prec)prec, sign, rows, rows);
            check((ndft_prec)prec, sign, columns, columns);
            check((ndft_prec)prec, sign, columns, apart);
            check((ndft_prec)prec, sign, apart, columns);
        }
        free(grid);
        free(buffer);
    }
}

/* Plans of many lengths, made, run and destroyed; the number of those that failed. */
static void *plan_much(void *failures)
{
    enum { LONGEST = 256, ROUNDS = 3 };
    double line[2 * LONGEST] = {0};
    for (int i = 0; i < ROUNDS * LONGEST; i++) {
        ndft_fft fft[2] = {{0}};
        const int64_t cells = 1 + i % LONGEST;
        const double seconds = i % LONGEST == LONGEST / 2 ? 1e-3 : 0;
        if (ndft_fft_plan_pair(NULL, NDFT_F64, cells, 1, seconds, line, fft)) ++*(int *)failures;
        line[0] = 1;
        for (int64_t k = 1; k < 2 * cells; k++) line[k] = 0;
        ndft_fft_run(&fft[0], line, line);
        *(int *)failures += fabs(line[2 * cells - 2] - 1) > 1e-12; /* an impulse becomes ones */
        ndft_fft_destroy_pair(fft);
    }
    return NULL;
}

static void test_threads_plan_at_once(void **state)
{
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    int failures[THREADS] = {0};
    (void)state;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, plan_much, &failures[i]), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(failures[i], 0);
}

/* What algorithms were tried out for is forgotten, what others had tried out is not. */
static void test_what_others_learnt_stays(void **state)
{
    enum { THEIRS = 48, OURS = 80 };
    const ndft_fftw *f = ndft_fftw_of(NDFT_F64);
    double line[2 * OURS] = {0};
    ndft_fft fft[2];
    (void)state;
    if (!f || !f->export_wisdom) {
        print_message("skipped: the host's FFT has no wisdom\n");
        return;
    }
    const ndft_fftw_mode mode = {THEIRS, 1, 1};
    void *plan = f->plan(1, &mode, 0, NULL, line, line, -1, 0);
    char *before = f->export_wisdom();
    assert_int_equal(ndft_fft_plan_pair(NULL, NDFT_F64, OURS, 1, 0.1, line, fft), NDFT_OK);
    ndft_fft_destroy_pair(fft);
    char *after = f->export_wisdom();
    assert_int_equal(strlen(before), strlen(after));
    f->destroy(plan);
    free(before);
    free(after);
}

/* ISO C has no conversion from an object to a function pointer. */
static bool call_of(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
    return address;
}

/* Others have FFTW plan with threads, by either of its libraries: ours have one, theirs what they
 * had. */
static void test_plans_have_one_thread(void **state)
{
    enum { LONG = 4096, MANY = 64 };
    static float lines[2 * LONG * MANY];
    const ndft_fft_lines rows = {lines, LONG, 1};
    const char *const names[] = {"libfftw3f_omp.so.3", "libfftw3f_threads.so.3"};
    char *(*print)(const void *);
    int (*begin)(void), (*now)(void), tried = 0;
    void (*set)(int);
    ndft_fft fft;
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (!library || !call_of(library, "fftwf_init_threads", &begin) ||
            !call_of(library, "fftwf_plan_with_nthreads", &set) ||
            !call_of(library, "fftwf_planner_nthreads", &now) ||
            !call_of(dlopen("libfftw3f.so.3", RTLD_NOW), "fftwf_sprint_plan", &print) ||
            strncmp(ndft_host_fft_version(), "fftw", 4) != 0)
            continue;
        assert_int_equal(begin(), 1);
        set(3);
        assert_int_equal(ndft_fft_plan(NULL, NDFT_F32, -1, LONG, MANY, rows, rows, &fft), NDFT_OK);
        char *text = print(fft.plan);
        assert_null(strstr(text, "thr"));
        assert_int_equal(now(), 3);
        set(1);
        free(text);
        ndft_fft_destroy(&fft);
        tried++;
    }
    if (!tried) print_message("skipped: there is no FFTW with threads that tells of them\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines_are_transformed),
                                       cmocka_unit_test(test_threads_plan_at_once),
                                       cmocka_unit_test(test_what_others_learnt_stays),
                                       cmocka_unit_test(test_plans_have_one_thread)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
