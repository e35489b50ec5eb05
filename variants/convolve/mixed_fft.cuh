/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_MIXED_FFT_CUH
#define NDFT_CONVOLVE_MIXED_FFT_CUH

#include "line_fft.cuh"

/*
 * The transforms of line_fft.cuh for lengths of 3 or 5 times a power of 8 as well. There the
 * first pass has that radix: its n/radix sums are shared out among the n/8 threads, so that the
 * cells go through shared memory once more before it.
 */

namespace
{

template <int SIGN, class R>
__device__ void dft3(ndft_complex<R> &a, ndft_complex<R> &b, ndft_complex<R> &c)
{
    const R half_root = (R)0.86602540378443864676;
    const ndft_complex<R> sum = b + c, turned = quarter<SIGN>(b - c);
    const ndft_complex<R> middle = {fma((R)-0.5, sum.re, a.re), fma((R)-0.5, sum.im, a.im)};
    a = a + sum;
    b = {fma(half_root, turned.re, middle.re), fma(half_root, turned.im, middle.im)};
    c = {fma(-half_root, turned.re, middle.re), fma(-half_root, turned.im, middle.im)};
}

/* z + p x + q y */
template <class R>
__device__ ndft_complex<R> blend(ndft_complex<R> z, R p, ndft_complex<R> x, R q, ndft_complex<R> y)
{
    return {fma(p, x.re, fma(q, y.re, z.re)), fma(p, x.im, fma(q, y.im, z.im))};
}

template <int SIGN, class R> __device__ void dft5(ndft_complex<R> v[5])
{
    const R c1 = (R)0.30901699437494742410, c2 = (R)-0.80901699437494742410;
    const R s1 = (R)0.95105651629515357212, s2 = (R)0.58778525229247312917;
    const ndft_complex<R> near = v[1] + v[4], far = v[2] + v[3], none = {0, 0};
    const ndft_complex<R> a = blend(v[0], c1, near, c2, far), b = blend(v[0], c2, near, c1, far);
    const ndft_complex<R> x = quarter<SIGN>(v[1] - v[4]), y = quarter<SIGN>(v[2] - v[3]);
    const ndft_complex<R> p = blend(none, s1, x, s2, y), q = blend(none, s2, x, -s1, y);
    v[0] = v[0] + near + far;
    v[1] = a + p;
    v[2] = b + q;
    v[3] = b - q;
    v[4] = a - p;
}

template <int SIGN, int RADIX, class R> __device__ void dft_of(ndft_complex<R> v[RADIX])
{
    if constexpr (RADIX == 3) dft3<SIGN>(v[0], v[1], v[2]);
    if constexpr (RADIX == 5) dft5<SIGN>(v);
}

template <class R> __device__ ndft_complex<R> *cell_of(const line_part<R> &part, int cell)
{
    return part.shared + padded(cell) * part.step;
}

/* The thread's cells to shared memory, and from there. */
template <class R> __device__ void lay_down(const line_part<R> &part, const ndft_complex<R> v[8])
{
#pragma unroll
    for (int i = 0; i < 8; i++) *cell_of(part, part.t + i * (part.n / 8)) = v[i];
}

template <class R> __device__ void pick_up(const line_part<R> &part, ndft_complex<R> v[8])
{
#pragma unroll
    for (int i = 0; i < 8; i++) v[i] = *cell_of(part, part.t + i * (part.n / 8));
}

/* The first pass of a radix that does not divide 8: a thread has sums t + i n/8, as far as there
 * are. */
template <int SIGN, int RADIX, class R>
__device__ void uneven_pass(const line_part<R> &part, ndft_complex<R> v[8])
{
    constexpr int SUMS = (8 + RADIX - 1) / RADIX;
    const int sums = part.n / RADIX, threads = part.n / 8;
    ndft_complex<R> w[SUMS][RADIX];
    __syncthreads();
    lay_down(part, v);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < SUMS; i++) {
        const int sum = part.t + i * threads;
        if (sum >= sums) break;
#pragma unroll
        for (int q = 0; q < RADIX; q++) w[i][q] = *cell_of(part, sum + q * sums);
        dft_of<SIGN, RADIX>(w[i]);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < SUMS; i++) {
        const int sum = part.t + i * threads;
        if (sum >= sums) break;
#pragma unroll
        for (int q = 0; q < RADIX; q++) *cell_of(part, sum * RADIX + q) = w[i][q];
    }
    __syncthreads();
    pick_up(part, v);
}

/* Passes of radix 8 after a first one whose radix is no power of two. */
template <int SIGN, class R>
__device__ void uneven_rest(const line_part<R> &part, ndft_complex<R> v[8])
{
    for (int done = part.first; done < part.n; done *= 8) {
        const int j = part.t % done;
        rotate_by_powers<SIGN>(part.turns[j * (part.n / 8 / done)], v);
        dft8<SIGN>(v);
        if (8 * done == part.n) return;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 8; i++) *cell_of(part, (part.t - j) * 8 + j + i * done) = v[i];
        __syncthreads();
        pick_up(part, v);
    }
}

/* exp(SIGN 2 pi i ...), with no factor. By all threads of a block, each in a line. */
template <int SIGN, class R>
__device__ void mixed_fft(const line_part<R> &part, ndft_complex<R> v[8])
{
    if (part.first % 2 == 0) {
        line_fft<SIGN>(part, v);
        return;
    }
    if (part.first == 3) uneven_pass<SIGN, 3>(part, v);
    if (part.first == 5) uneven_pass<SIGN, 5>(part, v);
    uneven_rest<SIGN>(part, v);
}

} // namespace

#endif
