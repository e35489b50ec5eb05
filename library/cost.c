/* SPDX-License-Identifier: Apache-2.0 */
#include "cost.h"

static const struct {
    const char *name;
    size_t offset;
} fields[NDFT_COST_FIELDS] = {
    {"fma", offsetof(ndft_cost, fma)},
    {"add", offsetof(ndft_cost, add)},
    {"special", offsetof(ndft_cost, special)},
    {"tensor", offsetof(ndft_cost, tensor)},
    {"integer", offsetof(ndft_cost, integer)},
    {"issue_slots", offsetof(ndft_cost, issue_slots)},
    [NDFT_COST_DRAM] = {"dram_bytes", offsetof(ndft_cost, dram_bytes)},
    {"l2_bytes", offsetof(ndft_cost, l2_bytes)},
    {"shared_bytes", offsetof(ndft_cost, shared_bytes)},
    [NDFT_COST_LAUNCHES] = {"launches", offsetof(ndft_cost, launches)},
};

const char *ndft_cost_name(int field) { return fields[field].name; }

bool ndft_cost_is_arithmetic(int field)
{
    return fields[field].offset <= offsetof(ndft_cost, integer);
}

double ndft_cost_amount(const ndft_cost *cost, int field)
{
    return *(const double *)((const char *)cost + fields[field].offset);
}

ndft_cost ndft_cost_sum(const ndft_cost *a, const ndft_cost *b)
{
    ndft_cost sum = {0};
    for (int i = 0; i < NDFT_COST_FIELDS; i++)
        *(double *)((char *)&sum + fields[i].offset) =
            ndft_cost_amount(a, i) + ndft_cost_amount(b, i);
    if (a->threads > 0 && b->threads > 0)
        sum.threads = a->threads > b->threads ? a->threads : b->threads;
    return sum;
}
