/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FFT_RADIX_DFT_CUH
#define NDFT_FFT_RADIX_DFT_CUH

#include "small_dft.cuh"

/* Transforms in a thread's registers: those of small_dft.cuh, of 7, 9, 25 and 27, and of their
 * coprime products by the prime factor algorithm. */

namespace
{

/* By what is even and what is odd about the middle. */
template <int SIGN, class R> __device__ __forceinline__ void dft7(ndft_complex<R> (&v)[7])
{
    const R c[3] = {(R)0.62348980185873353053, (R)-0.22252093395631440429,
                    (R)-0.90096886790241912624};
    const R s[3] = {(R)0.78183148246802980871, (R)0.97492791218182360702,
                    (R)0.43388373911755812048};
    const ndft_complex<R> first = v[0];
    ndft_complex<R> even[3], odd[3];
#pragma unroll
    for (int k = 0; k < 3; k++) {
        even[k] = v[k + 1] + v[6 - k];
        odd[k] = quarter<SIGN>(v[k + 1] - v[6 - k]);
        v[0] = v[0] + even[k];
    }
#pragma unroll
    for (int m = 1; m < 4; m++) {
        ndft_complex<R> a = first, b = {0, 0};
#pragma unroll
        for (int k = 1; k < 4; k++) {
            const int at = m * k % 7, turn = at < 4 ? at - 1 : 6 - at;
            const R cosine = c[turn], sine = at < 4 ? s[turn] : -s[turn];
            a = {fma(cosine, even[k - 1].re, a.re), fma(cosine, even[k - 1].im, a.im)};
            b = {fma(sine, odd[k - 1].re, b.re), fma(sine, odd[k - 1].im, b.im)};
        }
        v[m] = a + b;
        v[7 - m] = a - b;
    }
}

/* Three times three, with ninths of a turn between. */
template <int SIGN, class R> __device__ __forceinline__ void dft9(ndft_complex<R> (&v)[9])
{
    const R c1 = (R)0.76604444311897803520, s1 = (R)0.64278760968653932632;
    const R c2 = (R)0.17364817766693034885, s2 = (R)0.98480775301220805937;
    const R c4 = (R)-0.93969262078590838405, s4 = (R)0.34202014332566873304;
#pragma unroll
    for (int b = 0; b < 3; b++) dft3<SIGN>(v[b], v[b + 3], v[b + 6]);
    v[4] = turned_by<SIGN>(c1, s1, v[4]);
    v[5] = turned_by<SIGN>(c2, s2, v[5]);
    v[7] = turned_by<SIGN>(c2, s2, v[7]);
    v[8] = turned_by<SIGN>(c4, s4, v[8]);
#pragma unroll
    for (int c = 0; c < 3; c++) dft3<SIGN>(v[3 * c], v[3 * c + 1], v[3 * c + 2]);
#pragma unroll
    for (int c = 0; c < 3; c++)
#pragma unroll
        for (int d = 0; d < c; d++) {
            const ndft_complex<R> z = v[3 * c + d];
            v[3 * c + d] = v[3 * d + c];
            v[3 * d + c] = z;
        }
}

template <int SIGN, int CELLS, class R>
__device__ __forceinline__ void radix_dft(ndft_complex<R> (&v)[CELLS]);

/* cos(2 pi part/whole), part from 0 to whole - 1, by its series. */
constexpr double cosine_of(int part, int whole)
{
    const double pi = 3.14159265358979323846;
    const double angle = 2 * pi * (2 * part > whole ? whole - part : part) / whole;
    const bool beyond = 2 * angle > pi;
    const double x = beyond ? pi - angle : angle;
    double sum = 0, term = 1;
    for (int i = 0; i < 24; i += 2) {
        sum += term;
        term *= -x * x / ((i + 1) * (i + 2));
    }
    return beyond ? -sum : sum;
}

/* exp(2 pi i k/N). */
template <int N> struct roots_of_unity {
    double c[N], s[N];
    constexpr roots_of_unity() : c(), s()
    {
        for (int k = 0; k < N; k++) {
            c[k] = cosine_of(k, N);
            s[k] = cosine_of((4 * k + 3 * N) % (4 * N), 4 * N);
        }
    }
};

/* A times B with turns between (Cooley and Tukey 1965): 25 and 27. */
template <int SIGN, int A, int B, class R>
__device__ __forceinline__ void dft_of_powers(ndft_complex<R> (&v)[A * B])
{
    constexpr roots_of_unity<A * B> root;
    ndft_complex<R> w[A][B];
#pragma unroll
    for (int b = 0; b < B; b++) {
        ndft_complex<R> x[A];
#pragma unroll
        for (int a = 0; a < A; a++) x[a] = v[B * a + b];
        radix_dft<SIGN>(x);
#pragma unroll
        for (int a = 0; a < A; a++)
            w[a][b] = a * b ? turned_by<SIGN>((R)root.c[a * b], (R)root.s[a * b], x[a]) : x[a];
    }
#pragma unroll
    for (int a = 0; a < A; a++) {
        radix_dft<SIGN>(w[a]);
#pragma unroll
        for (int b = 0; b < B; b++) v[a + A * b] = w[a][b];
    }
}

/* A times B, coprime: as dft_of_factors. */
template <int SIGN, int A, int B, class R>
__device__ __forceinline__ void dft_of_coprime(ndft_complex<R> (&v)[A * B])
{
    ndft_complex<R> w[A][B];
#pragma unroll
    for (int b = 0; b < B; b++) {
        ndft_complex<R> x[A];
#pragma unroll
        for (int a = 0; a < A; a++) x[a] = v[(B * a + A * b) % (A * B)];
        radix_dft<SIGN>(x);
#pragma unroll
        for (int a = 0; a < A; a++) w[a][b] = x[a];
    }
#pragma unroll
    for (int a = 0; a < A; a++) radix_dft<SIGN>(w[a]);
#pragma unroll
    for (int f = 0; f < A * B; f++) v[f] = w[f % A][f % B];
}

template <int SIGN, int CELLS, class R>
__device__ __forceinline__ void radix_dft(ndft_complex<R> (&v)[CELLS])
{
    if constexpr (CELLS == 25)
        dft_of_powers<SIGN, 5, 5>(v);
    else if constexpr (CELLS == 27)
        dft_of_powers<SIGN, 3, 9>(v);
    else if constexpr (CELLS == 7)
        dft7<SIGN>(v);
    else if constexpr (CELLS == 9)
        dft9<SIGN>(v);
    else if constexpr (CELLS % 7 == 0)
        dft_of_coprime<SIGN, CELLS / 7, 7>(v);
    else if constexpr (CELLS % 9 == 0)
        dft_of_coprime<SIGN, CELLS / 9, 9>(v);
    else if constexpr (CELLS % 5 == 0 && CELLS != 5 && CELLS != 20)
        dft_of_coprime<SIGN, CELLS / 5, 5>(v);
    else if constexpr (CELLS % 3 == 0 && CELLS > 12)
        dft_of_coprime<SIGN, CELLS / 3, 3>(v);
    else
        small_dft<SIGN>(v);
}

} // namespace

#endif
