/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memo.h"
#include "in_use.h"
#include "phase/sincos_poly.h"
#include "rank_basis.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static void release(ndft_rank_tables *t)
{
    if (!t) return;
    if (t->own) ndft_rank_parts_release(t->own);
    free(t->time);
    free(t->b.a);
    free(t->c.a);
    free(t);
}

static void release_kept(void *tables) { release(tables); }

void ndft_rank_tables_release(const ndft_rank_tables *t)
{
    if (t && !t->kept) release((ndft_rank_tables *)t);
}

/* NULL: there is no memory. */
static ndft_rank_tables *make_tables(const ndft_problem *p, ndft_rank_method method, double tol)
{
    static uint64_t made_so_far;
    ndft_rank_tables *t = calloc(1, sizeof *t);
    if (t) t->number = __atomic_add_fetch(&made_so_far, 1, __ATOMIC_RELAXED);
    if (t) t->parts = ndft_rank_parts_of(p, method, tol, &t->own);
    bool made = t && t->parts;
    const bool expanded = made && !t->parts->plain && !t->parts->choice.unsupported;
    if (expanded) made = ndft_values_distinct(p->t, p->prec, p->n_samples, &t->time, &t->rows);
    if (expanded && made && !ndft_rank_is_tabled(p))
        made = ndft_rank_basis_tables(&t->parts->basis, ndft_rank_c_degree(p->prec), t->parts->fit,
                                      &t->b, &t->c);
    if (made) return t;
    release(t);
    return NULL;
}

static const ndft_rank_tables *tables_of(const ndft_problem *p, ndft_rank_method method, double tol)
{
    const ndft_problem seen = ndft_rank_clock_and_maps(p);
    const ndft_question question = {"tables of a rank", {method, tol}};
    ndft_rank_tables *t = ndft_memo_kept(&seen, question);
    if (t) return t;
    t = make_tables(&seen, method, tol);
    if (!t) return NULL;
    t->kept = true; /* before others find it */
    if (!ndft_memo_keep(&seen, question, t, release_kept)) t->kept = false;
    return t;
}

/* Clocks run on: the row after the last one's is likely. */
void ndft_rank_fill_rows(const ndft_problem *p, const ndft_rank_tables *t, int32_t *row)
{
    int64_t at = 0;
    for (int64_t j = 0; j < p->n_samples; j++) {
        const double time = ndft_real_at(p->t, p->prec, j);
        at = at + 1 < t->rows ? at + 1 : 0;
        if (t->time[at] != time) at = ndft_values_find(t->time, t->rows, time);
        row[j] = (int32_t)at;
    }
}

static void fill_b(ndft_prec prec, const ndft_rank_tables *t, void *b)
{
    const ndft_rank_range *range = &t->parts->range;
    const int terms = t->parts->basis.terms;
    for (int64_t r = 0; r < t->rows; r++) {
        double value[2 * NDFT_RANK_TERMS];
        ndft_rank_basis_b_at(&t->parts->basis, &t->b, t->time[r] - range->t_mid, value);
        const double c = cos(range->w_mid * t->time[r]), s = -sin(range->w_mid * t->time[r]);
        for (int l = 0; l < terms; l++) {
            const double re = value[2 * l], im = value[2 * l + 1];
            ndft_put_real(b, prec, 2 * (r * terms + l), re * c - im * s);
            ndft_put_real(b, prec, 2 * (r * terms + l) + 1, re * s + im * c);
        }
    }
}

/* The powers of a term beside each other. */
static void fill_c(const ndft_rank_table *table, ndft_prec prec, void *c)
{
    const int powers = table->degree + 1, terms = table->width;
    for (int64_t i = 0; i < table->intervals; i++)
        for (int d = 0; d < powers; d++)
            for (int l = 0; l < terms; l++)
                ndft_put_real(c, prec, (i * terms + l) * powers + d,
                              table->a[(i * powers + d) * terms + l]);
}

static void fill_turn(const ndft_problem *p, const ndft_quadrature *quadrature, void *turn)
{
    for (int64_t j = 0; j < p->n_samples; j++) {
        double weight[2 * NDFT_QUADRATURE_NODES];
        ndft_quadrature_weights(quadrature, p, j, weight);
        for (int i = 0; i < 2 * quadrature->nodes; i++)
            ndft_put_real(turn, p->prec, 2 * j * quadrature->nodes + i, weight[i]);
    }
}

static void fill_place(const ndft_problem *p, const ndft_rank_tables *t, void *place)
{
    const ndft_rank_range *range = &t->parts->range;
    const double half_turns = range->t_mid / pi;
    for (int q = 0; q < t->parts->quadrature.nodes; q++) {
        double u[3], position;
        ndft_quadrature_node(&t->parts->quadrature, q, u);
        for (int64_t v = 0; v < p->n_voxels; v++) {
            const double w = ndft_rank_offset(p, v, u) - range->w_mid;
            const int64_t at = 4 * (q * p->n_voxels + v);
            double sine, cosine;
            ndft_sincospi_poly_f64(w * half_turns, &sine, &cosine);
            ndft_put_real(place, p->prec, at,
                          ndft_rank_interval(t->c.half, t->c.intervals, w, &position));
            ndft_put_real(place, p->prec, at + 1, position);
            ndft_put_real(place, p->prec, at + 2, cosine);
            ndft_put_real(place, p->prec, at + 3, -sine);
        }
    }
}

