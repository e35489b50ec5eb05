/* SPDX-License-Identifier: Apache-2.0 */
#define NDFT_INDEX static inline __host__ __device__
#include "base/launched.cuh"
#include "base/uniform.h"
#include "vectors_cuda.cuh"

namespace
{

enum { THREADS = 256 };

unsigned blocks_for(int64_t n) { return (unsigned)((n + THREADS - 1) / THREADS); }

__device__ int64_t element() { return (int64_t)blockIdx.x * blockDim.x + threadIdx.x; }

template <class R>
__global__ void scale_elements(R *memory, ndft_tensor t, int64_t size, int parts, double factor)
{
    const int64_t e = element();
    int64_t index[NDFT_MODES];
    if (e >= size) return;
    ndft_tensor_index(&t, e, index);
    R *at = memory + parts * ndft_tensor_offset(&t, index);
    for (int part = 0; part < parts; part++) at[part] = (R)(factor * at[part]);
}

struct box {
    int64_t x, y, z;
};

template <class R2>
__global__ void place_elements(box from_n, const R2 *from, box to_n, R2 *to, int64_t size)
{
    const int64_t e = element();
    if (e >= size) return;
    const int64_t x = e % to_n.x, y = e / to_n.x % to_n.y, z = e / to_n.x / to_n.y % to_n.z;
    const int64_t b = e / to_n.x / to_n.y / to_n.z;
    const bool inside = x < from_n.x && y < from_n.y && z < from_n.z;
    to[e] = inside ? from[((b * from_n.z + z) * from_n.y + y) * from_n.x + x] : R2{0, 0};
}

template <class R2, class R>
__global__ void multiply_elements(const R2 *factors, R sign, int64_t n, R2 *values, int64_t size)
{
    const int64_t e = element();
    if (e >= size) return;
    const R2 a = values[e];
    R2 f = factors[e % n];
    f.y *= sign;
    values[e] = R2{a.x * f.x - a.y * f.y, a.x * f.y + a.y * f.x};
}

template <class R2> __global__ void add_elements(const R2 *x, const R2 *y, R2 *sum, int64_t size)
{
    const int64_t e = element();
    if (e >= size) return;
    const R2 a = x[e], b = y[e];
    sum[e] = R2{b.x + a.x, b.y + a.y};
}

} // namespace

ndft_status ndft_cuda::scale(ndft_exec *exec, ndft_prec prec, const ndft_tensor *t, void *memory,
                             double factor)
{
    const int64_t size = ndft_tensor_size(t);
    const unsigned blocks = blocks_for(size);
    const int parts = t->real ? 1 : 2;
    if (prec == NDFT_F32)
        scale_elements<<<blocks, THREADS, 0, stream_of(exec)>>>((float *)memory, *t, size, parts,
                                                                factor);
    else
        scale_elements<<<blocks, THREADS, 0, stream_of(exec)>>>((double *)memory, *t, size, parts,
                                                                factor);
    return check(exec, ndft_launch_error(), "scaling");
}

ndft_status ndft_cuda::place(ndft_exec *exec, ndft_prec prec, int64_t batch,
                             const int64_t from_n[3], const void *from, const int64_t to_n[3],
                             void *to)
{
    const box a = {from_n[0], from_n[1], from_n[2]}, b = {to_n[0], to_n[1], to_n[2]};
    const int64_t size = batch * b.x * b.y * b.z;
    if (prec == NDFT_F32)
        place_elements<<<blocks_for(size), THREADS, 0, stream_of(exec)>>>(a, (const float2 *)from,
                                                                          b, (float2 *)to, size);
    else
        place_elements<<<blocks_for(size), THREADS, 0, stream_of(exec)>>>(a, (const double2 *)from,
                                                                          b, (double2 *)to, size);
    return check(exec, ndft_launch_error(), "copying boxes");
}

ndft_status ndft_cuda::multiply(ndft_exec *exec, ndft_prec prec, int64_t batch, int64_t n,
                                const void *factors, bool conjugate, void *values)
{
    const int64_t size = batch * n;
    const int sign = conjugate ? -1 : 1;
    if (prec == NDFT_F32)
        multiply_elements<<<blocks_for(size), THREADS, 0, stream_of(exec)>>>(
            (const float2 *)factors, (float)sign, n, (float2 *)values, size);
    else
        multiply_elements<<<blocks_for(size), THREADS, 0, stream_of(exec)>>>(
            (const double2 *)factors, (double)sign, n, (double2 *)values, size);
    return check(exec, ndft_launch_error(), "products");
}

/* Reals of complex numbers come in pairs. */
ndft_status ndft_cuda::add(ndft_exec *exec, ndft_prec prec, int64_t n, const void *x, const void *y,
                           void *sum)
{
    const int64_t size = n / 2;
    if (prec == NDFT_F32)
        add_elements<<<blocks_for(size), THREADS, 0, stream_of(exec)>>>(
            (const float2 *)x, (const float2 *)y, (float2 *)sum, size);
    else
        add_elements<<<blocks_for(size), THREADS, 0, stream_of(exec)>>>(
            (const double2 *)x, (const double2 *)y, (double2 *)sum, size);
    return check(exec, ndft_launch_error(), "a sum");
}
