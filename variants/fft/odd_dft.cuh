/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FFT_ODD_DFT_CUH
#define NDFT_FFT_ODD_DFT_CUH

#include "radix_dft.cuh"

/* Transforms in a thread's registers of odd lengths: those of radix_dft.cuh, of 11 and of 13. */

namespace
{

/* By what is even and what is odd about the middle. c, s: cosines and sines of 1, 2.. CELLS-ths of
 * a turn. */
template <int SIGN, int CELLS, class R>
__device__ __forceinline__ void dft_about_middle(ndft_complex<R> (&v)[CELLS],
                                                 const R (&c)[CELLS / 2], const R (&s)[CELLS / 2])
{
    constexpr int HALF = CELLS / 2;
    const ndft_complex<R> first = v[0];
    ndft_complex<R> even[HALF], odd[HALF];
#pragma unroll
    for (int k = 0; k < HALF; k++) {
        even[k] = v[k + 1] + v[CELLS - 1 - k];
        odd[k] = quarter<SIGN>(v[k + 1] - v[CELLS - 1 - k]);
        v[0] = v[0] + even[k];
    }
#pragma unroll
    for (int m = 1; m <= HALF; m++) {
        ndft_complex<R> a = first, b = {0, 0};
#pragma unroll
        for (int k = 1; k <= HALF; k++) {
            const int at = m * k % CELLS, turn = at <= HALF ? at - 1 : CELLS - 1 - at;
            const R cosine = c[turn], sine = at <= HALF ? s[turn] : -s[turn];
            a = {fma(cosine, even[k - 1].re, a.re), fma(cosine, even[k - 1].im, a.im)};
            b = {fma(sine, odd[k - 1].re, b.re), fma(sine, odd[k - 1].im, b.im)};
        }
        v[m] = a + b;
        v[CELLS - m] = a - b;
    }
}

template <int SIGN, int CELLS, class R>
__device__ __forceinline__ void odd_dft(ndft_complex<R> (&v)[CELLS])
{
    if constexpr (CELLS == 11) {
        const R c[5] = {(R)0.84125353283118116886, (R)0.41541501300188642553,
                        (R)-0.14231483827328514044, (R)-0.65486073394528506406,
                        (R)-0.95949297361449738989};
        const R s[5] = {(R)0.54064081745559758211, (R)0.90963199535451837141,
                        (R)0.98982144188093273238, (R)0.75574957435425828377,
                        (R)0.28173255684142969771};
        dft_about_middle<SIGN>(v, c, s);
    } else if constexpr (CELLS == 13) {
        const R c[6] = {(R)0.88545602565320989590,  (R)0.56806474673115580251,
                        (R)0.12053668025532305335,  (R)-0.35460488704253562597,
                        (R)-0.74851074817110109863, (R)-0.97094181742605202716};
        const R s[6] = {(R)0.46472317204376854566, (R)0.82298386589365639458,
                        (R)0.99270887409805399280, (R)0.93501624268541482344,
                        (R)0.66312265824079520238, (R)0.23931566428755776715};
        dft_about_middle<SIGN>(v, c, s);
    } else {
        radix_dft<SIGN>(v);
    }
}

} // namespace

#endif
