/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate.h"

#include "cost.h"

#include <math.h>
#include <string.h>

/* What one unit does per cycle in f32: a multiprocessor of compute capability 9.0 (CUDA C++
 * programming guide, throughput of arithmetic instructions), and a hardware thread of a processor
 * whose vectors have `lanes` floats. f64 has half of the arithmetic. */
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

static double arithmetic_share(const ndft_problem *p, const char *name)
{
    const bool bytes = strstr(name, "bytes") || !strcmp(name, "issue_slots");
    return p->prec == NDFT_F64 && !bytes ? 0.5 : 1;
}

double ndft_estimate(const ndft_variant *v, const ndft_problem *p, ndft_op op, const int *knobs,
                     const ndft_device *device)
{
    const bool on_gpu = device->shared_bytes > 0;
    const double usual_hz = on_gpu ? 1.5e9 : 3e9, launch_s = on_gpu ? 2.5e-6 : 1e-6;
    const double hz = device->clock_mhz > 0 ? device->clock_mhz * 1e6 : usual_hz;
    const ndft_cost rate = on_gpu ? gpu : thread_of(device->isa);
    const ndft_cost cost = ndft_executed_cost(v, p, op, knobs);
    double longest = 0;
    for (int i = 0; i < NDFT_COST_FIELDS; i++) {
        const double each = ndft_cost_amount(&rate, i) * arithmetic_share(p, ndft_cost_name(i));
        if (each > 0) longest = fmax(longest, ndft_cost_amount(&cost, i) / each);
    }
    return longest / (hz * device->units) + launch_s * cost.launches;
}
