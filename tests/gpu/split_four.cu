/* SPDX-License-Identifier: Apache-2.0 */
#include "core/mma_split.cuh"
#include "no_device.h"

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

/* Whether tensor cores split four numbers as conversions and subtractions do: of all sizes in f16's
 * range, its subnormals, and those next to where f16 rounds to the next power of two. Exit status
 * 0: the parts are equal, 1: some differ, 77: no device. */

namespace
{

enum { THREADS = 256, NUMBERS = 1 << 22 };

__device__ bool differ(unsigned one, unsigned other)
{
    const half2 a = *(const half2 *)&one, b = *(const half2 *)&other;
    return __low2float(a) != __low2float(b) || __high2float(a) != __high2float(b);
}

__global__ void compare(const float4 *numbers, unsigned *differing)
{
    const float4 x = numbers[blockIdx.x * THREADS + threadIdx.x];
    unsigned hi[4], lo[4];
    ndft_split_by_mma().four(x.x, x.y, x.z, x.w, hi[0], hi[1], lo[0], lo[1]);
    ndft_split_by_conversion().four(x.x, x.y, x.z, x.w, hi[2], hi[3], lo[2], lo[3]);
    for (int i = 0; i < 2; i++)
        if (differ(hi[i], hi[2 + i]) || differ(lo[i], lo[2 + i])) atomicAdd(differing, 1u);
}

float number(std::mt19937 &draw, int i)
{
    std::uniform_real_distribution<float> unit(-1, 1);
    const int exponent = (int)(draw() % 40) - 25;
    if (i % 3 == 0) return unit(draw);
    if (i % 3 == 1) return std::ldexp(unit(draw), exponent);
    return std::ldexp(1 - (float)(draw() % 16384) * 0x1p-24f, exponent);
}

} // namespace

int main()
{
    if (no_device()) return 77;
    std::mt19937 draw(1);
    std::vector<float> numbers(NUMBERS);
    for (int i = 0; i < NUMBERS; i++) numbers[i] = number(draw, i);
    float4 *on_device;
    unsigned *differing, words = 1;
    cudaError_t error = cudaMalloc(&on_device, NUMBERS * sizeof(float));
    if (!error) error = cudaMalloc(&differing, sizeof *differing);
    if (!error)
        error =
            cudaMemcpy(on_device, numbers.data(), NUMBERS * sizeof(float), cudaMemcpyHostToDevice);
    if (!error) error = cudaMemset(differing, 0, sizeof *differing);
    if (!error) compare<<<NUMBERS / 4 / THREADS, THREADS>>>(on_device, differing);
    if (!error) error = cudaMemcpy(&words, differing, sizeof words, cudaMemcpyDeviceToHost);
    printf("%u of %d words differ (%s)\n", words, NUMBERS / 2, cudaGetErrorString(error));
    return error != cudaSuccess || words != 0;
}
