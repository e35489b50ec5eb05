/* SPDX-License-Identifier: Apache-2.0 */
#include "files/extent.h"
#include "support/make_case.h"

#include <math.h>
#include <string.h>

/* What is said of a case's own files, and what of it is doubted. */

enum { COUNT = 4 };

static const double two_pi = 6.283185307179586;

/* A case of files, and the problem that would be made of them: largest |k| of both axes, a map
 * from -w to w, times from t0 to t0 + readout. */
typedef struct made_up {
    ndft_case c;
    ndft_problem p;
    double dw[COUNT], t[COUNT], decay[COUNT];
} made_up;

static void make_up(made_up *m, double kx, double ky, double hz, double t0, double readout)
{
    *m = (made_up){.c = a_case(2, 64, 96, 1, COUNT)};
    m->c.traj.kind = m->c.times.kind = m->c.field.kind = NDFT_SOURCE_FILE;
    for (int i = 0; i < COUNT; i++) {
        const double part = i / (COUNT - 1.0);
        m->dw[i] = two_pi * hz * (2 * part - 1);
        m->t[i] = t0 + readout * part;
    }
    m->p = (ndft_problem){.dim = 2,
                          .prec = NDFT_F64,
                          .n = {64, 96, 1},
                          .n_voxels = COUNT,
                          .n_samples = COUNT,
                          .t = m->t,
                          .dw = m->dw,
                          .k_max = {kx, ky},
                          .t_max = fmax(fabs(t0), fabs(t0 + readout)),
                          .dw_max = two_pi * hz};
}

static ndft_texts doubts_of(const made_up *m)
{
    const ndft_extent e = ndft_extent_of(&m->p);
    ndft_texts texts = {0};
    ndft_error err;
    assert_int_equal(ndft_doubts_add(&e, &m->c, &m->p, &texts, &err), NDFT_OK);
    return texts;
}

static void doubts(const made_up *m, const char *words)
{
    ndft_texts texts = doubts_of(m);
    if (texts.size != 1) fail_msg("%zu doubts for '%s'", texts.size, words);
    if (!strstr(texts.text[0], words)) fail_msg("no '%s' in: %s", words, texts.text[0]);
    ndft_texts_free(&texts);
}

static void doubts_nothing(const made_up *m)
{
    ndft_texts texts = doubts_of(m);
    if (texts.size) fail_msg("%s", texts.text[0]);
    ndft_texts_free(&texts);
}

static void one_line_says_how_far_it_reaches(void **state)
{
    (void)state;
    made_up m;
    make_up(&m, 16, 48, 100, 0.005, 0.02);
    char line[256];
    ndft_extent e = ndft_extent_of(&m.p);
    assert_true(e.k[0] == 0.5 && e.k[1] == 1);
    assert_true(fabs(e.cycles - 4) < 1e-12);
    const int length = ndft_extent_print(&e, &m.c, &m.p, line, sizeof line);
    assert_int_equal(length, strlen(line));
    assert_string_equal(line, "|k| up to 0.5, 1 of N/2; field -100 to 100 Hz; times 5 to 25 ms; "
                              "4 cycles of phase");
    m.p.dw = NULL;
    m.c.mask.kind = NDFT_SOURCE_FILE;
    e = ndft_extent_of(&m.p);
    ndft_extent_print(&e, &m.c, &m.p, line, sizeof line);
    assert_string_equal(line, "|k| up to 0.5, 1 of N/2; no field map; times 5 to 25 ms; "
                              "0 cycles of phase; 4 of 6144 voxels");
}

static void sensible_data_is_not_doubted(void **state)
{
    (void)state;
    made_up m;
    make_up(&m, 32, 48, 100, 0, 0.02);
    doubts_nothing(&m);
    make_up(&m, 33, 50, 600, 0.0046, 0.0031);
    doubts_nothing(&m);
    make_up(&m, 32, 48, 25, 0, 0.03); /* weak, but more than a cycle */
    doubts_nothing(&m);
    make_up(&m, 32, 0, 100, -0.01, 0.02); /* one line */
    doubts_nothing(&m);
    make_up(&m, 32, 48, 0, 0, 0); /* a map of zeros */
    doubts_nothing(&m);
}

static void a_map_needs_times(void **state)
{
    (void)state;
    made_up m;
    make_up(&m, 32, 48, 100, 0, 0);
    doubts(&m, "no effect");
    make_up(&m, 32, 48, 100, 0.01, 0);
    doubts_nothing(&m);
}

/* Rates up to `most`, as a file's. */
static void decay_by(made_up *m, double most)
{
    for (int i = 0; i < COUNT; i++) m->decay[i] = most * i / (COUNT - 1);
    m->c.decay.kind = NDFT_SOURCE_FILE;
    m->p.decay = m->decay;
    m->p.decay_max = most;
}

