/* SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"
#include "traits.h"

#include <stdio.h>
#include <string.h>

/* Operations x dimensions x precisions x gradients x layouts x awkward sizes, and every knob. A
 * normal operator that is only composed has no edges of its own, and so fewer sizes. */

typedef enum size_kind { ONES, THIN, PRIMES, BELOW, AT, ABOVE, SIZES } size_kind;

static const char *const ops[] = {"forward", "adjoint", "normal"};
static const char *const precs[] = {"prec=f32 tol=1e-3", "prec=f64 tol=1e-11"};
static const char *const grads[] = {"grad=none", "grad=random:30Hz"};
static const char *const columns[] = {"coils=1", "coils=3 layout=planar",
                                      "coils=2 layout=interleaved"};
enum { NORMAL = 2, OPS = 3, COLUMNS = 3 };

/* The largest divisor of v whose power of dim stays within v. */
static int divisor(int v, int dim)
{
    int best = 1;
    for (int a = 1; a * a * (dim == 3 ? a : 1) <= v; a++)
        if (v % a == 0) best = a;
    return best;
}

/* A grid of v voxels in all. */
static void split(int v, int dim, int n[3])
{
    n[0] = v;
    n[1] = n[2] = 1;
    for (int d = dim; d > 1; d--) {
        n[d - 1] = divisor(n[0], d);
        n[0] /= n[d - 1];
    }
}

static void make_size(size_kind kind, int dim, int tile, int n[3], int *m)
{
    static const int primes[3][3] = {{31, 1, 1}, {7, 11, 1}, {3, 7, 5}};
    switch (kind) {
    case ONES:
        *m = 1;
        split(1, dim, n);
        break;
    case THIN:
        *m = 13;
        split(1, dim, n);
        n[dim - 1] = 17;
        break;
    case PRIMES:
        *m = 37;
        memcpy(n, primes[dim - 1], sizeof primes[0]);
        break;
    default:
        *m = tile + (int)kind - AT;
        split(tile + (int)kind - AT, dim, n);
    }
}

static void print_grid(const int n[3], int dim, char text[48])
{
    static const char *const formats[] = {"%d", "%dx%d", "%dx%dx%d"};
    snprintf(text, 48, formats[dim - 1], n[0], n[1], n[2]);
}

/* The number of inputs or outputs that a variant takes at a time: where its edges are. */
static int tile_of(const ndft_variant *v)
{
    int tile = 0;
    for (int i = 0; i < v->n_knobs; i++) {
        const ndft_knob *knob = &v->knobs[i];
        if (knob->words || knob->preset < 8) continue;
        if (!tile || !strcmp(knob->name, "tile")) tile = knob->preset;
    }
    return tile ? tile : 64;
}

/* Where sizes are small, the field is left out at times, the trajectory has lines, voxels a mask;
 * where there is a tile, one line is as long. */
static const char *variety(size_kind kind, int dim, int column)
{
    if (kind == ONES && column == 0) return "t=0 field=none";
    if (kind == PRIMES && column == 1 && dim > 1)
        return dim == 2 ? "t=20ms field=random:60Hz traj=radial:5 mask=disk"
                        : "t=20ms field=random:60Hz traj=kooshball:5 mask=disk";
    if (kind >= BELOW && column == 2 && dim > 1)
        return dim == 2 ? "t=20ms field=random:60Hz traj=golden:1"
                        : "t=20ms field=random:60Hz traj=kooshball:1";
    return "t=20ms field=random:60Hz";
}

static void check_sizes(variant_suite *s, const ndft_candidate *candidate, int combination)
{
    const ndft_variant *v = candidate->entry->variant;
    int op = combination % OPS, dim = 1 + combination / OPS % 3;
    int prec = combination / (3 * OPS) % 2, grad = combination / (6 * OPS), tile = tile_of(v);
    bool composed = op == NORMAL && !(v->ops & NDFT_NORMAL);
    for (int kind = ONES; kind < SIZES; kind += composed ? 2 : 1) {
        for (int column = 0; column < COLUMNS; column++) {
            char text[512], grid[48];
            int n[3], m;
            make_size((size_kind)kind, dim, tile, n, &m);
            print_grid(n, dim, grid);
            snprintf(text, sizeof text, "%s %dd n=%s m=%d %s %s %s %s seed=%d", ops[op], dim, grid,
                     m, variety((size_kind)kind, dim, column), grads[grad], columns[column],
                     precs[prec], combination + 1);
            suite_check(s, candidate, text);
        }
    }
}

