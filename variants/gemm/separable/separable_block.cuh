/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SEPARABLE_BLOCK_CUH
#define NDFT_SEPARABLE_BLOCK_CUH

#include "core/device.cuh"
#include "separable_modes.cuh"
#include "separable_phase.cuh"
#include "separable_slabs.h"

#include <cuda_pipeline.h>

/*
 * What both directions of separable_gemm share: the tables of a plan, the phasors along y and z,
 * and the way of the phasors along x from global memory through two stages of shared memory into
 * operands. A unit of samples has one stage per chunk of a warp's run.
 */

/* The phase of a sample along y and z: k/n in steps, hi and lo, and the half voxel by which the
 * centre of a folded row is off where nx is even. */
template <class R> struct alignas(16) ndft_sample_turns {
    R y_hi, y_lo, z_hi, z_lo, shift, none[3];
};

constexpr int NDFT_BABY_PAD = 2; /* of a row's phasors, for shared memory's banks */

template <class R> struct ndft_separable {
    ndft_slabs slabs;
    int n_units;
    const ndft_complex<R> *times;        /* [n_units] t/(2 pi) in steps: hi, lo */
    const ndft_sample_turns<R> *samples; /* [n_units][unit size] */
    const ndft_complex<double> *turn;    /* [ndft_phase<R>::STEPS] */
    const uint4 *phasors;                /* along x: ndft_build_phasors */
    const ndft_complex<R> *babies; /* wgmma's row phasors: [n_units][NDFT_GROUP_ROWS][size + pad] */
    const int32_t *voxel;          /* [slabs][NDFT_OWN][threads], -1: none */
    const R *dw;                   /* likewise, rad/s; NULL: no field map */
    R span; /* t/(2 pi) in which the field turns no voxel by more than half a turn */
    ndft_strides in, out;
};

enum { NDFT_OWN = 8 * NDFT_RUN }; /* voxels of a thread */

/* Copies vectors from global to shared memory, one or few a thread, while the block works on. */
template <int MOST, int THREADS>
__device__ __forceinline__ void ndft_fetch(uint4 *to, const uint4 *from, int vecs)
{
#pragma unroll
    for (int i = 0; i < (MOST + THREADS - 1) / THREADS; i++) {
        const int at = i * THREADS + (int)threadIdx.x;
        if (at < vecs) __pipeline_memcpy_async(to + at, from + at, sizeof *from);
    }
}

/* Numbers that follow from mode and unit: vectors are of 16 bytes. */
template <class M, int TILES> struct ndft_separable_sizes {
    using R = typename M::R;
    static constexpr int THREADS = 32 * M::WARPS, SAMPLES = 16 * TILES;
    static constexpr int A_VECS = sizeof(typename M::operand_a) / 16;
    static constexpr int B_VECS = sizeof(typename M::operand_b) / 16;
    static constexpr int TILE_VECS = 2 * A_VECS * 32; /* cosines and sines of 16 samples, a chunk */
    static constexpr int SAMPLE_VECS = SAMPLES * sizeof(ndft_sample_turns<R>) / 16;

    static __host__ __device__ int stage_vecs(const ndft_slabs &s)
    {
        return s.runs * TILES * TILE_VECS;
    }

    /* The phasors of a unit's stages follow each other, and those of its successor these. */
    static __device__ const uint4 *first_stage(const ndft_separable<R> &s, int64_t slab, int unit)
    {
        const int64_t row = slab % s.slabs.along_x * s.n_units + unit;
        return s.phasors + row * NDFT_RUN * stage_vecs(s.slabs);
    }

    static __device__ __forceinline__ void fetch_stage(uint4 *to, const uint4 *&from, int vecs)
    {
        constexpr int MOST = NDFT_MOST_CHUNKS / NDFT_RUN * TILES * TILE_VECS;
        ndft_fetch<MOST, THREADS>(to, from, vecs);
        from += vecs;
    }

    static __device__ __forceinline__ void fetch_samples(ndft_sample_turns<R> *to,
                                                         const ndft_separable<R> &s, int unit)
    {
        const auto *from = (const uint4 *)s.samples + (int64_t)unit * SAMPLE_VECS;
        ndft_fetch<SAMPLE_VECS, THREADS>((uint4 *)to, from, SAMPLE_VECS);
    }
};

/* Hands out a block's dynamic shared memory. */
struct ndft_shared_room {
    unsigned char *at;
    template <class T> __device__ T *take(int count)
    {
        T *taken = (T *)at;
        at += (count * (int)sizeof(T) + 15) / 16 * 16;
        return taken;
    }
};

template <class T> __device__ __forceinline__ T ndft_load_vecs(const uint4 *from, int stride)
{
    constexpr int VECS = sizeof(T) / sizeof(uint4);
    union {
        uint4 vec[VECS];
        T value;
    } u;
#pragma unroll
    for (int i = 0; i < VECS; i++) u.vec[i] = from[i * stride];
    return u.value;
}

template <class T> __device__ __forceinline__ void ndft_store_vecs(uint4 *to, int stride, T value)
{
    constexpr int VECS = sizeof(T) / sizeof(uint4);
    union {
        T value;
        uint4 vec[VECS];
    } u;
    u.value = value;
#pragma unroll
    for (int i = 0; i < VECS; i++) to[i * stride] = u.vec[i];
}