/* all: also what a device makes of the tables itself, but for those that are tabled. */
static bool reserve(ndft_rank *rank, const ndft_problem *p, const ndft_rank_tables *t, bool all)
{
    const ndft_rank_bytes bytes = ndft_rank_sizes(rank, p);
    const bool turns = bytes.turn > 0, gives_b = all || !t->b.a;
    rank->c = malloc(bytes.c);
    if (turns) rank->turn = malloc(bytes.turn);
    if (gives_b) rank->b = malloc(bytes.b);
    if (all) rank->row = malloc(bytes.row);
    if (all) rank->place = malloc(bytes.place);
    return rank->c && (rank->turn || !turns) && (rank->b || !gives_b) &&
           ((rank->row && rank->place) || !all);
}

static bool fill(const ndft_problem *p, const ndft_rank_tables *t, ndft_rank *rank)
{
    if (ndft_is_higher(p)) return ndft_rank_fill_higher(p, t, rank);
    if (ndft_decays(p)) return ndft_rank_fill_decay(p, t, rank);
    if (rank->row) ndft_rank_fill_rows(p, t, rank->row);
    if (rank->b) fill_b(p->prec, t, rank->b);
    if (rank->turn) fill_turn(p, &t->parts->quadrature, rank->turn);
    fill_c(&t->c, p->prec, rank->c);
    if (rank->place) fill_place(p, t, rank->place);
    return true;
}

ndft_rank_choice ndft_rank_choose(const ndft_problem *p, ndft_rank_method method, double tol)
{
    ndft_rank_parts *own;
    const ndft_rank_parts *parts = ndft_rank_parts_of(p, method, tol, &own);
    const ndft_rank_choice none = {
        .terms = 1, .nodes = 1, .gain = 1, .unsupported = "there is no memory"};
    const ndft_rank_choice choice = parts ? parts->choice : none;
    if (own) ndft_rank_parts_release(own);
    return choice;
}

static ndft_status make(const ndft_problem *p, bool all, const ndft_rank_tables *t,
                        ndft_error *error, ndft_rank *rank)
{
    const ndft_rank_choice *choice = &t->parts->choice;
    if (choice->unsupported) return ndft_fail(error, NDFT_EUNSUPPORTED, "%s", choice->unsupported);
    *rank = (ndft_rank){.terms = choice->terms,
                        .nodes = choice->nodes,
                        .columns = choice->terms * choice->nodes,
                        .error = choice->error,
                        .plain = t->parts->plain,
                        .rows = t->rows,
                        .intervals = t->c.intervals,
                        .degree = t->c.degree};
    if (rank->plain) return NDFT_OK;
    const bool tabled = ndft_rank_is_tabled(p);
    if (tabled) rank->rows = rank->intervals = 1;
    if (reserve(rank, p, t, all || tabled) && fill(p, t, rank)) return NDFT_OK;
    ndft_rank_release(rank);
    return ndft_fail(error, NDFT_ENOMEM, "no memory for the tables of %d terms of the field map",
                     choice->terms);
}

static ndft_status find_and_make(const ndft_problem *p, ndft_rank_method method, double tol,
                                 bool all, ndft_error *error, ndft_rank *rank,
                                 const ndft_rank_tables **tables)
{
    *rank = (ndft_rank){0};
    *tables = tables_of(p, method, tol);
    if (!*tables) return ndft_fail(error, NDFT_ENOMEM, "no memory to expand the field map");
    const ndft_status status = make(p, all, *tables, error, rank);
    if (status != NDFT_OK) ndft_rank_tables_release(*tables);
    return status;
}

ndft_status ndft_rank_make_rest(const ndft_problem *p, ndft_rank_method method, double tol,
                                ndft_error *error, ndft_rank *rank, const ndft_rank_tables **tables)
{
    return find_and_make(p, method, tol, false, error, rank, tables);
}

ndft_status ndft_rank_make(const ndft_problem *p, ndft_rank_method method, double tol,
                           ndft_error *error, ndft_rank *rank)
{
    const ndft_rank_tables *tables;
    NDFT_TRY(find_and_make(p, method, tol, true, error, rank, &tables));
    ndft_rank_tables_release(tables);
    return NDFT_OK;
}

void ndft_rank_release(ndft_rank *rank)
{
    free(rank->row);
    free(rank->b);
    free(rank->turn);
    free(rank->c);
    free(rank->place);
    *rank = (ndft_rank){0};
}

ndft_rank_bytes ndft_rank_sizes(const ndft_rank *rank, const ndft_problem *p)
{
    if (rank->plain) return (ndft_rank_bytes){0};
    const size_t real = ndft_real_size(p->prec), nodes = (size_t)rank->nodes;
    const size_t terms = (size_t)rank->terms, m = (size_t)p->n_samples;
    return (ndft_rank_bytes){
        .row = m * sizeof *rank->row,
        .b = (size_t)rank->rows * terms * 2 * real,
        .turn = ndft_has_gradients(p) || ndft_rank_is_tabled(p) ? m * nodes * 2 * real : 0,
        .c = (size_t)rank->intervals * (size_t)(rank->degree + 1) * terms * real,
        .place = nodes * (size_t)p->n_voxels * 4 * real,
    };
}
