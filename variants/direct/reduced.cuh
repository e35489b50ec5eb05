/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_REDUCED_CUH
#define NDFT_REDUCED_CUH

#include "inner_loop.cuh"
#include "phase/phase_range.h"
#include "phase/points.cuh"
#include "phase/worst_entry.h"

/*
 * The naive mapping with reduced phases, shared by the variants that differ in their sine and
 * cosine only: a thread owns OUTPUTS outputs, all threads read the inputs from global memory at the
 * same address, and each product of the phase loses its whole turns before it is added. Adding and
 * subtracting 1.5 2^23 rounds to an integer, and the FMA that takes it away is exact. What remains
 * is the rounding of k/N, where N is no power of two, and of dw/(2 pi).
 */

/* Numbers of a point, all loaded together: x[], f = dw/(2 pi), G[]; or k/N[], t. */
template <int DIM, bool SINC> struct ndft_voxel_point {
    static constexpr int SIZE = DIM + 1 + (SINC ? DIM : 0), F = DIM, G = DIM + 1;
    ndft_pack<float, (SIZE + 3) / 4 * 4> p;
};

template <int DIM> struct ndft_sample_point {
    static constexpr int SIZE = DIM + 1, T = DIM;
    ndft_pack<float, (SIZE + 3) / 4 * 4> p;
};

/* a b without its whole turns */
__device__ __forceinline__ float ndft_fraction(float a, float b)
{
    const float magic = 0x1.8p23f;
    const float whole = __fadd_rn(__fmaf_rn(a, b, magic), -magic);
    return __fmaf_rn(a, b, -whole);
}

/* phi/(2 pi), within a few turns of 0. */
template <int DIM, bool SINC>
__device__ __forceinline__ float ndft_turns(const ndft_sample_point<DIM> &j,
                                            const ndft_voxel_point<DIM, SINC> &k)
{
    using V = ndft_voxel_point<DIM, SINC>;
    using S = ndft_sample_point<DIM>;
    float turns = ndft_fraction(k.p.v[V::F], j.p.v[S::T]);
#pragma unroll
    for (int d = 0; d < DIM; d++) turns += ndft_fraction(j.p.v[d], k.p.v[d]);
    return turns;
}

template <int DEPHASING> __device__ __forceinline__ float ndft_sinc(float u)
{
    if constexpr (DEPHASING == NDFT_SINC_POLY) return ndft_sinc_poly(u * u);
    return u == 0 ? 1.0f : sinpif(u) / (3.14159265f * u);
}

/* One direction of an operator. */
struct ndft_reduced_operands {
    const void *samples, *voxels; /* ndft_sample_point, ndft_voxel_point */
    int64_t inputs, outputs;
    ndft_strides in, out;
};

