/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STAGED_CUH
#define NDFT_STAGED_CUH

#include "core/dispatch.cuh"
#include "core/shares.cuh"
#include "core/shares_cost.h"
#include "inner_loop.cuh"
#include "phase/centre.cuh"
#include "phase/points.cuh"

/*
 * Input tiles in shared memory, outputs in registers: the kernel of all variants that differ in
 * their arithmetic only. A thread owns some outputs; the block stages a compact tile of inputs, as
 * offsets from the tile's centre, and every thread goes through it: per pair only the small
 * remainder of the phase. The centre's phase is reduced exactly, once per output and tile, and
 * rotates the tile's sum as it joins the total, which is also what keeps the sums short.
 */

/* Inputs of an indivisible step; tiles hold whole steps. */
enum { NDFT_STAGED_STEP = 32 };

/* One direction: the inputs as tiles, the outputs as they stand. */
template <class R> struct ndft_staged_side {
    const R *offset[4]; /* [n_tiles*tile] 2 pi (b - centre), padded with zeros */
    /* Likewise: the input's part of the sinc's argument, or terms of a phase of higher order. */
    const R *in_part[NDFT_HIGHER_TERMS];
    const int32_t *order;                 /* [n_tiles*tile] element of the input, -1: padding */
    const ndft_centre *centre;            /* [n_tiles] */
    const R *raw[4];                      /* [outputs] exact coordinates */
    const R *out_part[NDFT_HIGHER_TERMS]; /* [outputs] */
    int tile;
    ndft_strides in;
    ndft_split<R> split;
};

template <class R>
using ndft_staged_kernel = void (*)(ndft_staged_side<R>, const ndft_complex<R> *,
                                    ndft_complex<R> *);

/* count inputs from `first` on. */
template <class W>
__device__ void ndft_stage(const ndft_staged_side<typename W::R> &s, int64_t first, int count,
                           const ndft_complex<typename W::R> *in, typename W::R *tile)
{
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        const int64_t at = first + i;
        const int element = s.order[at];
        ndft_complex<typename W::R> z = {0, 0};
        if (element >= 0) z = in[element * s.in.element];
#pragma unroll
        for (int d = 0; d < W::DIM; d++) tile[W::place(s.tile, d, i)] = s.offset[d][at];
        tile[W::place(s.tile, W::DIM, i)] = s.offset[3][at];
        tile[W::place(s.tile, W::DIM + 1, i)] = z.re;
        tile[W::place(s.tile, W::DIM + 2, i)] = z.im;
#pragma unroll
        for (int d = 0; d < W::IN_PARTS; d++)
            tile[W::place(s.tile, W::DIM + 3 + d, i)] = s.in_part[d][at];
    }
}

template <class W>
__device__ void ndft_load_outputs(const ndft_staged_side<typename W::R> &s, int64_t sum, W &loop)
{
    const ndft_outputs &outputs = s.split.outputs;
#pragma unroll
    for (int o = 0; o < W::OUTPUTS; o++) {
        int64_t at = outputs.place(sum, (int)(o * blockDim.x + threadIdx.x));
        if (at >= outputs.length) at = outputs.length - 1;
#pragma unroll
        for (int d = 0; d < W::DIM; d++) loop.a[o][d] = s.raw[d][at];
        loop.a[o][W::DIM] = s.raw[3][at];
#pragma unroll
        for (int d = 0; d < W::OUT_PARTS; d++) loop.part[o][d] = s.out_part[d][at];
    }
}

/* A segment of a sum. */
template <class W>
__device__ void ndft_staged_sum(const ndft_staged_side<typename W::R> &s,
                                const ndft_segment &segment, const ndft_complex<typename W::R> *in,
                                ndft_complex<typename W::R> *out, typename W::R *tile)
{
    using R = typename W::R;
    W loop;
    ndft_complex<R> total[W::OUTPUTS] = {};
    ndft_load_outputs(s, segment.sum, loop);
    in += segment.sum / s.split.outputs.blocks * s.in.coil;
    const int end = segment.end * NDFT_STAGED_STEP;
    for (int first = segment.begin * NDFT_STAGED_STEP, next; first < end; first = next) {
        const int t = first / s.tile;
        next = min((t + 1) * s.tile, end);
        __syncthreads();
        ndft_stage<W>(s, first, next - first, in, tile);
        __syncthreads();
        loop.clear();
        loop.over(tile, s.tile, next - first);
#pragma unroll
        for (int o = 0; o < W::OUTPUTS; o++) {
            const ndft_complex<R> turn = ndft_centre_phasor<R, W::DIM>(loop.a[o], s.centre[t]);
            ndft_accumulate(total[o], turn.re, turn.im, loop.sum[o]);
        }
    }
#pragma unroll
    for (int o = 0; o < W::OUTPUTS; o++)
        ndft_put(s.split, segment, (int)(o * blockDim.x + threadIdx.x), total[o], out);
}