static void rates_are_per_second(void **state)
{
    (void)state;
    made_up m;
    char line[256];
    make_up(&m, 32, 48, 100, 0, 0.02);
    decay_by(&m, 40);
    doubts_nothing(&m);
    const ndft_extent e = ndft_extent_of(&m.p);
    ndft_extent_print(&e, &m.c, &m.p, line, sizeof line);
    assert_non_null(strstr(line, "; field -100 to 100 Hz; R2* 0 to 40 1/s; times "));
    m.p.maps = m.decay, m.p.maps_max = 2.5;
    ndft_extent_print(&e, &m.c, &m.p, line, sizeof line);
    assert_non_null(strstr(line, " 1/s; coil maps up to 2.5; times "));
    decay_by(&m, 0.04);
    doubts(&m, "in 1/ms");
    decay_by(&m, 0);
    doubts_nothing(&m);
    make_up(&m, 32, 48, 0, 0, 0);
    decay_by(&m, 40);
    doubts(&m, "no effect of decay,");
    m.c = a_case(2, 64, 96, 1, COUNT);
    assert_false(ndft_case_reads_files(&m.c));
    m.c.decay.kind = NDFT_SOURCE_FILE;
    assert_true(ndft_case_reads_files(&m.c));
}

static void times_are_seconds(void **state)
{
    (void)state;
    made_up m;
    make_up(&m, 32, 48, 100, 4.6, 3.1);
    doubts(&m, "in ms");
}

static void positions_are_cycles_per_fov(void **state)
{
    (void)state;
    made_up m;
    make_up(&m, 3.14159274, 3.1, 100, 0, 0.02);
    doubts(&m, "N/(2 pi)");
    make_up(&m, 0.5, 0.49, 100, 0, 0.02);
    doubts(&m, "cycles/voxel");
    make_up(&m, 32, 4.7, 100, 0, 0.02);
    doubts(&m, "k_y reaches 0.0979 of N/2");
    make_up(&m, 49, 48, 100, 0, 0.02);
    doubts(&m, "k_x reaches 1.53 of N/2");
    m.c.traj.kind = NDFT_SOURCE_RANDOM;
    doubts_nothing(&m);
    make_up(&m, 3, 3, 100, 0, 0.02);
    m.p.n[0] = m.p.n[1] = 8; /* too few to tell */
    doubts_nothing(&m);
}

static void voxels_are_the_unit_of_positions(void **state)
{
    (void)state;
    made_up m;
    char line[256];
    make_up(&m, 32, 48, 100, 0, 0.02);
    m.p.x[0] = m.p.x[1] = m.decay;
    m.p.x_max[0] = 33.5, m.p.x_max[1] = 61;
    doubts_nothing(&m);
    const ndft_extent e = ndft_extent_of(&m.p);
    ndft_extent_print(&e, &m.c, &m.p, line, sizeof line);
    assert_non_null(strstr(line, " cycles of phase; off the grid, |x| up to 33.5, 61 voxels"));
    m.p.x_max[0] = 0.498, m.p.x_max[1] = 0.5;
    doubts(&m, "voxels reach 0.5 voxels from the centre only: if the file is in FOV, multiply it "
               "by N");
    m.p.n[0] = m.p.n[1] = 8; /* too few to tell */
    m.c.traj.kind = NDFT_SOURCE_RANDOM;
    doubts_nothing(&m);
}

static void maps_are_in_rad_per_s(void **state)
{
    (void)state;
    made_up m;
    make_up(&m, 32, 48, 25, 0, 0.01);
    doubts(&m, "below 25 Hz and 0.5 cycles");
    make_up(&m, 32, 48, 100, 0, 0.02);
    for (int i = 0; i < COUNT; i++) m.dw[i] = rint(m.dw[i]);
    doubts(&m, "whole number");
    m.c.field.kind = NDFT_FIELD_SMOOTH;
    doubts_nothing(&m);
}

static void files_are_noticed(void **state)
{
    (void)state;
    ndft_case c = a_case(2, 4, 4, 1, COUNT);
    assert_false(ndft_case_reads_files(&c));
    ndft_source *const sources[] = {&c.traj, &c.times, &c.field, &c.grad,
                                    &c.grid, &c.mask,  &c.data};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        const ndft_source was = *sources[i];
        sources[i]->kind = NDFT_SOURCE_FILE;
        assert_true(ndft_case_reads_files(&c));
        *sources[i] = was;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_line_says_how_far_it_reaches),
        cmocka_unit_test(sensible_data_is_not_doubted),
        cmocka_unit_test(a_map_needs_times),
        cmocka_unit_test(rates_are_per_second),
        cmocka_unit_test(times_are_seconds),
        cmocka_unit_test(positions_are_cycles_per_fov),
        cmocka_unit_test(voxels_are_the_unit_of_positions),
        cmocka_unit_test(maps_are_in_rad_per_s),
        cmocka_unit_test(files_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