void test_grid(variant_suite *s, const ndft_registered *entry)
{
    ndft_candidate candidate = ndft_candidate_of(entry);
    for (int combination = 0; combination < 12 * OPS; combination++)
        check_sizes(s, &candidate, combination);
}

/* A value that is not the default, on every case. */
static void check_value(variant_suite *s, const ndft_registered *entry, int k, int value,
                        const char *const *cases, size_t n)
{
    ndft_candidate candidate = ndft_candidate_of(entry);
    if (value == entry->variant->knobs[k].preset) return;
    candidate.knobs[k] = value;
    for (size_t c = 0; c < n; c++) suite_check(s, &candidate, cases[c]);
}

static const char *const cases[] = {
    "forward 2d n=23x19 m=311 field=random:60Hz t=20ms coils=2 tol=1e-3",
    "adjoint 3d n=9x7x5 m=293 field=random:60Hz t=20ms grad=random:30Hz tol=1e-3",
    "forward 2d n=23x19 m=1311 traj=golden:2 field=random:60Hz t=20ms tol=1e-3",
    "adjoint 2d n=23x19 m=1311 traj=golden:2 field=random:60Hz t=20ms tol=1e-3",
    "adjoint 2d n=23x19 m=1311 traj=spiral:3 field=random:60Hz t=20ms tol=1e-3"};

void test_knobs(variant_suite *s, const ndft_registered *entry)
{
    /* What words choose between may be the same but for many coils; forward these have kernels of
     * their own for each width of a window. */
    static const char *const many[] = {
        "forward 2d n=23x19 m=311 field=random:60Hz t=20ms coils=33 tol=1e-3",
        "adjoint 3d n=9x7x5 m=293 field=random:60Hz t=20ms coils=32 layout=interleaved tol=1e-3",
        "forward 3d n=9x7x5 m=293 grad=random:30Hz t=20ms coils=32 tol=1e-3",
        "adjoint 2d n=23x19 m=311 grad=random:30Hz t=20ms coils=33 layout=interleaved tol=1e-3"};
    for (int k = 0; k < entry->variant->n_knobs; k++) {
        const ndft_knob *knob = &entry->variant->knobs[k];
        if (!ndft_knob_open(entry, k)) continue;
        for (int i = 0; i < knob->n_candidates; i++) {
            check_value(s, entry, k, knob->candidates[i], cases, sizeof cases / sizeof *cases);
            const size_t all = sizeof many / sizeof *many;
            check_value(s, entry, k, knob->candidates[i], many,
                        knob->words                   ? all
                        : strcmp(knob->name, "width") ? 0
                                                      : 1);
        }
    }
}

static bool is_stage(const ndft_knob *knob)
{
    return !strcmp(knob->name, "spread") || !strcmp(knob->name, "interpolate") ||
           !strcmp(knob->name, "transform") || !strcmp(knob->name, "fft");
}

/* The next of all choices of stages, as a counter counts; false after the last. */
static bool next_stages(ndft_candidate *candidate)
{
    const ndft_variant *v = candidate->entry->variant;
    for (int k = 0; k < v->n_knobs; k++) {
        if (!is_stage(&v->knobs[k])) continue;
        if (v->knobs[k].words[++candidate->knobs[k]]) return true;
        candidate->knobs[k] = 0;
    }
    return false;
}

void test_stages(variant_suite *s, const ndft_registered *entry)
{
    static const char *const more[] = {
        "normal 2d n=23x19 m=1311 traj=golden:2 field=random:60Hz t=20ms coils=5",
        "forward 1d n=211 m=307 prec=f64", "adjoint 3d n=9x7x5 m=293 coils=3 layout=interleaved"};
    ndft_candidate candidate = ndft_candidate_of(entry);
    do {
        ndft_candidate settled = candidate;
        ndft_knobs_settle(entry, settled.knobs);
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
            suite_check(s, &settled, cases[c]);
        for (size_t c = 0; c < sizeof more / sizeof *more; c++) suite_check(s, &settled, more[c]);
    } while (next_stages(&candidate));
}