/* Which sum: everything a template argument decides but the sine and cosine. */
template <int DIMS, int DEPHASINGS, bool TO_VOXELS, int OUTS> struct ndft_reduced {
    static constexpr int DIM = DIMS, OUTPUTS = OUTS, AHEAD = 8, RUN = 512;
    static constexpr bool SINC = DEPHASINGS != NDFT_NO_SINC;
    using sample = ndft_sample_point<DIM>;
    using voxel = ndft_voxel_point<DIM, SINC>;
    using in_point = std::conditional_t<TO_VOXELS, sample, voxel>;
    using out_point = std::conditional_t<TO_VOXELS, voxel, sample>;

    static __device__ const in_point *inputs(const ndft_reduced_operands &s)
    {
        return (const in_point *)(TO_VOXELS ? s.samples : s.voxels);
    }

    static __device__ const out_point *outputs(const ndft_reduced_operands &s)
    {
        return (const out_point *)(TO_VOXELS ? s.voxels : s.samples);
    }

    static __device__ __forceinline__ float turns(const out_point &o, const in_point &i)
    {
        if constexpr (TO_VOXELS)
            return ndft_turns(i, o);
        else
            return -ndft_turns(o, i);
    }

    static __device__ __forceinline__ float dephasing(const sample &j, const voxel &k)
    {
        float product = 1;
#pragma unroll
        for (int d = 0; d < DIM; d++)
            product *= ndft_sinc<DEPHASINGS>(fmaf(k.p.v[voxel::G + d], j.p.v[sample::T], j.p.v[d]));
        return product;
    }

    template <class SINCOS>
    static __device__ __forceinline__ void pair(const SINCOS &sincos, ndft_complex<float> &sum,
                                                const out_point &o, const in_point &i,
                                                ndft_complex<float> z)
    {
        float s, c;
        sincos(turns(o, i), s, c);
        if constexpr (SINC) {
            float b;
            if constexpr (TO_VOXELS)
                b = dephasing(i, o);
            else
                b = dephasing(o, i);
            s *= b;
            c *= b;
        }
        ndft_accumulate(sum, c, s, z);
    }

    /* Some inputs in registers. */
    template <int COUNT> struct batch {
        in_point point[COUNT];
        ndft_complex<float> z[COUNT];

        __device__ __forceinline__ void load(const in_point *__restrict__ points,
                                             const ndft_complex<float> *__restrict__ in, int stride,
                                             int first)
        {
#pragma unroll
            for (int n = 0; n < COUNT; n++) {
                point[n] = points[first + n];
                z[n] = in[(int64_t)(first + n) * stride];
            }
        }

        template <class SINCOS>
        __device__ __forceinline__ void add_to(ndft_complex<float> sum[OUTPUTS],
                                               const out_point own[OUTPUTS],
                                               const SINCOS &sincos) const
        {
#pragma unroll
            for (int n = 0; n < COUNT; n++) {
#pragma unroll
                for (int o = 0; o < OUTPUTS; o++) pair(sincos, sum[o], own[o], point[n], z[n]);
            }
        }
    };

    /* A block's outputs, coil blockIdx.y. The next inputs are under way while these are summed;
     * runs of RUN inputs have sums of their own, which keeps rounding from growing with the length.
     */
    template <class SINCOS>
    static __device__ __forceinline__ void run(const SINCOS &sincos, const ndft_reduced_operands &s,
                                               const ndft_complex<float> *__restrict__ in,
                                               ndft_complex<float> *__restrict__ out)
    {
        const int64_t first = (int64_t)blockIdx.x * blockDim.x * OUTPUTS + threadIdx.x;
        const in_point *__restrict__ points = inputs(s);
        const int n = (int)s.inputs, whole = n / AHEAD * AHEAD, stride = (int)s.in.element;
        out_point own[OUTPUTS];
        ndft_complex<float> total[OUTPUTS] = {};
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++) {
            const int64_t at = first + (int64_t)o * blockDim.x;
            own[o] = outputs(s)[at < s.outputs ? at : s.outputs - 1];
        }
        /* threadIdx.z is 0, but keeps the addresses out of uniform registers, from which they would
         * be moved back for every load. */
        points += threadIdx.z;
        in += blockIdx.y * s.in.coil + threadIdx.z;
        out += blockIdx.y * s.out.coil;
        batch<AHEAD> now, next;
        if (whole > 0) next.load(points, in, stride, 0);
        for (int begin = 0; begin < whole; begin += RUN) {
            ndft_complex<float> sum[OUTPUTS] = {};
            const int end = min(begin + RUN, whole);
            for (int i = begin; i < end; i += AHEAD) {
                now = next;
                next.load(points, in, stride, min(i + AHEAD, whole - AHEAD));
                now.add_to(sum, own, sincos);
            }
#pragma unroll
            for (int o = 0; o < OUTPUTS; o++) {
                total[o].re += sum[o].re;
                total[o].im += sum[o].im;
            }
        }
        for (int i = whole; i < n; i++) {
            batch<1> last;
            last.load(points, in, stride, i);
            last.add_to(total, own, sincos);
        }
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++) {
            const int64_t at = first + (int64_t)o * blockDim.x;
            if (at < s.outputs) out[at * s.out.element] = total[o];
        }
    }
};

template <int DIM, bool SINC>
ndft_status ndft_place_reduced(ndft_arrays *arrays, const ndft_problem *p, const void **samples,
                               const void **voxels)
{
    using S = ndft_sample_point<DIM>;
    using V = ndft_voxel_point<DIM, SINC>;
    const S *placed_samples = nullptr;
    const V *placed_voxels = nullptr;
    NDFT_TRY(ndft_place(arrays, "samples", p->n_samples, &placed_samples, [&](int64_t j) {
        S s = {};
        double at[4];
        ndft_point(p, NDFT_SAMPLES, j, at);
        for (int d = 0; d < DIM; d++) s.p.v[d] = (float)(at[d] / (double)p->n[d]);
        s.p.v[S::T] = (float)at[3];
        return s;
    }));
    NDFT_TRY(ndft_place(arrays, "voxels", p->n_voxels, &placed_voxels, [&](int64_t k) {
        V v = {};
        double at[4];
        ndft_point(p, NDFT_VOXELS, k, at);
        for (int d = 0; d < DIM; d++) v.p.v[d] = (float)at[d];
        v.p.v[V::F] = (float)(at[3] / ndft_two_pi);
        for (int d = 0; SINC && d < DIM; d++)
            v.p.v[V::G + d] = (float)ndft_real_at(p->g[d], p->prec, k);
        return v;
    }));
    *samples = placed_samples;
    *voxels = placed_voxels;
    return NDFT_OK;
}

/* Both sides on the device, for the problem's dimension and gradients. */
inline ndft_status ndft_place_reduced(ndft_arrays *arrays, const ndft_problem *p,
                                      const void **samples, const void **voxels)
{
    return ndft_choose<1, 2, 3>(p->dim, [&](auto dims) {
        constexpr int D = decltype(dims)::value;
        return ndft_has_gradients(p) ? ndft_place_reduced<D, true>(arrays, p, samples, voxels)
                                     : ndft_place_reduced<D, false>(arrays, p, samples, voxels);
    });
}

