/* SPDX-License-Identifier: Apache-2.0 */
#include "base/launched.cuh"
#include "moments_cuda.cuh"

#include <ndft/moments.h>

namespace
{

enum { THREADS = 256 };

unsigned blocks_for(int64_t n) { return (unsigned)((n + THREADS - 1) / THREADS); }

__device__ int64_t element() { return (int64_t)blockIdx.x * blockDim.x + threadIdx.x; }

template <class T> struct pair_of;
template <> struct pair_of<float> {
    using type = float2;
};
template <> struct pair_of<double> {
    using type = double2;
};

/* An element each, read once for all weights. */
template <class R, class R2>
__global__ void weigh_columns(ndft_placement t, int weights, const R *w, const R2 *in, R2 *out)
{
    const int64_t i = element(), all = t.coils * t.length;
    if (i >= all) return;
    const int64_t v = t.coil == 1 ? i / t.coils : i % t.length;
    const R2 x = in[i];
    for (int l = 0; l < weights; l++) {
        const R f = w[l * t.length + v];
        out[l * all + i] = R2{f * x.x, f * x.y};
    }
}

/* A sample each, whose b is read once for all weights. */
template <int WEIGHTS, class R, class R2>
__global__ void sum_columns(ndft_placement t, const R2 *a, const R2 *b, bool add, R *sums)
{
    const int64_t j = element(), all = t.coils * t.length;
    if (j >= t.length) return;
    int64_t at = j * t.element;
    R sum[WEIGHTS];
    for (int l = 0; l < WEIGHTS; l++) sum[l] = add ? sums[j * WEIGHTS + l] : R{0};
#pragma unroll 4
    for (int coil = 0; coil < t.coils; coil++, at += t.coil) {
        const R2 s = b[at];
        for (int l = 0; l < WEIGHTS; l++) {
            const R2 y = a[l * all + at];
            sum[l] += y.y * s.x - y.x * s.y;
        }
    }
    for (int l = 0; l < WEIGHTS; l++) sums[j * WEIGHTS + l] = sum[l];
}

template <class R> struct typed {
    using R2 = typename pair_of<R>::type;

    static void weigh(cudaStream_t stream, const ndft_placement &t, int weights, const void *w,
                      const void *in, void *out)
    {
        weigh_columns<<<blocks_for(t.coils * t.length), THREADS, 0, stream>>>(
            t, weights, (const R *)w, (const R2 *)in, (R2 *)out);
    }

    template <int WEIGHTS>
    static void moments_of(cudaStream_t stream, const ndft_placement &t, const void *a,
                           const void *b, bool add, void *sums)
    {
        sum_columns<WEIGHTS><<<blocks_for(t.length), THREADS, 0, stream>>>(
            t, (const R2 *)a, (const R2 *)b, add, (R *)sums);
    }

    static void moments(cudaStream_t stream, const ndft_placement &t, int weights, const void *a,
                        const void *b, bool add, void *sums)
    {
        static_assert(NDFT_MOST_WEIGHTS == 4, "a kernel for each number of weights");
        using sum = void (*)(cudaStream_t, const ndft_placement &, const void *, const void *, bool,
                             void *);
        static const sum by_weights[] = {moments_of<1>, moments_of<2>, moments_of<3>,
                                         moments_of<4>};
        by_weights[weights - 1](stream, t, a, b, add, sums);
    }
};

} // namespace

ndft_status ndft_cuda::weigh_moments(ndft_exec *exec, ndft_prec prec, const ndft_placement *t,
                                     int weights, const void *w, const void *in, void *out)
{
    const auto run = prec == NDFT_F32 ? typed<float>::weigh : typed<double>::weigh;
    run(stream_of(exec), *t, weights, w, in, out);
    return check(exec, ndft_launch_error(), "weighted images");
}

ndft_status ndft_cuda::sum_moments(ndft_exec *exec, ndft_prec prec, const ndft_placement *t,
                                   int weights, const void *a, const void *b, bool add, void *sums)
{
    const auto run = prec == NDFT_F32 ? typed<float>::moments : typed<double>::moments;
    run(stream_of(exec), *t, weights, a, b, add, sums);
    return check(exec, ndft_launch_error(), "moments");
}
