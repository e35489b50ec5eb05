/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COMPLEX_CUH
#define NDFT_COMPLEX_CUH

/* Of functions that the processor's code has as well (inline.h). */
#define NDFT_INLINE static __device__ __forceinline__

/* Interleaved complex numbers and small vectors of either precision. */

template <class R> struct alignas(2 * sizeof(R)) ndft_complex {
    R re, im;
};

/* acc += (c + i s) z */
template <class R>
__device__ __forceinline__ void ndft_accumulate(ndft_complex<R> &acc, R c, R s, ndft_complex<R> z)
{
    acc.re = fma(c, z.re, fma(-s, z.im, acc.re));
    acc.im = fma(s, z.re, fma(c, z.im, acc.im));
}

/* product = turn * z */
template <class R>
__device__ __forceinline__ void ndft_rotate(ndft_complex<R> &product, ndft_complex<R> turn,
                                            ndft_complex<R> z)
{
    product.re = fma(turn.re, z.re, -turn.im * z.im);
    product.im = fma(turn.im, z.re, turn.re * z.im);
}

template <int BYTES> struct ndft_word;
template <> struct ndft_word<4> {
    using type = int;
};
template <> struct ndft_word<8> {
    using type = int2;
};
template <> struct ndft_word<16> {
    using type = int4;
};

/* What is not read again before much else is: caches give it up first. */
template <class T> __device__ __forceinline__ T ndft_load_once(const T *from)
{
    const auto loaded = __ldcs((const typename ndft_word<(int)sizeof(T)>::type *)from);
    return reinterpret_cast<const T &>(loaded);
}

/* N numbers loaded together, 16 bytes at a time. */
template <class R, int N> struct alignas(16) ndft_pack {
    R v[N];
};

#endif
