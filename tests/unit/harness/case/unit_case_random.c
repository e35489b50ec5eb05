/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"
#include "case/case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Seeded random cases must round-trip bit for bit; mutated lines must never crash. */

enum { ROUND_TRIPS = 20000, MUTATIONS = 50000 };

static int64_t below(ndft_random *state, int64_t limit)
{
    return (int64_t)(ndft_random_bits(state) >> 11) % limit;
}

/* Positive, over many magnitudes, with any mantissa bits or a round decimal. */
static double magnitude(ndft_random *state, double least, double most)
{
    double value = least * pow(most / least, ndft_uniform(state));
    if (below(state, 3)) return value;
    char text[32];
    snprintf(text, sizeof text, "%.3g", value);
    double rounded = 0;
    sscanf(text, "%lf", &rounded);
    return rounded > most ? most : rounded;
}

static void draw_path(ndft_random *state, ndft_source *source)
{
    static const char letters[] = "abcXYZ019_-./:=,#";
    source->kind = NDFT_SOURCE_FILE;
    int64_t length = 1 + below(state, NDFT_PATH_MAX - 1);
    for (int64_t i = 0; i < length; i++)
        source->path[i] = letters[below(state, sizeof letters - 1)];
}

static void draw_trajectory(ndft_random *state, ndft_case *c)
{
    static const ndft_source_kind flat[] = {NDFT_SOURCE_RANDOM, NDFT_TRAJ_RADIAL,
                                            NDFT_TRAJ_GOLDEN,   NDFT_TRAJ_SPIRAL,
                                            NDFT_TRAJ_VDSPIRAL, NDFT_TRAJ_EPI};
    static const ndft_source_kind solid[] = {NDFT_SOURCE_RANDOM, NDFT_TRAJ_SOS, NDFT_TRAJ_KOOSHBALL,
                                             NDFT_TRAJ_FLORET};
    c->traj.kind = c->dim == 1   ? NDFT_SOURCE_RANDOM
                   : c->dim == 2 ? flat[below(state, 6)]
                                 : solid[below(state, 4)];
    c->traj.a = 1 + below(state, c->m);
    if (c->traj.kind == NDFT_TRAJ_SOS) c->traj.b = 1 + below(state, c->m / c->traj.a);
    if (c->traj.kind == NDFT_TRAJ_SPIRAL || c->traj.kind == NDFT_TRAJ_VDSPIRAL)
        c->fov = magnitude(state, 1e-6, 1e3);
    if (below(state, 10)) return;
    c->traj = (ndft_source){.a = 1};
    c->fov = 0.22;
    draw_path(state, &c->traj);
}

/* One of kinds; a path or a frequency where it takes one. */
static void draw_source(ndft_random *state, ndft_source *source, const ndft_source_kind *kinds,
                        int count)
{
    source->kind = kinds[below(state, count)];
    if (source->kind == NDFT_SOURCE_FILE) draw_path(state, source);
    switch (source->kind) {
    case NDFT_SOURCE_RANDOM:
    case NDFT_FIELD_CONST:
    case NDFT_FIELD_LINEAR:
    case NDFT_FIELD_SMOOTH:
        source->largest = below(state, 8) ? magnitude(state, 1e-9, 1e9) : 0;
        break;
    default:
        break;
    }
}

/* Concomitant only where there are gradients and a clock. */
static void draw_phase(ndft_random *state, ndft_case *c)
{
    const int kind = (int)below(state, 4);
    if (kind == 0) return;
    if (kind == 1) {
        c->phase = (ndft_source){.kind = NDFT_SOURCE_RANDOM, .a = 1 + below(state, 16)};
        c->phase.largest = magnitude(state, 1e-9, 1e9);
    } else if (kind == 2) {
        c->phase.kind = NDFT_SOURCE_FILE;
        snprintf(c->phase.path, NDFT_PATH_MAX, "c%lld.npy:b/%lld.npy", (long long)below(state, 99),
                 (long long)below(state, 99));
    } else if (c->dim > 1 && c->traj.kind != NDFT_SOURCE_RANDOM && c->t > 0) {
        c->phase.kind = NDFT_PHASE_CONCOMITANT;
        c->phase.largest = magnitude(state, 1e-6, 1e3);
        c->fov = magnitude(state, 1e-6, 1e3);
    }
}

