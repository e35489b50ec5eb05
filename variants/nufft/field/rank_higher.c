/* SPDX-License-Identifier: Apache-2.0 */
#include "rank_higher.h"

#include "base/random.h"
#include "rank_higher_sides.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Samples or voxels that are crossed with the others, each once. */
typedef struct chosen {
    int n;
    int64_t at[1024];
} chosen;

enum {
    MOST_CHOSEN = sizeof((chosen *)0)->at / sizeof(int64_t),
    SPREAD = 320,    /* at first, evenly */
    DIRECTIONS = 32, /* and those furthest out either way of so many */
    WORST = 32,      /* more whenever others are worse */
    ROUNDS = 12,
};

/* What is left of the pairs of the chosen, and the terms so far. */
typedef struct search {
    const ndft_higher_sides *sides;
    chosen samples, voxels;
    double *left;  /* complex [samples][voxels] */
    double *u, *v; /* complex [terms][samples], [terms][voxels] */
    int row[NDFT_HIGHER_MOST], column[NDFT_HIGHER_MOST];
    int terms;
} search;

static void choose(chosen *c, int64_t at)
{
    for (int i = 0; i < c->n; i++)
        if (c->at[i] == at) return;
    if (c->n < MOST_CHOSEN) c->at[c->n++] = at;
}

/* Additive recurrence by the golden section. */
static void choose_spread(chosen *c, int64_t count, double start, int n)
{
    for (int i = 0; i < n; i++) {
        const double x = start + i * 0.61803398874989485;
        choose(c, (int64_t)((x - floor(x)) * (double)count));
    }
}

/* Points furthest along a direction, either way: corners of what is in use. */
static void choose_furthest(chosen *c, const double *side, int64_t count, int axes,
                            const double *direction)
{
    double low = INFINITY, high = -INFINITY;
    int64_t lowest = 0, highest = 0;
    for (int64_t i = 0; i < count; i++) {
        double along = 0;
        for (int a = 0; a < axes; a++) along += direction[a] * side[a * count + i];
        if (along < low) {
            low = along;
            lowest = i;
        }
        if (along > high) {
            high = along;
            highest = i;
        }
    }
    choose(c, lowest);
    choose(c, highest);
}

/* Directions in which each axis counts by its extent on this side; the first are the axes'. */
static void choose_corners(search *s)
{
    const ndft_higher_sides *sides = s->sides;
    const int axes = sides->axes;
    ndft_random random = {7};
    double c_max[NDFT_SIDE_AXES] = {0}, b_max[NDFT_SIDE_AXES] = {0};
    for (int64_t i = 0; i < sides->samples * axes; i++)
        c_max[i / sides->samples] = fmax(c_max[i / sides->samples], fabs(sides->c[i]));
    for (int64_t i = 0; i < sides->voxels * axes; i++)
        b_max[i / sides->voxels] = fmax(b_max[i / sides->voxels], fabs(sides->b[i]));
    for (int d = 0; d < axes + DIRECTIONS; d++) {
        double of_c[NDFT_SIDE_AXES], of_b[NDFT_SIDE_AXES];
        for (int a = 0; a < axes; a++) {
            const double x = d < axes ? d == a : 2 * ndft_uniform(&random) - 1;
            of_c[a] = x * b_max[a];
            of_b[a] = x * c_max[a];
        }
        choose_furthest(&s->samples, sides->c, sides->samples, axes, of_c);
        choose_furthest(&s->voxels, sides->b, sides->voxels, axes, of_b);
    }
}

static void release(search *s)
{
    free(s->left);
    free(s->u);
    free(s->v);
    s->left = s->u = s->v = NULL;
}

/* All of what the chosen have. */
static bool begin(search *s)
{
    const int rows = s->samples.n, columns = s->voxels.n;
    release(s);
    s->terms = 0;
    s->left = malloc(sizeof(double) * 2 * (size_t)rows * (size_t)columns);
    s->u = malloc(sizeof(double) * 2 * NDFT_HIGHER_MOST * (size_t)rows);
    s->v = malloc(sizeof(double) * 2 * NDFT_HIGHER_MOST * (size_t)columns);
    if (!s->left || !s->u || !s->v) return false;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < columns; k++) {
            double *to = s->left + 2 * ((int64_t)i * columns + k);
            ndft_higher_entry(s->sides, s->samples.at[i], s->voxels.at[k], &to[0], &to[1]);
        }
    return true;
}