/* A block's share of the sums. */
template <class W>
__device__ __forceinline__ void ndft_staged_share(const ndft_staged_side<typename W::R> &s,
                                                  const ndft_complex<typename W::R> *in,
                                                  ndft_complex<typename W::R> *out)
{
    extern __shared__ __align__(16) unsigned char shared[];
    const ndft_shares &shares = s.split.shares;
    const int64_t end = shares.begin(blockIdx.x + 1);
    for (int64_t at = shares.begin(blockIdx.x); at < end;) {
        const ndft_segment segment = ndft_segment_at(shares, blockIdx.x, at);
        ndft_staged_sum<W>(s, segment, in, out, (typename W::R *)shared);
        at += segment.end - segment.begin;
    }
}

template <class W>
__global__ void ndft_staged(ndft_staged_side<typename W::R> s,
                            const ndft_complex<typename W::R> *in, ndft_complex<typename W::R> *out)
{
    ndft_staged_share<W>(s, in, out);
}

/* With all the registers that one block of this many threads leaves, for a longer look ahead. */
template <class W, int THREADS>
__global__ void __launch_bounds__(THREADS, 1)
    ndft_staged_within(ndft_staged_side<typename W::R> s, const ndft_complex<typename W::R> *in,
                       ndft_complex<typename W::R> *out)
{
    ndft_staged_share<W>(s, in, out);
}

/*
 * Inputs in a tile, outputs of a thread, most threads of a block. 0 outputs: four where a pair
 * takes many operands, else two, but one where blocks would have too little to share.
 */
struct ndft_staging {
    int tile, outputs, threads;

    int outputs_of(const ndft_problem *p, ndft_op op) const
    {
        if (outputs) return outputs;
        if (p->dim != 2 || ndft_has_gradients(p)) return 4;
        return ndft_coil_pairs(p, op) < 5e7 ? 1 : 2;
    }
};

/* Whether there is a kernel of so many outputs: those that 0 chooses, and if they are swept, all
 * where sweeps run. */
constexpr bool ndft_staging_built(int dim, bool gradients, int outputs, bool swept)
{
    if (NDFT_ALL || (swept && ndft_built_for_sweeps(dim, gradients))) return true;
    return dim == 2 && !gradients ? outputs < 4 : outputs == 4;
}

/* NULL, or why not. */
inline const char *ndft_staging_unsupported(const ndft_problem *p, const ndft_device *device,
                                            const ndft_staging &staging)
{
    const int o = staging.outputs, tile = staging.tile;
    if (o != 0 && o != 1 && o != 2 && o != 4 && o != 8)
        return "outputs is built for 1, 2, 4 and 8, and 0 chooses";
    if (tile < NDFT_STAGED_STEP || tile > 2048 || tile % NDFT_STAGED_STEP)
        return "tile must be a multiple of 32 up to 2048";
    if (const char *why = ndft_block_unsupported(staging.threads)) return why;
    if (ndft_tile_bytes(p, true, tile) > device->shared_bytes)
        return "the tile does not fit into shared memory";
    return nullptr;
}

inline const char *ndft_staging_unbuilt(const ndft_problem *p, int outputs, bool swept)
{
    const bool gradients = ndft_has_gradients(p);
    if (!outputs || ndft_staging_built(p->dim, gradients, outputs, swept)) return nullptr;
    return p->dim == 2 && !gradients
               ? "without the hardware's sine outputs is built for 1 and 2 in 2D, and 0 chooses; "
                 "-DNDFT_ALL=ON builds all"
               : "with gradients and outside 2D outputs is built for 4, and 0 chooses; "
                 "-DNDFT_ALL=ON builds all";
}

