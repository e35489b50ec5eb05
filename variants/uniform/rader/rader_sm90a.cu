/* SPDX-License-Identifier: Apache-2.0 */
#include "uniform/callback/uniform_index.cuh"

#include "core/dispatch.cuh"
#include "rader_kernel.cuh"

/* The kernels of rader, for compute capability 9.0a, whose instructions no other has. */

namespace
{

__device__ int power_of(int64_t base, int exponent, int modulus)
{
    int64_t power = 1;
    for (; exponent; exponent /= 2, base = base * base % modulus)
        if (exponent % 2) power = power * base % modulus;
    return (int)power;
}

/* A thread a number m of the convolution: input g^m lies where number m does, which is (m/rows mod
 * columns, m/columns mod rows), output g^-m likewise. inverse: of rows modulo columns, and the
 * other way round. */
__global__ void place(ndft_rader_shape s, int inverse_rows, int inverse_columns, uint16_t *input,
                      uint16_t *output)
{
    const int m = (int)(blockIdx.x * blockDim.x + threadIdx.x), all = s.length - 1;
    if (m >= all) return;
    const int column = (int)((int64_t)m * inverse_columns % s.rows);
    const int cell = (int)((int64_t)m * inverse_rows % s.columns) * s.pitch + column;
    input[power_of(s.generator, m, s.length)] = (uint16_t)cell;
    output[power_of(s.generator, (all - m) % all, s.length)] = (uint16_t)cell;
}

/* A block a number of the filter: the transform of exp(sign 2 pi i g^-m / P), over P - 1. */
__global__ void filter(ndft_rader_shape s, int sign, float2 *filter)
{
    __shared__ double re[NDFT_RADER_THREADS], im[NDFT_RADER_THREADS];
    const int k = (int)blockIdx.x, all = s.length - 1, thread = threadIdx.x;
    double sum_re = 0, sum_im = 0;
    int root = power_of(s.generator, (all - thread) % all, s.length);
    const int step = power_of(s.generator, all - NDFT_RADER_THREADS % all, s.length);
    for (int m = thread; m < all; m += NDFT_RADER_THREADS) {
        double sine, cosine;
        sincospi(2 * (sign * (double)root / s.length - (double)((int64_t)m * k % all) / all), &sine,
                 &cosine);
        sum_re += cosine;
        sum_im += sine;
        root = (int)((int64_t)root * step % s.length);
    }
    re[thread] = sum_re;
    im[thread] = sum_im;
    for (int apart = NDFT_RADER_THREADS / 2; apart > 0; apart /= 2) {
        __syncthreads();
        if (thread < apart) re[thread] += re[thread + apart], im[thread] += im[thread + apart];
    }
    if (thread == 0)
        filter[k % s.columns * s.pitch + k % s.rows] = {(float)(re[0] / all), (float)(im[0] / all)};
}

int inverse_of(int number, int modulus)
{
    for (int i = 1; i < modulus; i++)
        if (number % modulus * i % modulus == 1) return i;
    return 0;
}

} // namespace

ndft_rader_kernel ndft_rader_choose(const ndft_rader_shape &shape)
{
    const int rows = ndft_rader_steps(shape.rows);
    return ndft_choose<1, 2>(ndft_rader_steps(shape.columns), [rows](auto c) {
        return ndft_choose<1, 2, 3, 4>(rows, [](auto r) -> ndft_rader_kernel {
            if constexpr (decltype(r)::value >= decltype(c)::value)
                return ndft_rader_lines<decltype(c)::value, decltype(r)::value>;
            else
                return nullptr;
        });
    });
}

ndft_status ndft_rader_build(ndft_exec *exec, const ndft_rader_shape &shape, int sign, void *table)
{
    const cudaStream_t stream = ndft_stream(exec);
    const ndft_rader_layout at(shape);
    auto *to = (unsigned char *)table;
    const auto build = [&](int length, void *matrix) {
        const int steps = ndft_rader_steps(length);
        const int entries = ndft_wgmma_matrix(steps) / (int)sizeof(__half);
        ndft_build_wgmma<<<ndft_blocks(entries, 128), 128, 0, stream>>>(length, -1, steps, 1,
                                                                        (__half *)matrix);
    };
    NDFT_TRY(ndft_checked(exec, cudaMemsetAsync(table, 0, at.cells, stream),
                          "the table of a convolution"));
    build(shape.rows, to);
    build(shape.columns, to + at.of_columns);
    place<<<ndft_blocks(shape.length - 1, 128), 128, 0, stream>>>(
        shape, inverse_of(shape.rows, shape.columns), inverse_of(shape.columns, shape.rows),
        (uint16_t *)(to + at.input), (uint16_t *)(to + at.output));
    filter<<<shape.length - 1, NDFT_RADER_THREADS, 0, stream>>>(shape, sign,
                                                                (float2 *)(to + at.filter));
    NDFT_TRY(ndft_launched(exec, "the table of a convolution"));
    return ndft_checked(exec, cudaStreamSynchronize(stream), "the table of a convolution");
}
