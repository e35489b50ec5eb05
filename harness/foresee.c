/* SPDX-License-Identifier: Apache-2.0 */
#include "foresee.h"

#include "cost.h"
#include "fit.h"
#include "id.h"

#include <ndft/plan.h>

#include <math.h>

enum { MOST_ENTRIES = 64 };

static const double alike = 1.02;

/* How much longer the declared work takes than when it was measured; NaN without ceilings. */
static double growth(const ndft_entry *entry, const ndft_cost *now)
{
    double then_s = 0, now_s = 0;
    for (int i = 0; i < NDFT_COST_FIELDS; i++) {
        const char *name = ndft_cost_name(i);
        const double bound = json_number_value(json_object_get(entry->bounds, name));
        const double amount = json_number_value(json_object_get(entry->cost, name));
        if (!(bound > 0 && amount > 0)) continue;
        then_s += bound;
        now_s += bound * ndft_cost_amount(now, i) / amount;
    }
    return now_s / then_s;
}

/* In s; NaN where nothing can be said. */
static double foreseen(const ndft_entry *entry, const ndft_kind *kind, const ndft_problem *p,
                       ndft_op op, const ndft_device *device)
{
    ndft_candidate candidate;
    ndft_check check = ndft_check_blank();
    ndft_error err = {0};
    if (ndft_id_parse(entry->variant, &candidate, &err) != NDFT_OK ||
        !ndft_fits(kind, &candidate, p, op, device, &check))
        return NAN;
    const ndft_cost now = ndft_executed_cost(candidate.entry->variant, p, op, candidate.knobs);
    return entry->median_s * growth(entry, &now);
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

void ndft_foresee(const ndft_pick *pick, const ndft_kind *kind, const ndft_problem *p, ndft_op op,
                  const ndft_device *device)
{
    double time[MOST_ENTRIES];
    const size_t n = json_array_size(pick->order);
    if (n > MOST_ENTRIES) return;
    for (size_t i = 0; i < n; i++) {
        const ndft_entry entry = ndft_select_entry(pick, i);
        time[i] = foreseen(&entry, kind, p, op, device);
    }
    for (size_t i = 0; i < n; i++)
        if (isfinite(time[i])) move(pick->order, time, first_of_least(time, i, n), i);
}
