/* SPDX-License-Identifier: Apache-2.0 */
#include "uniform_index.cuh"

#include "device.cuh"

#include <ndft/variant.h>

/*
 * A uniform transform as the double sum that it is: a thread per output, phases from exact integers
 * n k mod N, libm's sine and cosine for every pair. In place the input is copied first. Nothing is
 * staged or reused; issue slots of sincospi are its ceiling.
 */

namespace
{

enum { THREADS = 256 };

/* The terms along N1 from the element at `at` on; turns: of the other axes. */
template <class R>
__device__ void add_line(const ndft_transform &t, const R *in, int64_t at, unsigned k, R turns,
                         R acc[2])
{
    const unsigned n = (unsigned)t.shape[NDFT_MODE_N], terms = (unsigned)t.in.shape[NDFT_MODE_N];
    const int64_t stride = t.in.stride[NDFT_MODE_N];
    const R sign = (R)(2 * t.sign);
    for (unsigned i = 0, phase = 0; i < terms; i++, at += stride) {
        const R twice = t.domain == NDFT_C2R && i > 0 && 2 * i != n ? 2 : 1;
        const R re = twice * in[t.in.real ? at : 2 * at];
        const R im = t.in.real ? (R)0 : twice * in[2 * at + 1];
        const R sum = turns + (R)phase / (R)n;
        R s, c;
        sincospi(sign * (sum - rint(sum)), &s, &c);
        acc[0] = fma(c, re, fma(-s, im, acc[0]));
        acc[1] = fma(s, re, fma(c, im, acc[1]));
        phase += k; /* at most 2^31 - 2 */
        if (phase >= n) phase -= n;
    }
}

template <class R> __global__ void naive_sum(ndft_transform t, int64_t outputs, const R *in, R *out)
{
    const int64_t e = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (e >= outputs) return;
    int64_t to[NDFT_MODES];
    ndft_tensor_index(&t.out, e, to);
    const int64_t *n = t.shape + NDFT_MODE_N, *k = to + NDFT_MODE_N;
    R acc[2] = {0, 0};
    for (int64_t z = 0; z < n[2]; z++) {
        for (int64_t y = 0; y < n[1]; y++) {
            const int64_t from[] = {to[NDFT_MODE_M], 0, y, z, to[NDFT_MODE_K]};
            const R turns = (R)(y * k[1] % n[1]) / (R)n[1] + (R)(z * k[2] % n[2]) / (R)n[2];
            add_line(t, in, ndft_tensor_offset(&t.in, from), (unsigned)k[0], turns, acc);
        }
    }
    const int64_t at = ndft_tensor_offset(&t.out, to);
    out[t.out.real ? at : 2 * at] = acc[0];
    if (!t.out.real) out[2 * at + 1] = acc[1];
}

struct naive_plan : ndft_base_plan {
    ndft_transform transform;
    char *copy; /* of the input, in place; null: none */
    size_t bytes;

    ndft_status prepare(const ndft_problem *p, const int *, unsigned)
    {
        transform = *ndft_transform_of(p);
        bytes = ndft_vector_bytes(p, p->n_voxels);
        if (!transform.in_place) return NDFT_OK;
        return ndft_reserve(&arrays, "a copy of the input", (int64_t)bytes, &copy);
    }

    template <class R> ndft_status run(const void *in, void *out) const
    {
        const cudaStream_t stream = ndft_stream(arrays.exec);
        if (copy) cudaMemcpyAsync(copy, in, bytes, cudaMemcpyDeviceToDevice, stream);
        const int64_t outputs = ndft_tensor_size(&transform.out);
        naive_sum<R><<<ndft_blocks(outputs, THREADS), THREADS, 0, stream>>>(
            transform, outputs, (const R *)(copy ? copy : in), (R *)out);
        return ndft_launched(arrays.exec, "uniform_naive");
    }
};

const char *unfit(const ndft_problem *p, const ndft_device *, const int *)
{
    return ndft_unfit_callbacks(p);
}

ndft_status plan(const ndft_problem *p, const int *knobs, unsigned ops, ndft_exec *exec, void **out)
{
    return ndft_make_plan<naive_plan>(p, knobs, ops, exec, out);
}

ndft_status execute(void *state, ndft_op, const void *in, void *out)
{
    const auto *plan = (const naive_plan *)state;
    return plan->prec == NDFT_F32 ? plan->run<float>(in, out) : plan->run<double>(in, out);
}

ndft_cost cost(const ndft_problem *p, ndft_op, const int *)
{
    const ndft_transform *t = ndft_transform_of(p);
    const double pairs = (double)ndft_tensor_size(&t->out) * (double)ndft_tensor_size(&t->in) /
                         (double)ndft_transform_batch(t);
    ndft_cost cost = {};
    cost.fma = pairs * 18; /* sincospi: two polynomials; a division's steps; the product */
    cost.integer = pairs * 12;
    cost.special = pairs * 1;
    cost.issue_slots = pairs * 50;
    cost.l2_bytes = pairs * 2 * (double)ndft_real_size(p->prec) / 32;
    cost.launches = t->in_place ? 2 : 1;
    return cost;
}

} // namespace

extern "C" const ndft_variant ndft_uniform_naive_cuda = {
    .name = "uniform_naive",
    .backend = "cuda",
    .summary = "a uniform transform as a double sum, libm sincospi",
    .knobs = nullptr,
    .n_knobs = 0,
    .ops = NDFT_FORWARD,
    .claim = {.a = 0,
              .b = 0.8,
              .c = 8,
              .truncation = nullptr,
              .deterministic = true,
              .preserves_input = true},
    .unfit = unfit,
    .plan = plan,
    .execute = execute,
    .destroy = ndft_destroy_plan,
    .cost = cost,
};
