/* SPDX-License-Identifier: Apache-2.0 */
#include "core/shares.cuh"
#include "core/shares_cost.h"
#include "fixed_inner_loop.cuh"
#include "phase/worst_entry.h"

/*
 * Phases as 32-bit fixed-point turns: whole turns wrap away in the integers, what is left is exact,
 * and so neither tiles nor their centres are needed: the inputs are staged as they stand. With runs
 * of 64 terms under compensated sums nothing but the hardware's sine and cosine is left of the
 * error. The special-function unit is the ceiling; a third of the pipe beside it is integer.
 */

namespace
{

enum { RUN = 64 };               /* inputs of an uncompensated sum, and of a step */
enum { TILE, OUTPUTS, THREADS }; /* knobs, in order */

/* Most threads of a block, for the registers that they leave. */
constexpr int block_of(bool sinc) { return sinc ? 512 : 640; }

const ndft_knob knobs[] = {
    NDFT_KNOB("tile", "inputs", "inputs staged at a time", 1024, (128, 256, 512, 1024)),
    NDFT_OUTPUTS_KNOB((0, 1, 2, 4)),
    NDFT_THREADS_KNOB(640, (128, 256, 512, 640)),
};

/* One direction. */
struct direction {
    ndft_fixed_points in, out; /* in: padded to whole runs */
    int64_t inputs;
    int tile;
    ndft_strides strides;
    ndft_split<float> split;
};

/* count inputs from `first` on. */
template <class W>
__device__ void stage(const direction &s, int64_t first, int count, const ndft_complex<float> *in,
                      float *tile)
{
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        const int64_t at = first + i;
        ndft_complex<float> z = {0, 0};
        if (at < s.inputs) z = in[at * s.strides.element];
#pragma unroll
        for (int d = 0; d < W::DIM; d++) tile[W::place(d, i)] = __int_as_float(s.in.turns[d][at]);
        tile[W::place(W::DIM, i)] = __int_as_float(s.in.turns[3][at]);
        tile[W::place(W::DIM + 1, i)] = s.in.slow[at];
        tile[W::place(W::DIM + 2, i)] = z.re;
        tile[W::place(W::DIM + 3, i)] = z.im;
#pragma unroll
        for (int d = 0; d < W::IN_PARTS; d++) tile[W::place(W::DIM + 4 + d, i)] = s.in.part[d][at];
    }
}

template <class W> __device__ void load_outputs(const direction &s, int64_t sum, W &loop)
{
    const ndft_outputs &outputs = s.split.outputs;
#pragma unroll
    for (int o = 0; o < W::OUTPUTS; o++) {
        int64_t at = outputs.place(sum, (int)(o * blockDim.x + threadIdx.x));
        if (at >= outputs.length) at = outputs.length - 1;
#pragma unroll
        for (int d = 0; d < W::DIM; d++) loop.turns[o][d] = s.out.turns[d][at];
        loop.turns[o][W::DIM] = s.out.turns[3][at];
        loop.slow[o] = s.out.slow[at];
#pragma unroll
        for (int d = 0; d < W::OUT_PARTS; d++) loop.part[o][d] = s.out.part[d][at];
    }
}

/* A segment of a sum. */
template <class W>
__device__ void segment_sum(const direction &s, const ndft_segment &segment,
                            const ndft_complex<float> *in, ndft_complex<float> *out, float *tile)
{
    W loop = {};
    load_outputs(s, segment.sum, loop);
    in += segment.sum / s.split.outputs.blocks * s.strides.coil;
    const int end = segment.end * RUN;
    for (int first = segment.begin * RUN; first < end; first += s.tile) {
        const int count = min(s.tile, end - first);
        __syncthreads();
        stage<W>(s, first, count, in, tile);
        __syncthreads();
        for (int i = 0; i < count; i += RUN) loop.over(tile + i * W::ROWS, RUN);
    }
#pragma unroll
    for (int o = 0; o < W::OUTPUTS; o++)
        ndft_put(s.split, segment, (int)(o * blockDim.x + threadIdx.x), loop.total[o], out);
}

template <class W>
__global__ void __launch_bounds__(block_of(W::SINC), 1)
    fixed_phase(direction s, const ndft_complex<float> *in, ndft_complex<float> *out)
{
    extern __shared__ __align__(16) unsigned char shared[];
    const ndft_shares &shares = s.split.shares;
    const int64_t end = shares.begin(blockIdx.x + 1);
    for (int64_t at = shares.begin(blockIdx.x); at < end;) {
        const ndft_segment segment = ndft_segment_at(shares, blockIdx.x, at);
        segment_sum<W>(s, segment, in, out, (float *)shared);
        at += segment.end - segment.begin;
    }
}

struct kernels {
    using kernel = void (*)(direction, const ndft_complex<float> *, ndft_complex<float> *);
    static constexpr bool built(int, bool, int outputs) { return outputs <= 4; }
    template <int D, int DEPHASING, bool TO_VOXELS, int O> static kernel of()
    {
        constexpr bool OWN = TO_VOXELS && DEPHASING != NDFT_NO_SINC; /* else both are one */
        return fixed_phase<ndft_fixed_inner_loop<D, DEPHASING, OWN, O>>;
    }
};

int outputs_of(const ndft_problem *p, ndft_op op, const int *k)
{
    const double pairs = ndft_coil_pairs(p, op);
    return k[OUTPUTS] ? k[OUTPUTS] : pairs < 5e7 ? 1 : pairs < 2e8 ? 2 : 4;
}

size_t tile_bytes(const ndft_problem *p, bool to_voxels, int tile)
{
    return ndft_tile_bytes(p, to_voxels, tile) + (size_t)tile * sizeof(float);
}

