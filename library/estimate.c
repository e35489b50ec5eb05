/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate.h"

#include "coils/coil_maps.h"
#include "model.h"
#include "served.h"

#include <math.h>
#include <string.h>

/* What one unit does per cycle in f32: a multiprocessor of compute capability 9.0 (CUDA C++
 * programming guide, throughput of arithmetic instructions), and a hardware thread of a processor
 * whose vectors have `lanes` floats. */
static const ndft_cost gpu = {.fma = 128,
                              .add = 128,
                              .special = 16,
                              .tensor = 2048,
                              .integer = 64,
                              .issue_slots = 128,
                              .dram_bytes = 14,
                              .l2_bytes = 40,
                              .shared_bytes = 128};

static ndft_cost thread_of(ndft_isa isa)
{
    const double lanes = isa == NDFT_X86_64_V4 ? 16 : isa == NDFT_X86_64_V3 ? 8 : 4;
    const double pipes = isa == NDFT_X86_64_V2 ? 0.5 : 1.5; /* without fused multiply-adds: two */
    return (ndft_cost){.fma = pipes * lanes,
                       .add = pipes * lanes,
                       .special = lanes / 16,
                       .tensor = pipes * lanes,
                       .integer = pipes * lanes,
                       .issue_slots = 3 * lanes,
                       .dram_bytes = 4,
                       .l2_bytes = 32,
                       .shared_bytes = 64};
}

/* Of an engine without records, of what it would take were all of the device its own: the median of
 * those with, and what that errs by. */
static const double usual = 3, usual_error = 1;

/* Of any, on another device than the one where it was measured. */
static const double elsewhere_error = 0.2;

static bool is_gpu(const ndft_device *device) { return device->shared_bytes > 0; }

/* Of f64, of what a device does in f32: a half on processors and on GPUs for computing centres, of
 * capability X.0; on others 1/64 from 8.6 on, 1/32 before. */
static double f64_share(const ndft_device *device)
{
    if (!is_gpu(device) || device->capability % 10 == 0) return 0.5;
    return device->capability >= 86 ? 1.0 / 64 : 1.0 / 32;
}

/* What kernels read in a second, of what a memory's width and clock give: on an H200 that is the 14
 * bytes a cycle above. */
static const double share_read = 0.745;

/* What a device does of a resource in a second; 0 of launches. */
static double ceiling(const ndft_device *device, int field, ndft_prec prec)
{
    if (field == NDFT_COST_DRAM && device->bytes_s > 0) return share_read * device->bytes_s;
    const ndft_cost rate = is_gpu(device) ? gpu : thread_of(device->isa);
    const double usual_hz = is_gpu(device) ? 1.5e9 : 3e9;
    const double hz = device->clock_mhz > 0 ? device->clock_mhz * 1e6 : usual_hz;
    const double share = prec == NDFT_F64 && ndft_cost_is_arithmetic(field) ? f64_share(device) : 1;
    return ndft_cost_amount(&rate, field) * hz * device->units * share;
}

static double by_roofline(const ndft_cost *cost, ndft_prec prec, const ndft_device *device)
{
    const double launch_s = is_gpu(device) ? 2.5e-6 : 1e-6;
    double longest = 0;
    for (int i = 0; i < NDFT_COST_FIELDS; i++) {
        const double most = ceiling(device, i, prec);
        if (most > 0) longest = fmax(longest, ndft_cost_amount(cost, i) / most);
    }
    return longest + launch_s * cost->launches;
}

/* How much longer this device takes with a resource than the one that was measured. Slots of code
 * in double wait for the units of doubles. */
static double slower(const ndft_device *measured, const ndft_device *device, int term,
                     ndft_prec prec)
{
    if (term >= NDFT_MODEL_CONVOLVED) return 1;
    const int field = term < NDFT_COST_FIELDS ? term : NDFT_COST_DRAM; /* as rough axes are */
    const double there = ceiling(measured, field, prec), here = ceiling(device, field, prec);
    const bool waits = prec == NDFT_F64 && field == NDFT_COST_SLOTS;
    const double waiting = waits ? f64_share(measured) / f64_share(device) : 1;
    return here > 0 ? waiting * there / here : 1;
}

double ndft_estimate_least(const ndft_candidate *c, const ndft_problem *p, ndft_op op,
                           const ndft_device *device)
{
    double longest = 0;
    const ndft_cost cost = ndft_executed_cost(c->entry->variant, p, op, c->knobs);
    for (int i = 0; i < NDFT_COST_FIELDS; i++)
        if (ndft_cost_is_arithmetic(i))
            longest = fmax(longest, ndft_cost_amount(&cost, i) / ceiling(device, i, p->prec));
    return longest;
}

void ndft_estimate_amounts(const ndft_candidate *c, const ndft_problem *p, ndft_op op,
                           const ndft_device *device, double amount[NDFT_MODEL_TERMS])
{
    const ndft_cost cost = ndft_weighed_cost(c->entry->variant, p, op, c->knobs);
    ndft_model_amounts(&cost, c->entry->kind, p, device->units, amount);
}

static double by_line(const ndft_model_line *line, const ndft_candidate *c, const ndft_problem *p,
                      const ndft_cost *cost, const ndft_device *device)
{
    const ndft_device *measured = ndft_model_device(device);
    double amount[NDFT_MODEL_TERMS], seconds = 0;
    ndft_model_amounts(cost, c->entry->kind, p, device->units, amount);
    for (int term = 0; term < NDFT_MODEL_TERMS; term++)
        seconds += amount[term] * line->cost[term] * slower(measured, device, term, p->prec);
    return seconds;
}

/* A normal operator that is put together, and was not measured as such, takes what both parts do.
 */
static double estimate(const ndft_candidate *c, const ndft_problem *p, ndft_op op,
                       const ndft_device *device)
{
    const ndft_variant *v = c->entry->variant;
    const ndft_model_line *line = ndft_model_of(c->entry, op, p->prec, device);
    ndft_problem half;
    const ndft_problem *parts = ndft_problem_of_parts(v, c->knobs, p, (unsigned)op, &half);
    if (parts != p && line && !line->op)
        return estimate(c, parts, NDFT_FORWARD, device) + estimate(c, parts, NDFT_ADJOINT, device);
    const ndft_cost cost = (line ? ndft_weighed_cost : ndft_executed_cost)(v, p, op, c->knobs);
    return line ? by_line(line, c, p, &cost, device) : usual * by_roofline(&cost, p->prec, device);
}

/* Coil maps are read as fast as memory is. */
double ndft_estimate(const ndft_candidate *c, const ndft_problem *p, ndft_op op,
                     const ndft_device *device)
{
    ndft_problem bare;
    const ndft_problem *own = ndft_problem_without_maps(p, &bare);
    const double engine_s = estimate(c, own, op, device);
    if (own == p) return engine_s;
    const ndft_cost maps = ndft_cost_of_maps(c->entry->variant, p, op);
    return engine_s + by_roofline(&maps, p->prec, device);
}

double ndft_estimate_error(const ndft_candidate *c, ndft_op op, ndft_prec prec,
                           const ndft_device *device)
{
    const ndft_model_line *line = ndft_model_of(c->entry, op, prec, device);
    const char *measured = ndft_model_device(device)->slug;
    if (!line) return usual_error;
    return line->error + (strcmp(measured, device->slug) ? elsewhere_error : 0);
}