template <class R> struct ndft_staged_plan : ndft_shared_plan<ndft_staged_side<R>, R> {
    using base = ndft_shared_plan<ndft_staged_side<R>, R>;
    using base::arrays;
    double stretch;

    /* choice(dim, dephasing, to_voxels, outputs): the kernel; larger: what its phases are stretched
     * by. */
    template <class CHOICE>
    ndft_status place(const ndft_problem *p, const ndft_staging &staging, unsigned ops,
                      double larger, CHOICE choice)
    {
        stretch = larger;
        if (ops & NDFT_FORWARD) NDFT_TRY(place_direction(p, staging, NDFT_FORWARD, choice));
        if (ops & NDFT_ADJOINT) NDFT_TRY(place_direction(p, staging, NDFT_ADJOINT, choice));
        return NDFT_OK;
    }

    template <class CHOICE>
    ndft_status place_direction(const ndft_problem *p, const ndft_staging &staging, ndft_op op,
                                CHOICE choice)
    {
        const bool to_voxels = op == NDFT_ADJOINT;
        const ndft_side from = to_voxels ? NDFT_SAMPLES : NDFT_VOXELS;
        const ndft_side to = to_voxels ? NDFT_VOXELS : NDFT_SAMPLES;
        const int64_t inputs = ndft_input_length(p, op), length = ndft_output_length(p, op);
        const int outputs = staging.outputs_of(p, op);
        auto &launch = this->launches[to_voxels];
        launch.side.tile = staging.tile;
        launch.side.in = ndft_strides_of(p, inputs);
        launch.run = choice(p->dim, ndft_dephasing_of(p), to_voxels, outputs);
        launch.threads = ndft_block_threads((const void *)launch.run, staging.threads,
                                            ndft_blocks(length, outputs));
        launch.shared = ndft_tile_bytes(p, to_voxels, staging.tile);
        NDFT_TRY(place_inputs(p, from, to_voxels ? 1 : -1, &launch.side));
        NDFT_TRY(ndft_place_raw(&arrays, p, to, launch.side.raw));
        NDFT_TRY(ndft_place_parts(&arrays, p, to, {nullptr, length}, length, launch.side.out_part));
        NDFT_TRY(
            ndft_place_higher(&arrays, p, to, {nullptr, length}, length, 1, launch.side.out_part));
        return this->split(p, op, (int)ndft_blocks(inputs, NDFT_STAGED_STEP), outputs);
    }

    ndft_status place_inputs(const ndft_problem *p, ndft_side from, double sign,
                             ndft_staged_side<R> *side)
    {
        ndft_tiles tiles;
        if (!ndft_tiles_make(p, from, side->tile, &tiles))
            return ndft_fail(arrays.exec->error, NDFT_ENOMEM, "no host memory to sort inputs");
        ndft_status status = ndft_place_tiles(&arrays, p, from, tiles, sign, stretch, side->offset,
                                              &side->order, side->in_part, &side->centre);
        if (status == NDFT_OK)
            status =
                ndft_place_higher(&arrays, p, from, {tiles.order, tiles.n_points},
                                  tiles.n_tiles * tiles.tile, sign / ndft_two_pi, side->in_part);
        ndft_tiles_free(&tiles);
        return status;
    }
};

/* Rounding of the phase left in a tile, the first knob: three quarters of an ulp of the largest.
 * One side of a phase of higher order is rounded once, in turns. */
inline double ndft_staged_rounding(const ndft_problem *p, const int *k)
{
    return ndft_roundoff(p->prec) * (0.75 * ndft_tile_remainder(p, k[0]) + p->higher.most);
}

/* Staging and the loop beside what the inner loop executes; slots and traffic. */
inline void ndft_staged_cost(const ndft_problem *p, ndft_op op, const ndft_staging &staging,
                             ndft_cost *cost)
{
    const bool to_voxels = op == NDFT_ADJOINT;
    const double rows = ndft_tile_rows(p, to_voxels), pairs = ndft_coil_pairs(p, op);
    const double real = (double)ndft_real_size(p->prec), loads = rows / (16 / real);
    const double outputs = staging.outputs_of(p, op), inputs = (double)ndft_input_length(p, op);
    const double length = (double)ndft_output_length(p, op);
    cost->issue_slots += pairs * (0.25 + (loads + 1.75) / outputs);
    cost->shared_bytes += pairs * loads * 8 / outputs; /* two wavefronts serve a warp's load */
    cost->dram_bytes += (inputs * (rows - 1) + length * (p->dim + 1)) * real;

    const double block = ndft_even_block(length, outputs, staging.threads);
    const double sums = p->coils * ceil(length / block), own = ndft_tile_rows(p, !to_voxels) - 2;
    const ndft_cuts cuts =
        ndft_cuts_of(sums, inputs / (double)NDFT_STAGED_STEP, NDFT_COUNTED_UNITS);
    /* The centres' phasors in double; a tile that is cut has two. */
    cost->add += 10 * block * (sums * inputs / staging.tile + cuts.segments - sums);
    cost->l2_bytes += sums * inputs * (rows * real + 4) + cuts.segments * block * own * real +
                      2 * p->coils * length * real;
    cost->launches += 1;
    ndft_join_cost(cuts, block * 2 * real, cost);
}

#endif
