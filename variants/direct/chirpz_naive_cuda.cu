/* SPDX-License-Identifier: Apache-2.0 */
#define NDFT_INDEX static inline __host__ __device__
#include "chirpz_naive_loop.h"

#include "core/device.cuh"
#include "phase/worst_entry.h"

#include "base/variant.h"

/*
 * A chirp z-transform as the sum that it is: a thread per output, phases and magnitudes of every
 * pair in double. Nothing is staged or reused; arithmetic in double is its ceiling.
 */

namespace
{

enum { THREADS = 256 };

template <class R> __global__ void naive_sum(chirpz_naive c, const R *in, R *out)
{
    const int64_t e = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (e >= c.batch * c.outputs) return;
    const double k = (double)(e % c.outputs);
    const R *x = in + 2 * (e / c.outputs) * c.inputs;
    R re = 0, im = 0;
    for (int64_t n = 0; n < c.inputs; n++, x += 2) {
        const double turns = ndft_whole_turns_off((double)n * k, c.w.turns) -
                             ndft_whole_turns_off((double)n, c.a.turns);
        const double size = exp(ndft_chirpz_log((double)n, k, c.log_w, c.log_a));
        double sine, cosine;
        sincospi(2 * turns, &sine, &cosine);
        const R wr = (R)(size * cosine), wi = (R)(size * sine);
        re += wr * x[0] - wi * x[1];
        im += wr * x[1] + wi * x[0];
    }
    out[2 * e] = re;
    out[2 * e + 1] = im;
}

template <class R> struct naive_plan : ndft_base_plan {
    chirpz_naive sum;

    ndft_status prepare(const ndft_problem *p, const int *, unsigned)
    {
        const ndft_chirpz_problem *c = ndft_chirpz_of(p);
        sum = {.inputs = p->n[0],
               .outputs = p->n_samples,
               .batch = p->coils,
               .threads = 0,
               .w = c->w,
               .a = c->a,
               .log_w = log(c->w.modulus),
               .log_a = log(c->a.modulus)};
        return NDFT_OK;
    }

    ndft_status run(ndft_op, const void *in, void *out) const
    {
        const unsigned blocks = ndft_blocks(sum.batch * sum.outputs, THREADS);
        naive_sum<R>
            <<<blocks, THREADS, 0, ndft_stream(arrays.exec)>>>(sum, (const R *)in, (R *)out);
        return ndft_launched(arrays.exec, "chirpz_naive");
    }
};

ndft_cost cost(const ndft_problem *p, ndft_op op, const int *)
{
    const double pairs = ndft_coil_pairs(p, op);
    ndft_cost cost = {};
    cost.fma = pairs * 60; /* in double: sincospi and exp, by polynomials; the product */
    cost.integer = pairs * 12;
    cost.issue_slots = pairs * 150;
    cost.l2_bytes = pairs * 2 * (double)ndft_real_size(p->prec) / 32;
    cost.launches = 1;
    return cost;
}

} // namespace

extern "C" const ndft_variant ndft_chirpz_naive_cuda = {
    .name = "chirpz_naive",
    .backend = "cuda",
    .summary = "a chirp z-transform as a double sum, sincospi and exp in double",
    .ops = NDFT_FORWARD,
    .claim = NDFT_CHIRPZ_NAIVE_CLAIM,
    NDFT_BASE_PLAN(naive_plan),
    .cost = cost,
};