/* Where most is left; the largest root mean square over a sample's or a voxel's. */
static void look(const search *s, int *row, int *column, double *worst, double *error)
{
    const int rows = s->samples.n, columns = s->voxels.n;
    double most = -1, mean = 0, of_column[MOST_CHOSEN] = {0};
    for (int i = 0; i < rows; i++) {
        const double *left = s->left + 2 * (int64_t)i * columns;
        double sum = 0;
        for (int k = 0; k < columns; k++) {
            const double square = left[2 * k] * left[2 * k] + left[2 * k + 1] * left[2 * k + 1];
            sum += square;
            of_column[k] += square;
            if (square <= most) continue;
            most = square;
            *row = i;
            *column = k;
        }
        mean = fmax(mean, sum / columns);
    }
    for (int k = 0; k < columns; k++) mean = fmax(mean, of_column[k] / rows);
    *worst = sqrt(most);
    *error = sqrt(mean);
}

/* One term more: exact at this sample, and at this voxel. */
static void take_out(search *s, int row, int column)
{
    const int rows = s->samples.n, columns = s->voxels.n, l = s->terms++;
    double *u = s->u + 2 * (int64_t)l * rows, *v = s->v + 2 * (int64_t)l * columns;
    s->row[l] = row;
    s->column[l] = column;
    memcpy(v, s->left + 2 * (int64_t)row * columns, sizeof(double) * 2 * (size_t)columns);
    const double re = v[2 * column], im = v[2 * column + 1], size = re * re + im * im;
    for (int i = 0; i < rows; i++) {
        double *left = s->left + 2 * (int64_t)i * columns;
        const double a = left[2 * column], b = left[2 * column + 1];
        const double x = (a * re + b * im) / size, y = (b * re - a * im) / size;
        u[2 * i] = x;
        u[2 * i + 1] = y;
        for (int k = 0; k < columns; k++) {
            left[2 * k] -= x * v[2 * k] - y * v[2 * k + 1];
            left[2 * k + 1] -= x * v[2 * k + 1] + y * v[2 * k];
        }
    }
}

/* Terms until the chosen are within tol, or there can be no more. */
static bool cross(search *s, ndft_tol_kind kind, double tol)
{
    static const double rounding = 1e-14;
    if (!begin(s)) return false;
    for (;;) {
        double worst, error;
        int row = 0, column = 0;
        look(s, &row, &column, &worst, &error);
        if (s->terms && (worst <= rounding || (kind == NDFT_TOL_ANY ? worst : error) <= tol))
            return true;
        if (s->terms == NDFT_HIGHER_MOST) return true;
        take_out(s, row, column);
    }
}

/* The terms where they cross. */
static bool put_sum(const search *s, ndft_higher_sum *sum)
{
    const int terms = s->terms;
    const size_t bytes = sizeof(double) * 2 * (size_t)terms * (size_t)terms;
    free(sum->u);
    free(sum->v);
    sum->terms = terms;
    sum->u = malloc(bytes);
    sum->v = malloc(bytes);
    if (!sum->u || !sum->v) return false;
    for (int l = 0; l < terms; l++) {
        sum->sample[l] = s->samples.at[s->row[l]];
        sum->voxel[l] = s->voxels.at[s->column[l]];
        for (int m = 0; m < terms; m++) {
            const int to = 2 * (l * terms + m);
            memcpy(sum->u + to, s->u + 2 * ((int64_t)m * s->samples.n + s->row[l]),
                   2 * sizeof(double));
            memcpy(sum->v + to, s->v + 2 * ((int64_t)m * s->voxels.n + s->column[l]),
                   2 * sizeof(double));
        }
    }
    return true;
}

/* The worst of those looked at are chosen, too. */
static void choose_worst(chosen *c, const int64_t *at, double *largest, int64_t count)
{
    for (int i = 0; i < WORST; i++) {
        int64_t worst = 0;
        for (int64_t k = 1; k < count; k++)
            if (largest[k] > largest[worst]) worst = k;
        choose(c, at[worst]);
        largest[worst] = -1;
    }
}

/* Lists of all, and of those that all of the other side are looked at with. */
typedef struct lists {
    int64_t *samples, *voxels; /* all */
    chosen few_samples, few_voxels;
} lists;

static int64_t *all_of(int64_t count)
{
    int64_t *list = malloc(sizeof *list * (size_t)count);
    for (int64_t i = 0; list && i < count; i++) list[i] = i;
    return list;
}

