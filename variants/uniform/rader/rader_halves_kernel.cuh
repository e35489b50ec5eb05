/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RADER_HALVES_KERNEL_CUH
#define NDFT_RADER_HALVES_KERNEL_CUH

#include "core/bulk.cuh"
#include "core/early.cuh"
#include "fft/odd_dft.cuh"
#include "rader_halves.cuh"

#include <algorithm>
#include <numeric>

/*
 * A line of prime length P = 1 + 2 A R S, A coprime to R S and all odd, after Rader: the halves of
 * its convolution are of x[n] + x[P - n] and x[n] - x[P - n], since -1 is the generator to the
 * power of A R S, and cyclic both, since that is odd. A half is A rows of R S numbers without
 * factors between (Good 1958); rows are transformed in two passes, columns in one, which goes on
 * with the product and the way back. A thread has a pass' sum in registers.
 */

namespace
{

template <int I> struct rader_halves {
    static constexpr ndft_rader_factors F = ndft_rader_halves[I];
    static constexpr int A = F.a, R = F.r, S = F.s;
    static constexpr int ROW = R * S, ROWS = 2 * A, HALF = A * ROW, LENGTH = F.length();
    static_assert(HALF % 2 == 1 && std::gcd(A, ROW) == 1);
    static constexpr int SUMS = std::max(ROWS * std::max(R, S), 2 * ROW); /* of a pass, the most */
    static constexpr int THREADS = (SUMS + 31) / 32 * 32;
    static constexpr int EACH = (HALF + THREADS - 1) / THREADS; /* pairs of a thread */
    static constexpr int BLOCKS = 65536 / 72 / THREADS;         /* of a multiprocessor */
    /* The next kernel's blocks have places beside two lines of this one: it begins early. */
    static constexpr bool ROOMY = BLOCKS >= 4;
};

using cells = ndft_complex<float>;

/* FIRST points of each row, every SECOND number of it, and the factors towards the others: back,
 * before. */
template <class L, bool BACK>
__device__ __forceinline__ void rader_first(cells *cell, const cells *turn, int thread)
{
    const int row = thread % L::ROWS, at = thread / L::ROWS;
    if (at >= L::S) return;
    cells v[L::R], *own = cell + row * L::ROW + at;
#pragma unroll
    for (int i = 0; i < L::R; i++) v[i] = own[i * L::S];
    const auto turned = [&] {
#pragma unroll
        for (int i = 1; i < L::R; i++) v[i] = turn[i * L::S + at] * v[i];
    };
    if (BACK) turned();
    odd_dft<-1>(v);
    if (!BACK) turned();
#pragma unroll
    for (int i = 0; i < L::R; i++) own[i * L::S] = v[i];
}

template <class L> __device__ __forceinline__ void rader_second(cells *cell, int thread)
{
    if (thread >= L::ROWS * L::R) return;
    cells v[L::S], *own = cell + thread * L::S;
#pragma unroll
    for (int i = 0; i < L::S; i++) v[i] = own[i];
    odd_dft<-1>(v);
#pragma unroll
    for (int i = 0; i < L::S; i++) own[i] = v[i];
}

/* The columns' spectra times the filter's, conjugated, and the way back. Input 0 is part of all
 * outputs, of which number 0 is the sum of all inputs. */
template <class L>
__device__ __forceinline__ void rader_columns(cells *cell, const cells *filter, cells *first,
                                              int thread)
{
    const int half = thread / L::ROW, column = thread % L::ROW;
    if (half > 1) return;
    cells v[L::A], *own = cell + half * L::HALF + column;
#pragma unroll
    for (int i = 0; i < L::A; i++) v[i] = own[i * L::ROW];
    odd_dft<-1>(v);
    const cells sum = v[0];
#pragma unroll
    for (int i = 0; i < L::A; i++) {
        const cells f = filter[i * 2 * L::ROW + thread];
        v[i] = {fma(v[i].re, f.re, -v[i].im * f.im), -fma(v[i].re, f.im, v[i].im * f.re)};
    }
    if (thread == 0) {
        const cells zeroth = first[0];
        first[1] = sum + zeroth;
        v[0] = v[0] + cells{zeroth.re, -zeroth.im};
    }
    odd_dft<-1>(v);
#pragma unroll
    for (int i = 0; i < L::A; i++) own[i * L::ROW] = v[i];
}

/* The cells of a thread's inputs or outputs. */
template <class L>
__device__ __forceinline__ void rader_places(const uint16_t *number, int thread,
                                             unsigned (&place)[L::EACH])
{
#pragma unroll
    for (int i = 0; i < L::EACH; i++) {
        const int n = 1 + thread + i * L::THREADS;
        place[i] = n <= L::HALF ? number[n] : 0;
    }
}

/* A block a line. */
template <class L>
__global__ void __launch_bounds__(L::THREADS, L::BLOCKS)
    rader_halves_lines(const __grid_constant__ ndft_rader g, const float *in, float *out)
{
    extern __shared__ __align__(16) unsigned char rader_room[];
    __shared__ ndft_bulk_barrier ready;
    __shared__ cells first[2]; /* input 0 and output 0 */
    constexpr ndft_rader_halves_layout at(L::F);
    const auto *const turn = (const cells *)rader_room;
    const auto *const filter = (const cells *)(rader_room + at.filter);
    auto *const cell = (cells *)(rader_room + at.cells);
    const auto *const input = (const uint16_t *)((const unsigned char *)g.table + at.cells);
    const auto *const output = input + L::HALF + 1;
    const int thread = threadIdx.x;
    const auto *const from = (const cells *)in + ndft_line_at(&g.pass, &g.pass.in, blockIdx.x);
    auto *const to = (cells *)out + ndft_line_at(&g.pass, &g.pass.out, blockIdx.x);
    if (thread == 0) {
        ready.begin();
        ndft_bulk_barriers_begun();
        ready.expect(at.cells);
        ready.copy(rader_room, g.table, at.cells);
    }
    unsigned place[L::EACH];
    rader_places<L>(input, thread, place);
    ndft_wait_for_kernel_before();
    cells x[L::EACH], mirrored[L::EACH];
#pragma unroll
    for (int i = 0; i < L::EACH; i++) {
        const int n = 1 + thread + i * L::THREADS;
        if (n > L::HALF) break;
        x[i] = from[n * g.pass.in.stride];
        mirrored[i] = from[(L::LENGTH - n) * g.pass.in.stride];
    }
    if (thread == L::THREADS - 1) first[0] = from[0];
#pragma unroll
    for (int i = 0; i < L::EACH; i++) {
        if (1 + thread + i * L::THREADS > L::HALF) break;
        const bool odd = place[i] & NDFT_RADER_ODD;
        const int k = place[i] & (NDFT_RADER_ODD - 1);
        cell[k] = x[i] + mirrored[i];
        cell[L::HALF + k] = odd ? mirrored[i] - x[i] : x[i] - mirrored[i];
    }
    __syncthreads();
    if (L::ROOMY) ndft_let_kernel_after_begin();
    ready.wait(0);
    rader_first<L, false>(cell, turn, thread);
    __syncthreads();
    rader_second<L>(cell, thread);
    __syncthreads();
    rader_columns<L>(cell, filter, first, thread);
    rader_places<L>(output, thread, place);
    __syncthreads();
    rader_second<L>(cell, thread);
    __syncthreads();
    rader_first<L, true>(cell, turn, thread);
    if (!L::ROOMY) ndft_let_kernel_after_begin();
    __syncthreads();
#pragma unroll
    for (int i = 0; i < L::EACH; i++) {
        const int k = 1 + thread + i * L::THREADS;
        if (k > L::HALF) break;
        const int c = place[i] & (NDFT_RADER_ODD - 1);
        const cells even = cell[c], odd = cell[L::HALF + c];
        const cells sum = {even.re + odd.re, -even.im - odd.im};
        const cells rest = {even.re - odd.re, odd.im - even.im};
        const bool swap = place[i] & NDFT_RADER_ODD;
        to[k * g.pass.out.stride] = swap ? rest : sum;
        to[(L::LENGTH - k) * g.pass.out.stride] = swap ? sum : rest;
    }
    if (thread == L::THREADS - 1) to[0] = first[1];
}

} // namespace

#endif
