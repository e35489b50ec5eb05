/* SPDX-License-Identifier: Apache-2.0 */
#include "uniform/callback/uniform_index.cuh"

#include "phase/worst_entry.h"
#include "uniform/callback/callback_kernel.cuh"
#include "uniform/callback/uniform_naive_kernel.cuh"

#include "base/variant.h"

/*
 * A uniform transform as the double sum that it is: a thread per output, phases from exact integers
 * n k mod N, libm's sine and cosine for every pair. In place the input is copied first. Nothing is
 * staged or reused; issue slots of sincospi are its ceiling. With load or store functions the same
 * kernel is compiled in plan, they in it.
 */

namespace
{

enum { THREADS = 256 };

/* How a kernel reads and writes elements of a tensor, place and modes given: as they are. Where a
 * transform has load or store functions, ndft_called_access is compiled in its place. */
struct plain_access {
    template <class R>
    __device__ void load(const ndft_tensor &t, const R *in, int64_t place, const int64_t *,
                         R z[2]) const
    {
        z[0] = in[t.real ? place : 2 * place];
        z[1] = t.real ? (R)0 : in[2 * place + 1];
    }

    template <class R>
    __device__ void store(const ndft_tensor &t, R *out, int64_t place, const int64_t *,
                          const R z[2]) const
    {
        out[t.real ? place : 2 * place] = z[0];
        if (!t.real) out[2 * place + 1] = z[1];
    }
};

template <class R> __global__ void naive_sum(ndft_transform t, int64_t outputs, const R *in, R *out)
{
    const int64_t e = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (e < outputs) naive_output(t, plain_access{}, e, in, out);
}

template <class R> struct naive_plan : ndft_base_plan {
    ndft_transform transform;
    char *copy; /* of the input, in place; null: none */
    size_t bytes;
    ndft_called_kernel called; /* with load or store functions */

    ndft_status prepare(const ndft_problem *p, const int *, unsigned)
    {
        transform = *ndft_transform_of(p);
        bytes = ndft_vector_bytes(p, p->n_voxels);
        if (transform.in_place)
            NDFT_TRY(ndft_reserve(&arrays, "a copy of the input", (int64_t)bytes, &copy));
        if (!transform.load && !transform.store) return NDFT_OK;
        return ndft_called_make(&arrays, &transform, "uniform_naive_called.cuh", &called);
    }

    void release() { ndft_called_destroy(&called); }

    ndft_status run(ndft_op, const void *in, void *out) const
    {
        const cudaStream_t stream = ndft_stream(arrays.exec);
        if (copy) NDFT_TRY(ndft_copy_input(arrays.exec, copy, in, bytes));
        int64_t outputs = ndft_tensor_size(&transform.out);
        const unsigned blocks = ndft_blocks(outputs, THREADS);
        const void *from = copy ? copy : in;
        if (called.library) {
            void *args[] = {(void *)&transform, (void *)&called.data, &outputs, &from, &out};
            return ndft_called_launch(&called, arrays.exec, blocks, THREADS, args);
        }
        naive_sum<R><<<blocks, THREADS, 0, stream>>>(transform, outputs, (const R *)from, (R *)out);
        return ndft_launched(arrays.exec, "uniform_naive");
    }
};

const char *unsupported(const ndft_problem *p, const ndft_device *, const int *)
{
    return ndft_unsupported_callbacks_cuda(p);
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
    .ops = NDFT_FORWARD,
    .claim = {.b = 0.8,
              .c = 8,
              .any = {.c = NDFT_ANY_REDUCED + NDFT_ANY_LIBM + NDFT_ANY_PRODUCT},
              .deterministic = true},
    .unsupported = unsupported,
    NDFT_BASE_PLAN(naive_plan),
    .cost = cost,
};
