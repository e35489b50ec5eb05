/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FFT_LINE_FFT_CUH
#define NDFT_FFT_LINE_FFT_CUH

#include "small_dft.cuh"

/*
 * Transforms of 16 to 4096 cells inside a block, by Stockham's passes of radix 8, the first of 2, 4
 * or 8 (Govindaraju et al., SC 2008). n/8 threads share a line, and thread t has the cells t + i
 * n/8, i < 8, in registers, before and after: what comes between a forward and an inverse transform
 * never leaves them. Between passes cells change threads through shared memory, every 8 padded by
 * one, so that steps of 8 fall into different banks.
 */

namespace
{

enum { LINE_CELLS = 8, LINE_LEAST = 16, LINE_MOST = 1024 };

/* A thread's part in a line: cell i of it is at shared[i * step], padding apart. */
template <class R> struct line_part {
    int n, first, t, step; /* first: radix of the first pass, n = first 8^k */
    ndft_complex<R> *shared;
    const ndft_complex<R> *turns; /* [n] exp(-2 pi i j/n) */
};

/* Every 8 cells are followed by one that is not used. Where low digits of a and b do not meet,
 * padded(a + b) = padded(a) + padded(b): so places are one base per thread and uniform steps. */
__device__ __forceinline__ int padded(int cell) { return cell + cell / 8; }

/* Cell i goes to base + offset(i), padded, and the thread's own come back. */
template <class R, class Offset>
__device__ void exchange(const line_part<R> &part, int base, ndft_complex<R> v[8], Offset offset)
{
    ndft_complex<R> *to = part.shared + base * part.step;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 8; i++) to[offset(i) * part.step] = v[i];
    __syncthreads();
    const ndft_complex<R> *from = part.shared + padded(part.t) * part.step;
#pragma unroll
    for (int i = 0; i < 8; i++) v[i] = from[padded(i * (part.n / 8)) * part.step];
}

/* The first pass, of radix 2, 4 or 8, and the exchange after it. */
template <int SIGN, class R>
__device__ void first_pass(const line_part<R> &part, ndft_complex<R> v[8])
{
    const int radix = part.first;
    if (radix == 8) {
        dft8<SIGN>(v);
        exchange(part, padded(8 * part.t), v, [](int i) { return i; });
    } else if (radix == 4) {
        dft4<SIGN>(v[0], v[2], v[4], v[6]);
        dft4<SIGN>(v[1], v[3], v[5], v[7]);
        const int half = padded(part.n / 2);
        exchange(part, padded(4 * part.t), v, [half](int i) { return i % 2 * half + i / 2; });
    } else {
        for (int m = 0; m < 4; m++) dft2(v[m], v[m + 4]);
        const int quarters = part.n / 4;
        exchange(part, padded(2 * part.t), v,
                 [quarters](int i) { return padded(i % 4 * quarters) + i / 4; });
    }
}

/* v[i] times turn^i, or its conjugate. */
template <int SIGN, class R>
__device__ void rotate_by_powers(ndft_complex<R> one, ndft_complex<R> v[8])
{
    if (SIGN > 0) one.im = -one.im;
    const ndft_complex<R> two = one * one, three = two * one, four = two * two;
    v[1] = v[1] * one;
    v[2] = v[2] * two;
    v[3] = v[3] * three;
    v[4] = v[4] * four;
    v[5] = v[5] * (four * one);
    v[6] = v[6] * (four * two);
    v[7] = v[7] * (four * three);
}

/* v times the powers of exp(SIGN 2 pi i j/(8 done)), as in the pass that makes lines of 8 done. */
template <int SIGN, class R>
__device__ void twiddle(const line_part<R> &part, int done, ndft_complex<R> v[8])
{
    const int j = part.t & (done - 1);
    rotate_by_powers<SIGN>(part.turns[j * (part.n / 8 / done)], v);
}

/* exp(SIGN 2 pi i ...), with no factor. By all threads of a block, each in a line. */
template <int SIGN, class R>
__device__ void line_fft(const line_part<R> &part, ndft_complex<R> v[8])
{
    first_pass<SIGN>(part, v);
    for (int done = part.first;; done *= 8) {
        twiddle<SIGN>(part, done, v);
        dft8<SIGN>(v);
        if (8 * done == part.n) return;
        const int j = part.t & (done - 1);
        exchange(part, padded((part.t - j) * 8 + j), v, [done](int i) { return padded(i * done); });
    }
}

} // namespace

#endif
