/* SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"

#include <stdio.h>
#include <unistd.h>

/* Clocks that no trajectory makes: late, backwards, through zero with repeats, standing, by stages,
 * and lines that begin late but are uniform. */

enum { SAMPLES = 311, LINE = 63 }; /* five spokes, the last cut short */

static double late(int j) { return 0.1 + 0.005 * (j * 37 % SAMPLES) / SAMPLES; }

static double backwards(int j) { return 0.03 - 0.02 * j / SAMPLES; }

static double through_zero(int j) { return 0.01 * (j / 10 - 15) / 15; }

static double standing(int j)
{
    (void)j;
    return 0.0123;
}

static double stages(int j) { return 4e-3 * (j % 4); }

static double late_lines(int j) { return 0x1p-3 + j % LINE * 0x1p-14; }

static double (*const clocks[])(int) = {late,     backwards, through_zero,
                                        standing, stages,    late_lines};

static void check_clock(variant_suite *s, const ndft_registered *entry, const char *path)
{
    static const char *const cases[] = {"forward %s", "adjoint %s", "normal %s",
                                        "adjoint %s grad=random:30Hz"};
    const ndft_candidate candidate = ndft_candidate_of(entry);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char rest[256], text[300];
        snprintf(rest, sizeof rest,
                 "2d n=23x19 m=%d traj=radial:5 times=file:%s field=random:60Hz coils=2 tol=1e-3",
                 SAMPLES, path);
        snprintf(text, sizeof text, cases[i], rest);
        suite_check(s, &candidate, text);
    }
}

void test_clocks(variant_suite *s, const ndft_registered *entry)
{
    double t[SAMPLES];
    const ndft_candidate candidate = ndft_candidate_of(entry);
    char path[] = "/tmp/ndft-clock-XXXXXX.npy";
    ndft_error err;
    if (!suite_temporary(s, &candidate, path)) return;
    for (size_t c = 0; c < sizeof clocks / sizeof *clocks; c++) {
        for (int j = 0; j < SAMPLES; j++) t[j] = clocks[c](j);
        if (suite_write(path, t, (int64_t[]){SAMPLES}, 1, &err) == NDFT_OK)
            check_clock(s, entry, path);
        else
            suite_fail(s, &candidate, path, "%s", err.message);
    }
    unlink(path);
}
