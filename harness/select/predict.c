/* SPDX-License-Identifier: Apache-2.0 */
#include "predict.h"

#include "cost.h"
#include "id.h"
#include "problem/kinds.h"

#include "prepared.h"

#include <math.h>
#include <string.h>

enum { MOST_ENTRIES = 64, NEIGHBOURS = 6 };

static const double smooth = 0.3;

/* A question with all that it is answered from. */
typedef struct outlook {
    const ndft_select *select;
    ndft_question question; /* as the pick's class would be asked */
    const ndft_kind *kind;
    const ndft_problem *problem;
    ndft_op op;
    const ndft_device *device;
} outlook;

static const char *variant_of(const json_t *entry)
{
    return json_string_value(json_object_get(entry, "variant"));
}

/* How much longer the declared work takes than when it was measured; NaN where no parts are known.
 */
static double growth(const ndft_timed *then, const ndft_cost *now)
{
    double then_s = 0, now_s = 0;
    for (int i = 0; i < NDFT_COST_FIELDS; i++) {
        const char *name = ndft_cost_name(i);
        const double part = json_number_value(json_object_get(then->parts, name));
        const double amount = json_number_value(json_object_get(then->cost, name));
        if (!(part > 0 && amount > 0)) continue;
        then_s += part;
        now_s += part * ndft_cost_amount(now, i) / amount;
    }
    return now_s / then_s;
}

/* A case that a setting was measured on, and the time predicted from it. */
typedef struct neighbour {
    double distance, time;
} neighbour;

typedef struct neighbours {
    neighbour kept[NEIGHBOURS]; /* nearest first */
    int count;
} neighbours;

/* Puts one into those kept so far; where there is no room the farthest drops out. */
static void keep(neighbours *n, neighbour one)
{
    if (n->count == NEIGHBOURS && n->kept[NEIGHBOURS - 1].distance <= one.distance) return;
    int at = n->count < NEIGHBOURS ? n->count++ : NEIGHBOURS - 1;
    for (; at > 0 && n->kept[at - 1].distance > one.distance; at--) n->kept[at] = n->kept[at - 1];
    n->kept[at] = one;
}

/* NaN of none. */
static double mean_of(const neighbours *n)
{
    double sum = 0, weights = 0;
    for (int i = 0; i < n->count; i++) {
        const double weight = 1 / (n->kept[i].distance * n->kept[i].distance + smooth);
        sum += weight * log(n->kept[i].time);
        weights += weight;
    }
    return exp(sum / weights);
}

/* Where this setting is in an order; its size where it is nowhere. */
static size_t place_of(const json_t *order, const char *variant)
{
    size_t i = 0;
    while (i < json_array_size(order) && strcmp(variant_of(json_array_get(order, i)), variant)) i++;
    return i;
}

/* All measurements of one entry of a class. */
static void keep_measured(const outlook *o, const ndft_pick *pick, const ndft_entry *entry,
                          const ndft_cost *now, neighbours *n)
{
    for (size_t i = 0; i < json_array_size(entry->measured); i++) {
        const ndft_timed m = ndft_select_timed(entry, i);
        const double time = m.median_s * growth(&m, now);
        if (!(time > 0) || !isfinite(time)) continue;
        keep(n, (neighbour){ndft_select_distance(pick, m.at, &o->question), time});
    }
}

/* From the nearest of all cases that the setting was measured on. */
static double time_of(const outlook *o, const char *variant, const ndft_cost *now)
{
    neighbours n = {.count = 0};
    for (size_t i = 0; i < ndft_select_size(o->select); i++) {
        const ndft_pick pick = ndft_select_pick(o->select, i);
        if (!ndft_select_comparable(&pick, &o->question)) continue;
        const size_t at = place_of(pick.order, variant);
        if (at == json_array_size(pick.order)) continue;
        const ndft_entry entry = ndft_select_entry(&pick, at);
        keep_measured(o, &pick, &entry, now, &n);
    }
    return mean_of(&n);
}