static void draw_maps(ndft_random *state, ndft_case *c)
{
    static const ndft_source_kind fields[] = {NDFT_SOURCE_NONE,   NDFT_FIELD_CONST,
                                              NDFT_FIELD_LINEAR,  NDFT_FIELD_SMOOTH,
                                              NDFT_SOURCE_RANDOM, NDFT_SOURCE_FILE};
    static const ndft_source_kind grads[] = {NDFT_SOURCE_NONE, NDFT_SOURCE_RANDOM, NDFT_SOURCE_FILE,
                                             NDFT_GRAD_FIELD};
    static const ndft_source_kind masks[] = {NDFT_SOURCE_NONE, NDFT_MASK_DISK, NDFT_SOURCE_FILE};
    static const ndft_source_kind data[] = {NDFT_SOURCE_RANDOM, NDFT_DATA_PHANTOM,
                                            NDFT_SOURCE_FILE};
    draw_source(state, &c->field, fields, 6);
    draw_source(state, &c->decay, fields, 6);
    draw_phase(state, c);
    draw_source(state, &c->grad, grads, c->field.kind == NDFT_SOURCE_NONE ? 3 : 4);
    if (c->grad.kind != NDFT_GRAD_FIELD && below(state, 4) == 0) draw_path(state, &c->grid);
    draw_source(state, &c->mask, masks, 3);
    static const ndft_source_kind maps[] = {NDFT_SOURCE_NONE, NDFT_MAPS_BIRDCAGE,
                                            NDFT_SOURCE_RANDOM, NDFT_SOURCE_FILE};
    draw_source(state, &c->maps, maps, 4);
    c->maps.largest = 0;
    draw_source(state, &c->data, data, 3);
    c->data.largest = 0;
}

static ndft_case draw_case(ndft_random *state)
{
    static const ndft_op ops[] = {NDFT_FORWARD, NDFT_ADJOINT, NDFT_NORMAL};
    static const int64_t longest[] = {INT32_MAX, 46340, 1290}; /* INT32_MAX voxels at most */
    ndft_case c;
    memset(&c, 0, sizeof c);
    c.op = ops[below(state, 3)];
    c.dim = 1 + (int)below(state, 3);
    for (int d = 0; d < 3; d++) c.n[d] = d < c.dim ? 1 + below(state, longest[c.dim - 1]) : 1;
    c.m = 1 + below(state, below(state, 2) ? 100 : INT32_MAX);
    c.fov = 0.22;
    draw_trajectory(state, &c);
    c.t = below(state, 4) ? magnitude(state, 1e-12, 1e4) : 0;
    draw_maps(state, &c);
    if (c.t == 0 && below(state, 2)) draw_path(state, &c.times);
    c.coils = 1 + (int)below(state, 256);
    c.layout = below(state, 2) ? NDFT_PLANAR : NDFT_INTERLEAVED;
    c.prec = below(state, 2) ? NDFT_F32 : NDFT_F64;
    c.tol = magnitude(state, 1e-300, 1);
    c.seed = ndft_random_bits(state);
    return c;
}

static void round_trip(void **unused)
{
    (void)unused;
    ndft_random state = {20261121};
    for (int i = 0; i < ROUND_TRIPS; i++) {
        ndft_case drawn = draw_case(&state), again;
        char first[NDFT_CASE_MAX], second[NDFT_CASE_MAX];
        ndft_error err = {0};
        assert_in_range(ndft_case_print(&drawn, first, sizeof first), 1, sizeof first - 1);
        if (ndft_case_parse(first, &again, &err) != NDFT_OK) fail_msg("%s: %s", first, err.message);
        ndft_case_print(&again, second, sizeof second);
        assert_string_equal(first, second);
        assert_memory_equal(&drawn, &again, sizeof drawn);
    }
}

/* Overwrites, removes, repeats or swaps a few characters. */
static void mutate(ndft_random *state, char *text)
{
    static const char letters[] = "0123456789-+.ex:={},()#* \t\377abcdfhmnrstz";
    for (int64_t edits = 1 + below(state, 6); edits > 0; edits--) {
        size_t length = strlen(text);
        if (!length) return;
        size_t at = (size_t)below(state, (int64_t)length);
        size_t from = (size_t)below(state, (int64_t)length);
        switch (below(state, 4)) {
        case 0:
            text[at] = letters[below(state, sizeof letters - 1)];
            break;
        case 1:
            memmove(text + at, text + at + 1, length - at);
            break;
        case 2:
            if (length + 2 < NDFT_CASE_MAX) memmove(text + at + 1, text + at, length - at + 1);
            break;
        default:
            text[at] = text[from];
        }
    }
}

/* What still parses must still round-trip; what does not must say why. */
static void mutated_lines(void **unused)
{
    (void)unused;
    ndft_random state = {7};
    int valid = 0;
    for (int i = 0; i < MUTATIONS; i++) {
        ndft_case c = draw_case(&state), again;
        char text[NDFT_CASE_MAX], line[NDFT_CASE_MAX];
        ndft_case_print(&c, text, sizeof text);
        mutate(&state, text);
        ndft_error err = {0};
        if (ndft_case_parse(text, &c, &err) != NDFT_OK) {
            assert_int_not_equal(err.message[0], '\0');
            continue;
        }
        valid++;
        ndft_case_print(&c, line, sizeof line);
        assert_int_equal(ndft_case_parse(line, &again, &err), NDFT_OK);
        assert_memory_equal(&again, &c, sizeof c);
    }
    assert_in_range(valid, MUTATIONS / 20, MUTATIONS * 19 / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(mutated_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
