/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COIL_PHASORS_CUH
#define NDFT_COIL_PHASORS_CUH

#include "coil_data.cuh"
#include "direct/inner_loop.cuh"
#include "direct/reduced.cuh"

/*
 * The phasor tile of coil_gemm, made in the registers of a warp as the A fragment of a step: 16
 * outputs by 16 inputs. A lane has the outputs lane/4 and lane/4 + 8 of its warp, and the inputs
 * 4 (lane % 4) .. + 3, so that it reads a coordinate of its inputs as one float4.
 */

/* Which kernel: everything a template argument decides. */
template <int DIMS, int DEPHASING, bool TO_VOXELS, int MODES, int COLUMN_BLOCKS,
          ndft_coil_form FORMS>
struct ndft_coil_config {
    using loop = ndft_inner_loop<float, DIMS, DEPHASING, TO_VOXELS, 2, true>;
    using parts = ndft_coil_parts<MODES>;
    static constexpr int DIM = DIMS, MODE = MODES, BLOCKS = COLUMN_BLOCKS;
    static constexpr ndft_coil_form FORM = FORMS;
    static constexpr int SUMS = FORM >= NDFT_COIL_THREE ? 3 : 2; /* of a tile */
    static constexpr int ROWS = DIM + 1 + loop::IN_PARTS;
    static constexpr int SUBSTEPS = parts::SUBSTEPS, PARTS = parts::PARTS;
    /* Bytes of B: of re, im or -im in one part; of all; of all parts of a step. */
    static constexpr int QUANTITY = BLOCKS * 256, PART = ndft_coil_quantities(FORM) * QUANTITY;
    static constexpr int STEP_BYTES = SUBSTEPS * PARTS * PART;
    /* Inputs staged at a time: as many as leave room for the next ones. */
    static constexpr int CHUNK = ndft_coil_chunk_of(MODE, FORM, BLOCKS),
                         STEPS = CHUNK / NDFT_COIL_STEP;
};

/* The two outputs of a lane, the first of which is number `first`. */
template <class C>
__device__ __forceinline__ void ndft_coil_outputs(const ndft_coil_side &s, int64_t first,
                                                  typename C::loop &loop)
{
#pragma unroll
    for (int o = 0; o < 2; o++) {
        int64_t at = first + 8 * o;
        if (at >= s.split.outputs.length) at = s.split.outputs.length - 1;
        const float4 point = s.point[at];
        const float a[4] = {point.x, point.y, point.z, point.w};
#pragma unroll
        for (int d = 0; d <= C::DIM; d++) loop.a[o][d] = a[d];
        if constexpr (C::loop::SINC) {
            const float4 part = s.part[at];
            const float u[4] = {part.x, part.y, part.z, part.w};
#pragma unroll
            for (int d = 0; d < C::loop::OUT_PARTS; d++) loop.part[o][d] = u[d];
        }
    }
}

/* exp(i phase) of a lane's outputs with its inputs, dephased; coords: the first of these inputs. */
template <class C>
__device__ __forceinline__ void ndft_coil_phasors(const typename C::loop &loop, const float *coords,
                                                  float c[2][4], float s[2][4])
{
    ndft_pack<float, 4> row[C::ROWS];
#pragma unroll
    for (int r = 0; r < C::ROWS; r++)
        row[r] = *(const ndft_pack<float, 4> *)(coords + r * C::CHUNK);
#pragma unroll
    for (int o = 0; o < 2; o++)
#pragma unroll
        for (int v = 0; v < 4; v++) {
            float phase = loop.a[o][0] * row[0].v[v];
#pragma unroll
            for (int d = 1; d <= C::DIM; d++) phase = fmaf(loop.a[o][d], row[d].v[v], phase);
            C::loop::sine_cosine(phase, s[o][v], c[o][v]);
            if constexpr (C::loop::SINC) {
                float part[C::loop::IN_PARTS];
#pragma unroll
                for (int d = 0; d < C::loop::IN_PARTS; d++) part[d] = row[C::DIM + 1 + d].v[v];
                const float b = loop.dephasing(o, part);
                s[o][v] *= b;
                c[o][v] *= b;
            }
        }
}

/* A of a substep, high and low part. */
template <class C>
__device__ __forceinline__ void ndft_coil_fragment(const float v[2][4], int substep,
                                                   unsigned (&a)[C::PARTS][4])
{
#pragma unroll
    for (int word = 0; word < 4; word++) {
        unsigned lo;
        ndft_coil_word<C::MODE>(v[word % 2], substep, word / 2, a[0][word], lo);
        if constexpr (C::PARTS == 2) a[1][word] = lo;
    }
}

/* The centre's phasors of a lane's outputs times `unscale`. A lane computes one of its warp's 16
 * outputs: lane/4 + 8 (lane % 2). */
template <class C>
__device__ __forceinline__ void ndft_coil_turns(const typename C::loop &loop,
                                                const ndft_coil_centre &centre, float unscale,
                                                ndft_complex<float> turn[2])
{
    const int lane = threadIdx.x % 32, odd = lane % 2;
    float turns = 0, sine, cosine;
#pragma unroll
    for (int d = 0; d <= C::DIM; d++) {
        const float a = odd ? loop.a[1][d] : loop.a[0][d];
        const int axis = d < C::DIM ? d : 3;
        turns += fmaf(a, centre.lo[axis], ndft_fraction(a, centre.hi[axis]));
    }
    __sincosf(6.2831853f * ndft_fraction(turns, 1), &sine, &cosine);
#pragma unroll
    for (int o = 0; o < 2; o++) {
        const int from = (lane & ~1) + o;
        turn[o].re = unscale * __shfl_sync(~0u, cosine, from);
        turn[o].im = unscale * __shfl_sync(~0u, sine, from);
    }
}

#endif
