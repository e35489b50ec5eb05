/* SPDX-License-Identifier: Apache-2.0 */
#include "foresee.h"

#include "cost.h"
#include "fit.h"
#include "id.h"

#include <ndft/plan.h>

#include <math.h>
#include <string.h>

enum { MOST_ENTRIES = 64, NEIGHBOURS = 4 };

static const double alike = 1.02, smooth = 0.1;

/* A question with all that it is answered from. */
typedef struct outlook {
    const ndft_select *select;
    ndft_question question; /* as the pick's class would be asked */
    const ndft_kind *kind;
    const ndft_problem *problem;
    ndft_op op;
    const ndft_device *device;
} outlook;

/* How much longer the declared work takes than when it was measured; NaN where no parts are known.
 */
static double growth(const ndft_entry *entry, const ndft_cost *now)
{
    double then_s = 0, now_s = 0;
    for (int i = 0; i < NDFT_COST_FIELDS; i++) {
        const char *name = ndft_cost_name(i);
        const double part = json_number_value(json_object_get(entry->parts, name));
        const double amount = json_number_value(json_object_get(entry->cost, name));
        if (!(part > 0 && amount > 0)) continue;
        then_s += part;
        now_s += part * ndft_cost_amount(now, i) / amount;
    }
    return now_s / then_s;
}

/* A case that a setting was measured on, and the time foreseen from it. */
typedef struct neighbour {
    double distance, time;
} neighbour;

/* Puts one into those kept so far, nearest first; where there is no room the farthest drops out. */
static void keep(neighbour kept[NEIGHBOURS], int *count, neighbour one)
{
    if (*count == NEIGHBOURS && kept[NEIGHBOURS - 1].distance <= one.distance) return;
    int at = *count < NEIGHBOURS ? (*count)++ : NEIGHBOURS - 1;
    for (; at > 0 && kept[at - 1].distance > one.distance; at--) kept[at] = kept[at - 1];
    kept[at] = one;
}

/* The entry of this setting in an order; false where it has none. */
static bool find_entry(const ndft_pick *pick, const char *variant, ndft_entry *entry)
{
    size_t i;
    json_t *item;
    json_array_foreach(pick->order, i, item)
    {
        const char *name = json_string_value(json_object_get(item, "variant"));
        if (!name || strcmp(name, variant)) continue;
        *entry = ndft_select_entry(pick, i);
        return true;
    }
    return false;
}

/* NaN of none. */
static double mean_of(const neighbour *kept, int count)
{
    double sum = 0, weights = 0;
    for (int i = 0; i < count; i++) {
        const double weight = 1 / (kept[i].distance * kept[i].distance + smooth);
        sum += weight * log(kept[i].time);
        weights += weight;
    }
    return exp(sum / weights);
}

/* From the nearest of all cases that the setting was measured on. */
static double time_of(const outlook *o, const char *variant, const ndft_cost *now)
{
    neighbour kept[NEIGHBOURS];
    int count = 0;
    for (size_t i = 0; i < ndft_select_size(o->select); i++) {
        const ndft_pick pick = ndft_select_pick(o->select, i);
        ndft_entry entry;
        if (!ndft_select_comparable(&pick, &o->question) || !find_entry(&pick, variant, &entry))
            continue;
        const double time = entry.median_s * growth(&entry, now);
        const double distance = ndft_select_distance(&pick, entry.at, &o->question);
        if (time > 0 && isfinite(time)) keep(kept, &count, (neighbour){distance, time});
    }
    return mean_of(kept, count);
}

/* In s; NaN where nothing can be said. */
static double foreseen(const outlook *o, const char *variant)
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

/* The first from `begin` on that is within 2 % of the least. */
static size_t first_of_least(const double *time, size_t begin, size_t n)
{
    double least = INFINITY;
    for (size_t i = begin; i < n; i++) least = fmin(least, time[i]);
    for (size_t i = begin; i < n; i++)
        if (time[i] <= alike * least) return i;
    return begin;
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

void ndft_foresee(const ndft_select *select, const ndft_pick *pick, const ndft_question *q,
                  const ndft_kind *kind, const ndft_problem *p, ndft_op op,
                  const ndft_device *device)
{
    double time[MOST_ENTRIES];
    outlook o = {select, *q, kind, p, op, device};
    const size_t n = json_array_size(pick->order);
    if (n > MOST_ENTRIES) return;
    /* Forward's classes stand in for the normal operator's where there are none. */
    if (pick->op && !strcmp(pick->op, ndft_op_name(NDFT_FORWARD))) o.question.op = NDFT_FORWARD;
    for (size_t i = 0; i < n; i++) time[i] = foreseen(&o, ndft_select_entry(pick, i).variant);
    for (size_t i = 0; i < n; i++)
        if (isfinite(time[i])) move(pick->order, time, first_of_least(time, i, n), i);
}