/* One look, whose worst are chosen; its largest are kept. false: no memory. */
static bool look_at(search *s, const ndft_higher_sum *sum, const int64_t *sample, int64_t n_samples,
                    const int64_t *voxel, int64_t n_voxels, ndft_higher_look *most)
{
    ndft_higher_look found;
    if (!ndft_higher_look_at(s->sides, sum, sample, n_samples, voxel, n_voxels, &found))
        return false;
    choose_worst(&s->samples, sample, found.by_sample, n_samples);
    choose_worst(&s->voxels, voxel, found.by_voxel, n_voxels);
    most->error = fmax(most->error, found.error);
    most->worst = fmax(most->worst, found.worst);
    most->gain = fmax(most->gain, found.gain);
    most->root = fmax(most->root, found.root);
    ndft_higher_look_release(&found);
    return true;
}

/* Pairs that are looked at, so that it takes about a second at most. */
static double most_pairs(const ndft_higher_sum *sum) { return 0x1p29 / (sum->terms + 16); }

/* All of few with few first: mostly that says enough. */
static bool look_at_lines(search *s, lists *l, const ndft_higher_sum *sum, double tol,
                          ndft_higher_look *most)
{
    const int64_t m = s->sides->samples, n = s->sides->voxels;
    const chosen *a = &l->few_samples, *b = &l->few_voxels;
    const int few = (int)fmin(fmax(most_pairs(sum) / (double)(m + n), 16), MOST_CHOSEN);
    choose_spread(&l->few_samples, m, 0.31, few);
    choose_spread(&l->few_voxels, n, 0.31, few);
    if (!look_at(s, sum, a->at, a->n, b->at, b->n, most)) return false;
    if (most->error > tol) return true;
    return look_at(s, sum, a->at, a->n, l->voxels, n, most) &&
           look_at(s, sum, l->samples, m, b->at, b->n, most);
}

static bool check(search *s, lists *l, double tol, ndft_higher_sum *sum)
{
    static const double margin = 1.2; /* for those not looked at */
    const int64_t m = s->sides->samples, n = s->sides->voxels;
    ndft_higher_look most = {0};
    sum->all = (double)m * (double)n <= most_pairs(sum);
    const bool looked = sum->all ? look_at(s, sum, l->samples, m, l->voxels, n, &most)
                                 : look_at_lines(s, l, sum, tol / margin, &most);
    if (!looked) return false;
    sum->gain = most.gain;
    sum->root = most.root;
    sum->error = most.error * (sum->all ? 1 : margin);
    sum->worst = sum->all ? most.worst : 1 + most.gain;
    return true;
}

static bool run(search *s, lists *l, ndft_tol_kind kind, double tol, ndft_higher_sum *sum)
{
    double aim = 0.8 * tol; /* of the chosen, which the others may be worse than */
    choose_spread(&s->samples, s->sides->samples, 0.5, SPREAD);
    choose_spread(&s->voxels, s->sides->voxels, 0.5, SPREAD);
    choose_corners(s);
    for (int round = 0; round < ROUNDS; round++) {
        if (!cross(s, kind, aim) || !put_sum(s, sum) || !check(s, l, tol, sum)) return false;
        const double left = kind == NDFT_TOL_ANY ? sum->worst : sum->error;
        sum->found = left <= tol;
        const bool hopeless = kind == NDFT_TOL_ANY && !sum->all; /* of any data nothing is known */
        if (sum->found || hopeless || sum->terms == NDFT_HIGHER_MOST) break;
        if (round > 0) aim *= fmax(0.9 * tol / left, 0.25);
    }
    return true;
}

bool ndft_higher_search(const ndft_problem *p, double tol, ndft_higher_sum *sum)
{
    ndft_higher_sides sides;
    *sum = (ndft_higher_sum){0};
    if (!ndft_higher_sides_make(p, &sides)) return false;
    search *s = calloc(1, sizeof *s);
    lists *l = calloc(1, sizeof *l);
    bool made = s && l;
    if (made) {
        s->sides = &sides;
        l->samples = all_of(p->n_samples);
        l->voxels = all_of(p->n_voxels);
        made = l->samples && l->voxels && run(s, l, p->tol_kind, tol, sum);
        release(s);
        free(l->samples);
        free(l->voxels);
    }
    free(s);
    free(l);
    ndft_higher_sides_release(&sides);
    if (!made) ndft_higher_release(sum);
    return made;
}

void ndft_higher_release(ndft_higher_sum *sum)
{
    free(sum->u);
    free(sum->v);
    *sum = (ndft_higher_sum){0};
}