struct fixed_plan : ndft_shared_plan<direction, float> {
    ndft_status prepare(const ndft_problem *p, const int *k, unsigned ops)
    {
        if (ops & NDFT_FORWARD) NDFT_TRY(place(p, k, NDFT_FORWARD));
        if (ops & NDFT_ADJOINT) NDFT_TRY(place(p, k, NDFT_ADJOINT));
        return NDFT_OK;
    }

    ndft_status place(const ndft_problem *p, const int *k, ndft_op op)
    {
        const bool to_voxels = op == NDFT_ADJOINT;
        const ndft_side from = to_voxels ? NDFT_SAMPLES : NDFT_VOXELS;
        const ndft_side to = to_voxels ? NDFT_VOXELS : NDFT_SAMPLES;
        const double sign = to_voxels ? 1 : -1;
        const int64_t inputs = ndft_input_length(p, op), length = ndft_output_length(p, op);
        const int steps = (int)ndft_blocks(inputs, RUN), outputs = outputs_of(p, op, k);
        auto &launch = launches[to_voxels];
        launch.side.inputs = inputs;
        launch.side.tile = k[TILE];
        launch.side.strides = ndft_strides_of(p, inputs);
        NDFT_TRY(ndft_place_fixed(&arrays, p, from, sign, inputs, (int64_t)steps * RUN,
                                  &launch.side.in));
        NDFT_TRY(ndft_place_fixed(&arrays, p, to, sign, length, length, &launch.side.out));
        launch.run = ndft_choose_sum<kernels>(p->dim, ndft_dephasing_of(p), to_voxels, outputs);
        const int most = block_of(ndft_has_gradients(p));
        launch.threads =
            ndft_block_threads((const void *)launch.run, k[THREADS] < most ? k[THREADS] : most,
                               ndft_blocks(length, outputs));
        launch.shared = tile_bytes(p, to_voxels, k[TILE]);
        return split(p, op, steps, outputs);
    }
};

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    const int o = k[OUTPUTS], tile = k[TILE], threads = k[THREADS];
    if (p->prec == NDFT_F64) return "32-bit turns suffice for f32 only";
    if (o != 0 && o != 1 && o != 2 && o != 4)
        return "outputs is built for 1, 2 and 4, and 0 chooses";
    if (tile < RUN || tile > 1024 || tile % RUN) return "tile must be a multiple of 64 up to 1024";
    if (threads < 32 || threads > 640 || threads % 32)
        return "threads must be a multiple of 32 up to 640";
    if (tile_bytes(p, true, tile) > device->shared_bytes)
        return "the tile does not fit into shared memory";
    return nullptr;
}

double rounding(const ndft_problem *p, const int *) { return ndft_fixed_rounding(p); }

/* By the machine code; as ndft_inner_loop_cost, less the phase's float products, and the fixed
 * point's: a product per coordinate, a conversion, the rest's two, and 16 additions per run. */
ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const double pairs = ndft_coil_pairs(p, op), outputs = outputs_of(p, op, k);
    const double rows = ndft_tile_rows(p, op == NDFT_ADJOINT) + 1, loads = rows / 4;
    const double inputs = (double)ndft_input_length(p, op);
    const double length = (double)ndft_output_length(p, op);
    ndft_cost cost = ndft_inner_loop_cost(p, op, true);
    cost.fma += pairs * (2 - (p->dim + 1));
    cost.add = pairs * 8 / (double)RUN;
    cost.integer = pairs * (p->dim + 2);
    cost.issue_slots = cost.fma + cost.add + cost.integer + cost.special;
    cost.issue_slots += pairs * (0.05 + (loads + 1) / outputs);
    cost.integer += pairs / outputs;                 /* the loop's own */
    cost.shared_bytes = pairs * loads * 8 / outputs; /* two wavefronts serve a warp's load */
    cost.dram_bytes += 4 * (inputs * (rows - 2) + length * (p->dim + 2));
    cost.launches = 1;

    const int most = block_of(ndft_has_gradients(p));
    const double block = ndft_even_block(length, outputs, fmin(k[THREADS], most));
    const double sums = p->coils * ceil(length / block);
    const double own = ndft_tile_rows(p, op != NDFT_ADJOINT) - 1;
    const ndft_cuts cuts = ndft_cuts_of(sums, inputs / (double)RUN, NDFT_COUNTED_UNITS);
    cost.l2_bytes =
        4 * (sums * inputs * rows + cuts.segments * block * own + 2 * p->coils * length);
    ndft_join_cost(cuts, block * (double)sizeof(float2), &cost);
    return cost;
}

/* Runs are joined with their errors. */
double chain(const ndft_problem *p, ndft_op op, const int *)
{
    return fmin((double)ndft_input_length(p, op), RUN) + 2;
}

double worst(const ndft_problem *p, ndft_op, const int *) { return ndft_fixed_rounding(p); }

} // namespace

extern "C" const ndft_variant ndft_fixed_phase_cuda = {
    .name = "fixed_phase",
    .backend = "cuda",
    .summary = "phases as 32-bit fixed-point turns, compensated sums: the most accurate in f32",
    NDFT_KNOBS(knobs),
    .claim = {.c = 40,
              .truncation = rounding,
              .any = {.c = NDFT_ANY_HARDWARE + NDFT_ANY_PRODUCT + NDFT_ANY_SINC,
                      .chain = chain,
                      .truncation = worst},
              .deterministic = true},
    .unsupported = unsupported,
    NDFT_BASE_PLAN(fixed_plan),
    .cost = cost,
    .chosen = ndft_chosen_plan,
};