/* In s; NaN where nothing can be said. */
static double predicted(const outlook *o, const char *variant)
{
    ndft_candidate candidate;
    ndft_check check = ndft_check_blank();
    ndft_error err = {0};
    if (ndft_id_parse(variant, &candidate, &err) != NDFT_OK ||
        !ndft_fits(o->kind, &candidate, o->problem, o->op, o->device, &check))
        return NAN;
    const ndft_cost now =
        ndft_executed_cost(candidate.entry->variant, o->problem, o->op, candidate.knobs);
    return time_of(o, variant, &now);
}

/* From the nearest of a class's cases. */
static double distance_to(const outlook *o, const ndft_pick *pick)
{
    double least = INFINITY;
    for (size_t i = 0; i < json_array_size(pick->cases); i++)
        least = fmin(least, ndft_select_distance(pick, (int)i, &o->question));
    return least;
}

/* Whether it was checked to the accuracy that is asked for. */
static bool accurate(const outlook *o, const json_t *entry)
{
    return json_number_value(json_object_get(entry, "error")) <= o->problem->tol;
}

/* Entries of a class that the order lacks, or has of a farther class or of too little accuracy. */
static void take_entries(const outlook *o, const ndft_pick *pick, json_t *order, double *away)
{
    const double distance = distance_to(o, pick);
    size_t i;
    json_t *entry;
    json_array_foreach(pick->order, i, entry)
    {
        const size_t at = place_of(order, variant_of(entry)), n = json_array_size(order);
        if (!accurate(o, entry) || at == MOST_ENTRIES || (at < n && away[at] <= distance)) continue;
        at < n ? json_array_set(order, at, entry) : json_array_append(order, entry);
        away[at] = distance;
    }
}

/* Adds what other classes were measured with, each setting as the nearest class knows it. */
static void add_others(const outlook *o, json_t *order)
{
    double away[MOST_ENTRIES];
    for (size_t i = 0; i < json_array_size(order); i++)
        away[i] = accurate(o, json_array_get(order, i)) ? 0 : INFINITY;
    for (size_t i = 0; i < ndft_select_size(o->select); i++) {
        const ndft_pick pick = ndft_select_pick(o->select, i);
        if (ndft_select_comparable(&pick, &o->question)) take_entries(o, &pick, order, away);
    }
}

/* The least from `begin` on, the first of equals. */
static size_t place_of_least(const double *time, size_t begin, size_t n)
{
    size_t least = begin;
    for (size_t i = begin + 1; i < n; i++)
        if (time[i] < time[least]) least = i;
    return least;
}

/* Takes entry `from` to place `to` before it; those between move up by one. */
static void move(json_t *order, double *time, size_t from, size_t to)
{
    const double moved = time[from];
    json_t *entry = json_incref(json_array_get(order, from));
    json_array_remove(order, from);
    json_array_insert_new(order, to, entry);
    for (size_t i = from; i > to; i--) time[i] = time[i - 1];
    time[to] = moved;
}

static void sort(const outlook *o, json_t *order)
{
    double time[MOST_ENTRIES];
    const size_t n = json_array_size(order);
    for (size_t i = 0; i < n; i++) time[i] = predicted(o, variant_of(json_array_get(order, i)));
    for (size_t i = 0; i < n; i++)
        if (isfinite(time[i])) move(order, time, place_of_least(time, i, n), i);
}

void ndft_predict(const ndft_select *select, const ndft_pick *pick, const ndft_question *q,
                  const ndft_kind *kind, const ndft_problem *p, ndft_op op,
                  const ndft_device *device)
{
    outlook o = {select, *q, kind, p, op, device};
    if (json_array_size(pick->order) > MOST_ENTRIES) return;
    /* Forward's classes stand in for the normal operator's where there are none. */
    if (!strcmp(pick->what, ndft_op_name(NDFT_FORWARD))) o.question.op = NDFT_FORWARD;
    json_t *order = json_copy(pick->order);
    add_others(&o, order);
    sort(&o, order);
    json_array_clear(pick->order);
    json_array_extend(pick->order, order);
    json_decref(order);
}
