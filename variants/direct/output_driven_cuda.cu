/* SPDX-License-Identifier: Apache-2.0 */
#include "core/shares.cuh"
#include "core/shares_cost.h"
#include "inner_loop.cuh"
#include "phase/centre.cuh"
#include "phase/points.cuh"
#include "phase/worst_entry.h"

/*
 * The output-driven stages of cuFINUFFT's spreading (after NonuniformFFTs.jl), carried to the
 * direct sum. A block owns a compact tile of outputs and takes the inputs in batches of np: (1) the
 * threads evaluate one input each, the exactly reduced phase at the tile's centre, and put the
 * rotated value into shared memory; (2) all threads take the batch for the outputs in their
 * registers, where only the small remainder of the phase is left; (3) where blocks share a sum,
 * their tiles are joined in order, or by one atomic addition per output. Inputs are read as they
 * stand, so that nothing needs sorting but the outputs. The special-function unit is the ceiling.
 */

namespace
{

const char *const reduce_words[] = {"ordered", "atomic", nullptr};
enum { REDUCE_ORDERED, REDUCE_ATOMIC };
enum { OUTPUTS, NP, THREADS, REDUCE }; /* knobs, in order */
enum { STEP = 32 };

const ndft_knob knobs[] = {
    NDFT_OUTPUTS_KNOB((0, 1, 2, 4, 8)),
    NDFT_KNOB("np", "inputs", "inputs in a batch", 512, (32, 64, 128, 256, 512)),
    NDFT_THREADS_KNOB(512, (128, 256, 512, 1024)),
    NDFT_KNOB_WORDS("reduce", "how the parts of a shared sum are joined", reduce_words,
                    REDUCE_ORDERED, (REDUCE_ORDERED, REDUCE_ATOMIC)),
};

/* Outputs of a thread: as wanted, or four, but one where blocks would have too little to share. */
int outputs_of(const ndft_problem *p, ndft_op op, const int *k)
{
    if (k[OUTPUTS]) return k[OUTPUTS];
    return ndft_coil_pairs(p, op) < 1e8 ? 1 : 4;
}

/* One direction: the outputs as tiles, the inputs as they stand. */
struct direction {
    const float *offset[4];    /* [n_tiles*tile] signed 2 pi (a - centre) */
    const float *out_part[4];  /* likewise: the output's part of the sinc's argument */
    const int32_t *order;      /* [n_tiles*tile] element of the output, -1: padding */
    const ndft_centre *centre; /* [n_tiles] */
    const float *raw[4];       /* [inputs] exact coordinates */
    const float *in_part[4];   /* [inputs] */
    int inputs, np;
    ndft_strides in;
    ndft_split<float> split;
};

/* Stage 1: count inputs from `first` on, rotated to the tile's centre. Beyond the last, zeros. */
template <class W>
__device__ void evaluate(const direction &s, const ndft_centre &centre, int first, int count,
                         const ndft_complex<float> *in, float *batch)
{
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        const int64_t at = first + i;
        const bool real = at < s.inputs;
        float raw[W::DIM + 1];
        ndft_complex<float> value = {0, 0};
#pragma unroll
        for (int d = 0; d < W::DIM; d++) raw[d] = real ? s.raw[d][at] : 0;
        raw[W::DIM] = real ? s.raw[3][at] : 0;
        if (real)
            ndft_rotate(value, ndft_centre_phasor<float, W::DIM>(raw, centre),
                        in[at * s.in.element]);
#pragma unroll
        for (int d = 0; d <= W::DIM; d++) batch[d * s.np + i] = raw[d];
        batch[(W::DIM + 1) * s.np + i] = value.re;
        batch[(W::DIM + 2) * s.np + i] = value.im;
#pragma unroll
        for (int d = 0; d < W::IN_PARTS; d++)
            batch[(W::DIM + 3 + d) * s.np + i] = real ? s.in_part[d][at] : 0;
    }
}

template <class W> __device__ void load_outputs(const direction &s, int64_t first, W &loop)
{
#pragma unroll
    for (int o = 0; o < W::OUTPUTS; o++) {
        const int64_t at = first + o * blockDim.x;
#pragma unroll
        for (int d = 0; d < W::DIM; d++) loop.a[o][d] = s.offset[d][at];
        loop.a[o][W::DIM] = s.offset[3][at];
#pragma unroll
        for (int d = 0; d < W::OUT_PARTS; d++) loop.part[o][d] = s.out_part[d][at];
    }
}

