/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FFT_SMALL_DFT_CUH
#define NDFT_FFT_SMALL_DFT_CUH

#include "core/complex.cuh"

/* Transforms of 2 to 6, 8, 12, 16 or 20 cells in a thread's registers: 6, 12 and 20 by the prime
 * factor algorithm (Good 1958), which needs no factors between its steps. */

namespace
{

template <class R> __device__ ndft_complex<R> operator+(ndft_complex<R> a, ndft_complex<R> b)
{
    return {a.re + b.re, a.im + b.im};
}

template <class R> __device__ ndft_complex<R> operator-(ndft_complex<R> a, ndft_complex<R> b)
{
    return {a.re - b.re, a.im - b.im};
}

template <class R> __device__ ndft_complex<R> operator*(ndft_complex<R> a, ndft_complex<R> b)
{
    ndft_complex<R> product;
    ndft_rotate(product, a, b);
    return product;
}

/* SIGN i z */
template <int SIGN, class R> __device__ ndft_complex<R> quarter(ndft_complex<R> z)
{
    return SIGN > 0 ? ndft_complex<R>{-z.im, z.re} : ndft_complex<R>{z.im, -z.re};
}

template <class R> __device__ void dft2(ndft_complex<R> &a, ndft_complex<R> &b)
{
    const ndft_complex<R> sum = a + b;
    b = a - b;
    a = sum;
}

template <int SIGN, class R>
__device__ void dft4(ndft_complex<R> &a, ndft_complex<R> &b, ndft_complex<R> &c, ndft_complex<R> &d)
{
    dft2(a, c);
    dft2(b, d);
    d = quarter<SIGN>(d);
    dft2(a, b);
    dft2(c, d);
    const ndft_complex<R> third = b; /* a, c, b, d are in order */
    b = c;
    c = third;
}

template <int SIGN, class R> __device__ void dft8(ndft_complex<R> v[8])
{
    const R half = (R)0.70710678118654752440;
    dft4<SIGN>(v[0], v[2], v[4], v[6]);
    dft4<SIGN>(v[1], v[3], v[5], v[7]);
    const ndft_complex<R> three = quarter<SIGN>(v[3]), seven = quarter<SIGN>(v[7]);
    const ndft_complex<R> even[4] = {v[0], v[2], v[4], v[6]};
    const ndft_complex<R> odd[4] = {
        v[1],
        {half * (v[3].re + three.re), half * (v[3].im + three.im)},
        quarter<SIGN>(v[5]),
        {half * (seven.re - v[7].re), half * (seven.im - v[7].im)},
    };
    for (int k = 0; k < 4; k++) {
        v[k] = even[k] + odd[k];
        v[k + 4] = even[k] - odd[k];
    }
}

template <int SIGN, class R>
__device__ __forceinline__ void dft3(ndft_complex<R> &a, ndft_complex<R> &b, ndft_complex<R> &c)
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
__device__ __forceinline__ ndft_complex<R> blend(ndft_complex<R> z, R p, ndft_complex<R> x, R q,
                                                 ndft_complex<R> y)
{
    return {fma(p, x.re, fma(q, y.re, z.re)), fma(p, x.im, fma(q, y.im, z.im))};
}

template <int SIGN, class R> __device__ __forceinline__ void dft5(ndft_complex<R> (&v)[5])
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

/* z exp(SIGN i angle) */
template <int SIGN, class R>
__device__ __forceinline__ ndft_complex<R> turned_by(R cosine, R sine, ndft_complex<R> z)
{
    return ndft_complex<R>{cosine, SIGN * sine} * z;
}

/* The first half of four cells, of which the others are zero. */
template <int SIGN, class R>
__device__ __forceinline__ void dft4_of_half(ndft_complex<R> &a, ndft_complex<R> &b,
                                             ndft_complex<R> &c, ndft_complex<R> &d)
{
    const ndft_complex<R> turned = quarter<SIGN>(b);
    c = a - b;
    d = a - turned;
    const ndft_complex<R> sum = a + b;
    b = a + turned;
    a = sum;
}

/* Four times four, with sixteenths of a turn between. HALF: the latter cells are zero, whatever is
 * in them. */
template <int SIGN, bool HALF = false, class R>
__device__ __forceinline__ void dft16(ndft_complex<R> (&v)[16])
{
    const R c1 = (R)0.92387953251128675613, s1 = (R)0.38268343236508977173;
    const R half = (R)0.70710678118654752440;
#pragma unroll
    for (int b = 0; b < 4; b++) {
        if constexpr (HALF)
            dft4_of_half<SIGN>(v[b], v[b + 4], v[b + 8], v[b + 12]);
        else
            dft4<SIGN>(v[b], v[b + 4], v[b + 8], v[b + 12]);
    }
    v[5] = turned_by<SIGN>(c1, s1, v[5]);
    v[6] = turned_by<SIGN>(half, half, v[6]);
    v[7] = turned_by<SIGN>(s1, c1, v[7]);
    v[9] = turned_by<SIGN>(half, half, v[9]);
    v[10] = quarter<SIGN>(v[10]);
    v[11] = turned_by<SIGN>(-half, half, v[11]);
    v[13] = turned_by<SIGN>(s1, c1, v[13]);
    v[14] = turned_by<SIGN>(-half, half, v[14]);
    v[15] = turned_by<SIGN>(-c1, -s1, v[15]);
#pragma unroll
    for (int c = 0; c < 4; c++) dft4<SIGN>(v[4 * c], v[4 * c + 1], v[4 * c + 2], v[4 * c + 3]);
#pragma unroll
    for (int c = 0; c < 4; c++)
#pragma unroll
        for (int d = 0; d < c; d++) {
            const ndft_complex<R> z = v[4 * c + d];
            v[4 * c + d] = v[4 * d + c];
            v[4 * d + c] = z;
        }
}

/* EVEN, 2 or 4, times ODD, 3 or 5. Cell (ODD a + EVEN b) mod EVEN ODD; frequency f has a's part f
 * mod EVEN and b's part f mod ODD. */
template <int SIGN, int EVEN, int ODD, class R>
__device__ __forceinline__ void dft_of_factors(ndft_complex<R> (&v)[EVEN * ODD])
{
    ndft_complex<R> w[EVEN][ODD];
#pragma unroll
    for (int b = 0; b < ODD; b++) {
#pragma unroll
        for (int a = 0; a < EVEN; a++) w[a][b] = v[(ODD * a + EVEN * b) % (EVEN * ODD)];
        if constexpr (EVEN == 2)
            dft2(w[0][b], w[1][b]);
        else
            dft4<SIGN>(w[0][b], w[1][b], w[2][b], w[3][b]);
    }
#pragma unroll
    for (int a = 0; a < EVEN; a++) {
        if constexpr (ODD == 3)
            dft3<SIGN>(w[a][0], w[a][1], w[a][2]);
        else
            dft5<SIGN>(w[a]);
    }
#pragma unroll
    for (int f = 0; f < EVEN * ODD; f++) v[f] = w[f % EVEN][f % ODD];
}

template <int SIGN, int CELLS, class R>
__device__ __forceinline__ void small_dft(ndft_complex<R> (&v)[CELLS])
{
    if constexpr (CELLS == 2) dft2(v[0], v[1]);
    if constexpr (CELLS == 3) dft3<SIGN>(v[0], v[1], v[2]);
    if constexpr (CELLS == 4) dft4<SIGN>(v[0], v[1], v[2], v[3]);
    if constexpr (CELLS == 5) dft5<SIGN>(v);
    if constexpr (CELLS == 6) dft_of_factors<SIGN, 2, 3>(v);
    if constexpr (CELLS == 8) dft8<SIGN>(v);
    if constexpr (CELLS == 12) dft_of_factors<SIGN, 4, 3>(v);
    if constexpr (CELLS == 16) dft16<SIGN>(v);
    if constexpr (CELLS == 20) dft_of_factors<SIGN, 4, 5>(v);
}

} // namespace

#endif