/* Both directions of a plan, for kernels of one type. KERNELS: as for ndft_choose_sum. */
template <class KERNELS> struct ndft_reduced_plan : ndft_base_plan {
    int threads, outputs;
    unsigned coils;
    ndft_reduced_operands operands[2]; /* forward, adjoint */
    typename KERNELS::kernel kernels[2];

    ndft_status place(const ndft_problem *p, int block, int per_thread)
    {
        threads = block;
        outputs = per_thread;
        coils = (unsigned)p->coils;
        const void *samples, *voxels;
        NDFT_TRY(ndft_place_reduced(&arrays, p, &samples, &voxels));
        for (int adjoint = 0; adjoint < 2; adjoint++) {
            const ndft_op op = adjoint ? NDFT_ADJOINT : NDFT_FORWARD;
            const int64_t in = ndft_input_length(p, op), out = ndft_output_length(p, op);
            operands[adjoint] = {
                samples, voxels, in, out, ndft_strides_of(p, in), ndft_strides_of(p, out)};
            kernels[adjoint] =
                ndft_choose_sum<KERNELS>(p->dim, ndft_dephasing_of(p), adjoint, outputs);
            NDFT_TRY(ndft_fits_block(arrays.exec, (const void *)kernels[adjoint], threads));
        }
        return NDFT_OK;
    }

    /* more: what the kernel takes besides. */
    template <class... More>
    ndft_status launch(const char *name, ndft_op op, size_t shared, const void *in, void *out,
                       More... more) const
    {
        const bool adjoint = op == NDFT_ADJOINT;
        const ndft_reduced_operands &side = operands[adjoint];
        const dim3 grid(ndft_blocks(side.outputs, (int64_t)threads * outputs), coils);
        kernels[adjoint]<<<grid, threads, shared, ndft_stream(arrays.exec)>>>(
            side, more..., (const ndft_complex<float> *)in, (ndft_complex<float> *)out);
        return ndft_launched(arrays.exec, name);
    }
};

/*
 * Of the claim: what rounding k/N and dw/(2 pi) does to the phase. Each is off by 2^-24 of itself
 * at most, so that a turn's worth of x k/N is off by 2 pi 2^-24 k/N x. Where there is but one
 * sample, all voxels share that rounding, and the relative error is the root mean square over x, of
 * which x^2 has the mean (N^2 + 2)/12 at most (all of a mask's voxels, or those off the grid, may
 * lie at its end); axes are unrelated. Where N is a power of two nothing is rounded. A constant
 * field map at one time is rounded alike everywhere. Many samples round to either side and err by
 * less.
 */
inline double ndft_reduced_rounding(const ndft_problem *p)
{
    double squares = 0;
    for (int d = 0; d < p->dim; d++) {
        const double n = (double)p->n[d], end = ndft_reach(p, d);
        const double turns = p->k_max[d] / n;
        if ((p->n[d] & (p->n[d] - 1)) == 0) continue;
        const bool anywhere = p->voxel || ndft_is_off_grid(p);
        squares += turns * turns * (anywhere ? end * end : (n * n + 2) / 12);
    }
    return 0x1p-24 * (ndft_two_pi * sqrt(squares) + p->dw_max * p->t_max);
}

/* Runs are summed apart, and up to AHEAD inputs at the end. */
inline double ndft_reduced_chain(const ndft_problem *p, ndft_op op, const int *)
{
    using sum = ndft_reduced<1, NDFT_NO_SINC, false, 1>;
    return ndft_cut_chain(p, op, sum::RUN) + sum::AHEAD;
}

/* What a pair executes besides its sine and cosine. The inputs come from L2 once for a block. */
inline ndft_cost ndft_reduced_cost(const ndft_problem *p, ndft_op op, int threads, int outputs)
{
    const double pairs = ndft_coil_pairs(p, op), axes = ndft_has_gradients(p) ? p->dim : 0;
    ndft_cost cost = {};
    cost.fma = pairs * (2 * (p->dim + 1) + 4 + (axes > 0 ? 2 + 10 * axes : 0));
    cost.add = pairs * (2 * p->dim + 1);
    cost.integer = pairs * 3 / outputs; /* the loop's own */
    cost.issue_slots = cost.fma + cost.add + pairs * (2 + 6.0 / outputs);
    if (axes > 0 && ndft_dephasing_of(p) == NDFT_SINC_EXACT)
        ndft_exact_sinc_cost(pairs * axes, &cost);
    const double sample = 16, voxel = p->dim + 1 + axes > 4 ? 32 : 16; /* padded to float4 */
    const bool to_voxels = op == NDFT_ADJOINT;
    const double blocks = ceil((double)ndft_output_length(p, op) / (threads * outputs)) * p->coils;
    cost.l2_bytes = blocks * (double)ndft_input_length(p, op) * ((to_voxels ? sample : voxel) + 8);
    cost.dram_bytes =
        ndft_both_bytes(p) + (double)p->n_voxels * voxel + (double)p->n_samples * sample;
    cost.launches = 1;
    return cost;
}

#endif