/* A segment of a tile's sum. */
template <class W>
__device__ void sum(const direction &s, const ndft_segment &segment, const ndft_complex<float> *in,
                    ndft_complex<float> *out, float *batch)
{
    const int64_t place = s.split.outputs.place(segment.sum, threadIdx.x);
    const ndft_centre centre = s.centre[place / s.split.outputs.block];
    W loop;
    ndft_complex<float> total[W::OUTPUTS] = {};
    load_outputs(s, place, loop);
    in += segment.sum / s.split.outputs.blocks * s.in.coil;
    const int end = segment.end * STEP;
    for (int first = segment.begin * STEP; first < end; first += s.np) {
        const int count = min(s.np, end - first);
        __syncthreads();
        evaluate<W>(s, centre, first, count, in, batch);
        __syncthreads();
        loop.clear();
        loop.over(batch, s.np, count);
#pragma unroll
        for (int o = 0; o < W::OUTPUTS; o++) {
            total[o].re += loop.sum[o].re;
            total[o].im += loop.sum[o].im;
        }
    }
#pragma unroll
    for (int o = 0; o < W::OUTPUTS; o++)
        ndft_put(s.split, segment, (int)(o * blockDim.x + threadIdx.x), total[o], out);
}

template <class W>
__global__ void output_driven(direction s, const ndft_complex<float> *in, ndft_complex<float> *out)
{
    extern __shared__ __align__(16) unsigned char shared[];
    const ndft_shares &shares = s.split.shares;
    const int64_t end = shares.begin(blockIdx.x + 1);
    for (int64_t at = shares.begin(blockIdx.x); at < end;) {
        const ndft_segment segment = ndft_segment_at(shares, blockIdx.x, at);
        sum<W>(s, segment, in, out, (float *)shared);
        at += segment.end - segment.begin;
    }
}

struct kernels {
    using kernel = void (*)(direction, const ndft_complex<float> *, ndft_complex<float> *);

    /* Those that 0 chooses, and what sweeps want. */
    static constexpr bool built(int dim, bool gradients, int outputs)
    {
        return outputs == 1 || outputs == 4 || ndft_built_for_sweeps(dim, gradients);
    }
    template <int D, int DEPHASING, bool TO_VOXELS, int O> static kernel of()
    {
        constexpr bool OWN = TO_VOXELS && DEPHASING != NDFT_NO_SINC; /* else both are one */
        return output_driven<ndft_inner_loop<float, D, DEPHASING, OWN, O, true>>;
    }
};

struct output_driven_plan : ndft_shared_plan<direction, float> {
    bool atomic;
    size_t out_bytes[2];

    ndft_status prepare(const ndft_problem *p, const int *k, unsigned ops)
    {
        atomic = k[REDUCE] == REDUCE_ATOMIC;
        if (ops & NDFT_FORWARD) NDFT_TRY(prepare_direction(p, k, NDFT_FORWARD));
        if (ops & NDFT_ADJOINT) NDFT_TRY(prepare_direction(p, k, NDFT_ADJOINT));
        return NDFT_OK;
    }

    ndft_status prepare_direction(const ndft_problem *p, const int *k, ndft_op op)
    {
        const bool to_voxels = op == NDFT_ADJOINT;
        const ndft_side from = to_voxels ? NDFT_SAMPLES : NDFT_VOXELS;
        const int64_t inputs = ndft_input_length(p, op), length = ndft_output_length(p, op);
        const int outputs = outputs_of(p, op, k);
        auto &launch = launches[to_voxels];
        direction &side = launch.side;
        launch.run = ndft_choose_sum<kernels>(p->dim, ndft_dephasing_of(p), to_voxels, outputs);
        launch.threads =
            ndft_block_threads((const void *)launch.run, k[THREADS], ndft_blocks(length, outputs));
        side.np = k[NP];
        side.inputs = (int)inputs;
        side.in = ndft_strides_of(p, inputs);
        NDFT_TRY(ndft_place_raw(&arrays, p, from, side.raw));
        NDFT_TRY(ndft_place_parts(&arrays, p, from, {nullptr, inputs}, inputs, side.in_part));
        NDFT_TRY(place_outputs(p, to_voxels, launch.threads * outputs, &side));
        launch.shared = ndft_tile_bytes(p, to_voxels, k[NP]);
        out_bytes[to_voxels] = ndft_vector_bytes(p, length);
        return split(p, op, (int)ndft_blocks(inputs, STEP), outputs, side.order, atomic);
    }

