/* SPDX-License-Identifier: Apache-2.0 */
#include "higher_kernels.cuh"

/*
 * ndft_inner_loop with a phase of higher order: the output brings its c_l or b_l along, the input
 * the other one in turns, and each product loses its whole turns by an FMA before it is added, as
 * their sum does at last. Four operations a term and pair.
 */

namespace
{

/* What is a b without its fraction: adding 1.5 2^23, or 2^52, rounds to an integer. */
__device__ __forceinline__ float whole(float a, float b)
{
    const float magic = 0x1.8p23f;
    return __fadd_rn(__fmaf_rn(a, b, magic), -magic);
}

__device__ __forceinline__ double whole(double a, double b)
{
    const double magic = 0x1.8p52;
    return __dadd_rn(__fma_rn(a, b, magic), -magic);
}

template <class REAL, int DIMS, int TERMS, int OUTS, bool HARDWARE>
struct higher_inner_loop : ndft_inner_loop<REAL, DIMS, NDFT_NO_SINC, false, OUTS, HARDWARE> {
    using base = ndft_inner_loop<REAL, DIMS, NDFT_NO_SINC, false, OUTS, HARDWARE>;
    using R = REAL;
    static constexpr int OUT_PARTS = TERMS, IN_PARTS = TERMS, ROWS = DIMS + 3 + TERMS;

    R part[OUTS][TERMS];

    /* Of the hardware's sine as of libm's: radians, stretched as the rest is. */
    static __device__ constexpr R turn()
    {
        return (R)(ndft_two_pi * (HARDWARE ? ndft_hardware_stretch : 1));
    }

    __device__ __forceinline__ R higher(int o, const R in[TERMS]) const
    {
        R turns = 0;
#pragma unroll
        for (int l = 0; l < TERMS; l++) turns += fma(part[o][l], in[l], -whole(part[o][l], in[l]));
        return turns - whole(turns, (R)1);
    }

    __device__ __forceinline__ void pair(int o, const R in[ROWS])
    {
        R s, c;
        base::sine_cosine(fma(higher(o, in + DIMS + 3), turn(), this->phase(o, in)), s, c);
        ndft_accumulate(this->sum[o], c, s, ndft_complex<R>{in[DIMS + 1], in[DIMS + 2]});
    }

    /* Adds count inputs, a multiple of VECTOR, to sum. */
    __device__ __forceinline__ void over(const R *tile, int stride, int count)
    {
        ndft_each_input<R, ROWS, base::VECTOR>(tile, stride, count, [&](int, const R in[ROWS]) {
#pragma unroll
            for (int o = 0; o < OUTS; o++) pair(o, in);
        });
    }
};

template <class R, bool HARDWARE> ndft_staged_kernel<R> choose(int dim, int outputs, int room)
{
    return ndft_choose<1, 2, 3>(dim, [&](auto dims) {
        return ndft_choose<4, NDFT_HIGHER_TERMS>(room, [&](auto terms) {
            return ndft_choose<1, 2, 4, 8>(outputs, [&](auto outs) -> ndft_staged_kernel<R> {
                constexpr int D = decltype(dims)::value, O = decltype(outs)::value;
                constexpr int L = decltype(terms)::value;
                if constexpr (ndft_staging_built(D, false, O, false))
                    return ndft_staged<higher_inner_loop<R, D, L, O, HARDWARE>>;
                else
                    return nullptr;
            });
        });
    });
}

} // namespace

ndft_staged_kernel<float> ndft_higher_kernel_f32(int dim, int outputs, int room, bool hardware)
{
    return hardware ? choose<float, true>(dim, outputs, room)
                    : choose<float, false>(dim, outputs, room);
}

ndft_staged_kernel<double> ndft_higher_kernel_f64(int dim, int outputs, int room)
{
    return choose<double, false>(dim, outputs, room);
}