/* Waits for the copies of all threads; what the block did before is done, too. */
__device__ __forceinline__ void ndft_arrive()
{
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
}

/* Centred (y, z) of a slab's rows. */
template <class R>
__device__ void ndft_place_rows(const ndft_slabs &s, int64_t slab, ndft_complex<R> *rows)
{
    const int64_t nz = s.rows_total / s.ny;
    for (int i = threadIdx.x; i < s.rows; i += blockDim.x) {
        const int64_t r = min(slab / s.along_x * s.rows + i, s.rows_total - 1);
        rows[i] = {(R)(r % s.ny - s.ny / 2), (R)(r / s.ny - nz / 2)};
    }
}

/* exp(+i phase) of a sample along y and z at a row. */
template <class R>
__device__ __forceinline__ ndft_complex<R> ndft_row_phasor(const ndft_sample_turns<R> &sample,
                                                           ndft_complex<R> row, bool deep,
                                                           const ndft_complex<double> *turn)
{
    using phase = ndft_phase<R>;
    phase sum = phase::of(row.re, sample.y_hi, sample.y_lo) + phase{sample.shift};
    if (deep) sum = sum + phase::of(row.im, sample.z_hi, sample.z_lo);
    return sum.phasor(turn);
}

/* The largest of all threads' magnitudes; most: one float a warp. The block arrives here. */
__device__ __forceinline__ float ndft_block_most(float own, float *most)
{
    const unsigned warp = __reduce_max_sync(~0u, __float_as_uint(own));
    if (threadIdx.x % 32 == 0) most[threadIdx.x / 32] = __uint_as_float(warp);
    __syncthreads();
    float all = 0;
    for (unsigned w = 0; w < blockDim.x / 32; w++) all = fmaxf(all, most[w]);
    return all;
}

/* Grid index of voxel i of a thread, as the forward kernel loads operands or the adjoint one finds
 * sums. */
inline int64_t ndft_own_voxel(const ndft_slabs &s, int64_t slab, int thread, int i, ndft_op op)
{
    const int lane = thread % 32, warp = thread / 32, g = lane / 4, l = lane % 4;
    const int chunk = warp % s.runs * NDFT_RUN + i / 8, group = warp / s.runs, e = i % 8;
    if (group >= s.groups) return -1;
    const bool forward = op == NDFT_FORWARD;
    const int column = forward ? 4 * l + e % 4 : g + e / 4 * 8;
    const int row = forward ? g : 2 * l + e / 2 % 2, side = forward ? e / 4 : e % 2;
    return ndft_slabs_voxel(&s, slab, group * NDFT_GROUP_ROWS + row, chunk, column, side);
}

/* The phasors of a plan along x: [along_x][n_units][NDFT_RUN][runs][TILES][cos, sin][operand A].
 * Rows of the operands are samples and their inputs columns, or the other way round for the
 * adjoint. A thread makes one lane's values. x: kx/nx of each sample in turns, hi and lo; order: -1
 * where there is no sample. */
template <class M, bool ADJOINT>
__global__ void ndft_build_phasors(ndft_slabs s, int64_t n_units, int tiles, const double2 *x,
                                   const int32_t *order, uint4 *phasors)
{
    if constexpr (ndft_separable_by_wgmma<M>) return;
    constexpr int A_VECS = sizeof(typename M::operand_a) / 16;
    const int64_t thread = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, at = thread / 32;
    const int lane = (int)(thread % 32), tile = (int)(at % tiles), run = (int)(at / tiles % s.runs);
    const int h = (int)(at / tiles / s.runs % NDFT_RUN);
    const int64_t unit = at / tiles / s.runs / NDFT_RUN % n_units;
    const int64_t along = at / tiles / s.runs / NDFT_RUN / n_units;
    if (along >= s.along_x) return;
    alignas(16) typename M::element value[2][M::PARTS][8];
    for (int v = 0; v < 8; v++) {
        const int row = M::a_row(lane, v), input = M::a_col(lane, v);
        const int64_t place =
            (unit * tiles + tile) * 16 + (ADJOINT ? input / 4 + input % 4 * 4 : row);
        const int64_t chunk = along * s.chunks + run * NDFT_RUN + h;
        const double u = (double)(chunk * NDFT_CHUNK_COLUMNS + (ADJOINT ? row : input)) +
                         (s.nx % 2 == 0 ? 0.5 : 0.0);
        double cosine = 0, sine = 0;
        if (order[place] >= 0) {
            const double whole = rint(u * x[place].x);
            sincospi(2 * fma(u, x[place].y, fma(u, x[place].x, -whole)), &sine, &cosine);
        }
        for (int p = 0; p < M::PARTS; p++) {
            value[0][p][v] = M::part((double)M::TOP * cosine, p);
            value[1][p][v] = M::part((double)M::TOP * sine, p);
        }
    }
    uint4 *to = phasors + at * 2 * A_VECS * 32 + lane;
    for (int i = 0; i < 2 * A_VECS; i++) to[i * 32] = ((const uint4 *)value)[i];
}

#endif
