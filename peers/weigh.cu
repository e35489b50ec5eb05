/* SPDX-License-Identifier: Apache-2.0 */
#include "weigh.h"

#include <cuda_runtime.h>

/*
 * A thread has an element of COILS coils, whose neighbours' threads read and write beside it: the
 * weights of all terms are read once for these coils, what goes in or comes out once in all.
 * Memory's bandwidth is the ceiling.
 */

namespace
{

enum { THREADS = 256, COILS = 4 };

template <class R> struct alignas(2 * sizeof(R)) value {
    R re, im;
};

template <class R> __device__ value<R> weight_at(const peer_weights &w, int term, int64_t element)
{
    value<R> weight = ((const value<R> *)w.of)[term * w.length + element];
    if (w.conjugated) weight.im = -weight.im;
    return weight;
}

template <class R>
__global__ void expand(peer_weights w, const value<R> *__restrict__ in, value<R> *columns)
{
    const int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x;
    const int first = blockIdx.y * COILS;
    if (i >= w.length) return;
    value<R> x[COILS];
#pragma unroll
    for (int c = 0; c < COILS; c++)
        if (first + c < w.coils) x[c] = in[(first + c) * w.length + i];
    for (int l = 0; l < w.terms; l++) {
        const value<R> a = weight_at<R>(w, l, i);
        value<R> *to = columns + (int64_t)(l * w.coils + first) * w.length + i;
#pragma unroll
        for (int c = 0; c < COILS; c++)
            if (first + c < w.coils)
                to[c * w.length] = {x[c].re * a.re - x[c].im * a.im,
                                    x[c].re * a.im + x[c].im * a.re};
    }
}

template <class R>
__global__ void join(peer_weights w, const value<R> *__restrict__ columns, value<R> *out)
{
    const int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x;
    const int first = blockIdx.y * COILS;
    if (i >= w.length) return;
    value<R> sum[COILS] = {};
    for (int l = 0; l < w.terms; l++) {
        const value<R> a = weight_at<R>(w, l, i);
        const value<R> *from = columns + (int64_t)(l * w.coils + first) * w.length + i;
#pragma unroll
        for (int c = 0; c < COILS; c++) {
            if (first + c >= w.coils) break;
            const value<R> x = from[c * w.length];
            sum[c].re += x.re * a.re - x.im * a.im;
            sum[c].im += x.re * a.im + x.im * a.re;
        }
    }
#pragma unroll
    for (int c = 0; c < COILS; c++)
        if (first + c < w.coils) out[(first + c) * w.length + i] = sum[c];
}

ndft_status launched(ndft_exec *exec, const char *what)
{
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) return NDFT_OK;
    return ndft_fail(exec->error, NDFT_EDEVICE, "%s by a field map's terms: %s", what,
                     cudaGetErrorString(error));
}

template <class R> using kernel = void (*)(peer_weights, const value<R> *, value<R> *);

template <class R>
ndft_status run(ndft_exec *exec, kernel<R> f, const char *what, const peer_weights *w,
                const void *in, void *out)
{
    const dim3 blocks((unsigned)((w->length + THREADS - 1) / THREADS),
                      (unsigned)((w->coils + COILS - 1) / COILS));
    f<<<blocks, THREADS, 0, (cudaStream_t)exec->stream>>>(*w, (const value<R> *)in,
                                                          (value<R> *)out);
    return launched(exec, what);
}

ndft_status run_expand(ndft_exec *exec, const peer_weights *w, const void *in, void *columns)
{
    return w->prec == NDFT_F32 ? run<float>(exec, expand<float>, "weighing", w, in, columns)
                               : run<double>(exec, expand<double>, "weighing", w, in, columns);
}

ndft_status run_join(ndft_exec *exec, const peer_weights *w, const void *columns, void *out)
{
    return w->prec == NDFT_F32 ? run<float>(exec, join<float>, "the sum", w, columns, out)
                               : run<double>(exec, join<double>, "the sum", w, columns, out);
}

} // namespace

const peer_weigher peer_weigher_cuda = {run_expand, run_join};
