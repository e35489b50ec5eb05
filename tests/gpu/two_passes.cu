/* SPDX-License-Identifier: Apache-2.0 */
#include "fft/two_passes.cuh"
#include "no_device.h"

#include <cmath>
#include <complex>
#include <cstdio>
#include <random>
#include <vector>

/* Transforms of lines in two passes beside sums in f64, of the lengths and both ways that
 * two_lines.cu has. Exit status 0: all are right, 1: some are not, 77: no device. */

namespace
{

using complex = ndft_complex<float>;

enum { LINES = 8 };

/* A line for each x, cells [cell][line]. */
template <int SIGN, int A, int B>
__global__ void transform(const complex *turns, const complex *in, complex *out)
{
    extern __shared__ complex shared[];
    const int t = threadIdx.y, line = threadIdx.x;
    complex v[A] = {}, sums[B];
    for (int i = 0; t < B && i < A; i++) v[i] = in[(t + i * B) * LINES + line];
    two_passes<SIGN, A, B, LINES>(t, shared + line, turns, v, sums);
    for (int i = 0; t < A && i < B; i++) out[(t + i * A) * LINES + line] = sums[i];
}

std::vector<complex> roots(int n)
{
    std::vector<complex> turns;
    for (int j = 0; j < n; j++) {
        const std::complex<double> turn = std::polar(1.0, -2 * M_PI * j / n);
        turns.push_back({(float)turn.real(), (float)turn.imag()});
    }
    return turns;
}

/* The error of a line's sums, of their root mean square. */
double error_of(int sign, int n, int line, const complex *in, const complex *out)
{
    double wrong = 0, all = 0;
    for (int k = 0; k < n; k++) {
        std::complex<double> sum = 0;
        for (int j = 0; j < n; j++)
            sum += std::polar(1.0, sign * 2 * M_PI * (j * k % n) / n) *
                   std::complex<double>(in[j * LINES + line].re, in[j * LINES + line].im);
        const complex found = out[k * LINES + line];
        wrong += std::norm(sum - std::complex<double>(found.re, found.im));
        all += std::norm(sum);
    }
    return std::sqrt(wrong / all);
}

template <int SIGN, int A, int B> bool right()
{
    constexpr int N = A * B;
    const std::vector<complex> turns = roots(N);
    std::vector<complex> in(N * LINES), out(N * LINES);
    std::mt19937 draw(N);
    std::normal_distribution<float> normal;
    for (complex &cell : in) cell = {normal(draw), normal(draw)};
    complex *memory = NULL;
    const size_t size = N * LINES * sizeof(complex);
    cudaError_t status = cudaMalloc(&memory, 2 * size + N * sizeof(complex));
    complex *const to = memory + N * LINES, *const roots = to + N * LINES;
    if (!status) status = cudaMemcpy(memory, in.data(), size, cudaMemcpyHostToDevice);
    if (!status)
        status = cudaMemcpy(roots, turns.data(), N * sizeof(complex), cudaMemcpyHostToDevice);
    if (!status) status = cudaMemset(to, 0xff, size);
    if (!status)
        transform<SIGN, A, B>
            <<<1, dim3(LINES, A > B ? A : B), LINES * two_passes_room(A, B) * sizeof(complex)>>>(
                roots, memory, to);
    if (!status) status = cudaMemcpy(out.data(), to, size, cudaMemcpyDeviceToHost);
    const cudaError_t freed = cudaFree(memory);
    if (!status) status = freed;
    double worst = 0;
    for (int line = 0; line < LINES; line++) {
        const double error = error_of(SIGN, N, line, in.data(), out.data());
        if (!(error <= worst)) worst = error;
    }
    const bool good = status == cudaSuccess && worst < 5e-7;
    printf("%+d %d = %d * %d: %.2g (%s)%s\n", SIGN, N, A, B, worst, cudaGetErrorString(status),
           good ? "" : ": too much");
    return good;
}

template <int OF_IMAGE, int OF_GRID> bool both_ways()
{
    return right<-1, OF_IMAGE, OF_GRID>() & right<+1, OF_GRID, OF_IMAGE>();
}

} // namespace

int main()
{
    if (no_device()) return 77;
    const bool good = both_ways<8, 12>() & both_ways<20, 32>();
    return !good;
}
