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

/* The adjoint's entries are conjugates. */
template <class R> __global__ void naive_sum(chirpz_naive c, bool adjoint, const R *in, R *out)
{
    const int64_t inputs = adjoint ? c.outputs : c.inputs, outputs = adjoint ? c.inputs : c.outputs;
    const int64_t e = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (e >= c.batch * outputs) return;
    const double own = (double)(e % outputs), sign = adjoint ? -1 : 1;
    const R *x = in + 2 * (e / outputs) * inputs;
    R re = 0, im = 0;
    for (int64_t i = 0; i < inputs; i++, x += 2) {
        const double n = adjoint ? own : (double)i, k = adjoint ? (double)i : own;
        const double turns =
            sign * (ndft_whole_turns_off(n * k, c.w.turns) - ndft_whole_turns_off(n, c.a.turns));
        const double size = exp(ndft_chirpz_log(n, k, c.log_w, c.log_a));
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
    R *between; /* outputs on the way of a normal operator */

    ndft_status prepare(const ndft_problem *p, const int *, unsigned ops)
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
        if (!(ops & NDFT_NORMAL)) return NDFT_OK;
        return ndft_reserve(&arrays, "samples between forward and adjoint",
                            2 * p->n_samples * p->coils, &between);
    }

    ndft_status transform(bool adjoint, const R *in, R *out) const
    {
        const int64_t outputs = adjoint ? sum.inputs : sum.outputs;
        const unsigned blocks = ndft_blocks(sum.batch * outputs, THREADS);
        naive_sum<R><<<blocks, THREADS, 0, ndft_stream(arrays.exec)>>>(sum, adjoint, in, out);
        return ndft_launched(arrays.exec, "chirpz_naive");
    }

    ndft_status run(ndft_op op, const void *in, void *out) const
    {
        if (op != NDFT_NORMAL) return transform(op == NDFT_ADJOINT, (const R *)in, (R *)out);
        NDFT_TRY(transform(false, (const R *)in, between));
        return transform(true, between, (R *)out);
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
    cost.launches = 1 + (op == NDFT_NORMAL);
    return cost;
}

} // namespace

extern "C" const ndft_variant ndft_chirpz_naive_cuda = {
    .name = "chirpz_naive",
    .backend = "cuda",
    .summary = "a chirp z-transform as a double sum, sincospi and exp in double",
    .ops = NDFT_FORWARD | NDFT_ADJOINT | NDFT_NORMAL,
    .claim = NDFT_CHIRPZ_NAIVE_CLAIM,
    NDFT_BASE_PLAN(naive_plan),
    .cost = cost,
};