    ndft_status place_outputs(const ndft_problem *p, bool to_voxels, int tile, direction *side)
    {
        const ndft_side to = to_voxels ? NDFT_VOXELS : NDFT_SAMPLES;
        ndft_tiles tiles;
        if (!ndft_tiles_make(p, to, tile, &tiles))
            return ndft_fail(arrays.exec->error, NDFT_ENOMEM, "no host memory to sort outputs");
        ndft_status status =
            ndft_place_tiles(&arrays, p, to, tiles, to_voxels ? 1 : -1, ndft_hardware_stretch,
                             side->offset, &side->order, side->out_part, &side->centre);
        ndft_tiles_free(&tiles);
        return status;
    }

    ndft_status run(ndft_op op, const void *in, void *out) const
    {
        const size_t bytes = out_bytes[op == NDFT_ADJOINT];
        if (atomic)
            NDFT_TRY(ndft_checked(arrays.exec,
                                  cudaMemsetAsync(out, 0, bytes, ndft_stream(arrays.exec)),
                                  "zeroing the output"));
        return ndft_shared_plan::run(op, in, out);
    }
};

const char *unsupported(const ndft_problem *p, const ndft_device *, const int *k)
{
    if (p->prec != NDFT_F32) return "it is built for f32 only";
    const int o = k[OUTPUTS];
    if (o != 0 && o != 1 && o != 2 && o != 4 && o != 8)
        return "outputs is built for 1, 2, 4 and 8, and 0 chooses";
    if (o && !kernels::built(p->dim, ndft_has_gradients(p), o))
        return "with gradients and outside 2D outputs is built for 1 and 4, and 0 chooses; "
               "-DNDFT_ALL=ON builds all";
    if (const char *why = ndft_block_unsupported(k[THREADS])) return why;
    if (k[NP] < STEP || k[NP] > 1024 || k[NP] % STEP)
        return "np must be a multiple of 32 up to 1024";
    return nullptr;
}

/* Rounding of the phase left in a tile: three quarters of an ulp of the largest. */
double rounding(const ndft_problem *p, const int *k)
{
    return 0.75 * ndft_roundoff(p->prec) *
           ndft_tile_remainder(p, (k[OUTPUTS] ? k[OUTPUTS] : 4) * k[THREADS]);
}

ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const double pairs = ndft_coil_pairs(p, op), rows = ndft_tile_rows(p, op == NDFT_ADJOINT);
    const double outputs = outputs_of(p, op, k), tile = outputs * k[THREADS];
    const double inputs = (double)ndft_input_length(p, op),
                 length = (double)ndft_output_length(p, op);
    ndft_cost cost = ndft_inner_loop_cost(p, op, true);
    cost.fma += pairs / tile * 60; /* stage 1 */
    cost.issue_slots += pairs * (0.25 + (rows / 4 + 1.75) / outputs + 90 / tile);
    cost.shared_bytes = pairs * 2 * rows / outputs; /* two wavefronts to a load */
    cost.dram_bytes += (inputs * (rows - 2) + length * (p->dim + 2)) * (double)sizeof(float);
    cost.launches = 1;

    const double block = ndft_even_block(length, outputs, k[THREADS]);
    const double sums = p->coils * ceil(length / block);
    const double own = ndft_tile_rows(p, op != NDFT_ADJOINT) - 2;
    const ndft_cuts cuts = ndft_cuts_of(sums, inputs / (double)STEP, NDFT_COUNTED_UNITS);
    cost.l2_bytes =
        4 * (sums * inputs * rows + cuts.segments * block * own + 3 * p->coils * length);
    if (k[REDUCE] == REDUCE_ATOMIC)
        cost.l2_bytes += cuts.parts * block * (double)sizeof(float2);
    else
        ndft_join_cost(cuts, block * (double)sizeof(float2), &cost);
    return cost;
}

double chain(const ndft_problem *p, ndft_op op, const int *k)
{
    return ndft_cut_chain(p, op, k[NP]);
}

} // namespace

extern "C" const ndft_variant ndft_output_driven_cuda = {
    .name = "output_driven",
    .backend = "cuda",
    .summary = "a block owns a tile of outputs, inputs come in batches rotated to its centre",
    NDFT_KNOBS(knobs),
    .off_grid = true,
    .claim = {.b = 0.05,
              .c = 16,
              .truncation = rounding,
              .any = {.a = NDFT_ANY_OFFSET_HARDWARE,
                      .c = NDFT_ANY_CENTRE + NDFT_ANY_HARDWARE + NDFT_ANY_PRODUCT + NDFT_ANY_SINC,
                      .chain = chain}},
    .unsupported = unsupported,
    NDFT_BASE_PLAN(output_driven_plan),
    .cost = cost,
    .chosen = ndft_chosen_plan,
};
