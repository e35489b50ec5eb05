/* SPDX-License-Identifier: Apache-2.0 */
#include "centre.cuh"
#include "dispatch.cuh"
#include "join.cuh"
#include "points.cuh"
#include "walk.cuh"

/*
 * The output-driven stages of cuFINUFFT's spreading (after NonuniformFFTs.jl), carried to the
 * direct sum. A block owns a compact tile of outputs and takes the inputs in batches of np: (1) the
 * threads evaluate one input each, the exactly reduced phase at the tile's centre, and put the
 * rotated value into shared memory; (2) all threads walk the batch for the outputs in their
 * registers, where only the small remainder of the phase is left; (3) where blocks split the sum,
 * their tiles are joined in order, or by one atomic addition per output. Inputs are read as they
 * stand, so that nothing needs sorting but the outputs. The special-function unit is the ceiling.
 */

namespace
{

const char *const reduce_words[] = {"ordered", "atomic", nullptr};
enum { REDUCE_ORDERED, REDUCE_ATOMIC };
enum { OUTPUTS, NP, SPLIT, REDUCE }; /* knobs, in order */
enum { THREADS = 128 };

const ndft_knob knobs[] = {
    {"outputs", "per block", "outputs of a block's tile", nullptr, 256, 4, {128, 256, 512, 1024}},
    {"np", "inputs", "inputs in a batch", nullptr, 256, 5, {32, 64, 128, 256, 512}},
    {"split",
     "parts",
     "blocks that share a sum; 0 fills the device",
     nullptr,
     0,
     5,
     {0, 1, 2, 4, 8}},
    {"reduce",
     "",
     "how the parts of a split sum are joined",
     reduce_words,
     REDUCE_ORDERED,
     2,
     {REDUCE_ORDERED, REDUCE_ATOMIC}},
};

/* One direction: the outputs as tiles, the inputs as they stand. */
struct direction {
    const float *offset[4];    /* [n_tiles*tile] signed 2 pi (a - centre) */
    const float *out_part[4];  /* likewise: the output's part of the sinc's argument */
    const int32_t *order;      /* [n_tiles*tile] element of the output, -1: padding */
    const ndft_centre *centre; /* [n_tiles] */
    const float *raw[4];       /* [inputs] exact coordinates */
    const float *in_part[4];   /* [inputs] */
    int64_t inputs, outputs;
    int np, split;
    bool atomic;
    ndft_strides in, out;
    ndft_complex<float> *parts; /* [split][coil][outputs], when joined in order */
};

/* Stage 1: inputs first..first+np-1, rotated to the tile's centre. */
template <class W>
__device__ void evaluate(const direction &s, const ndft_centre &centre, int64_t first,
                         const ndft_complex<float> *in, float *batch)
{
    for (int i = threadIdx.x; i < s.np; i += blockDim.x) {
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

template <class W> __device__ void load_outputs(const direction &s, int64_t first, W &walk)
{
#pragma unroll
    for (int o = 0; o < W::OUTPUTS; o++) {
        const int64_t at = first + o * THREADS;
#pragma unroll
        for (int d = 0; d < W::DIM; d++) walk.a[o][d] = s.offset[d][at];
        walk.a[o][W::DIM] = s.offset[3][at];
#pragma unroll
        for (int d = 0; d < W::OUT_PARTS; d++) walk.part[o][d] = s.out_part[d][at];
    }
}

/* Stage 3, a block's share of it. */
__device__ void put(const direction &s, int element, ndft_complex<float> total,
                    ndft_complex<float> *out)
{
    if (element < 0) return;
    ndft_complex<float> *to = out + blockIdx.y * s.out.coil + element * s.out.element;
    if (s.split == 1) {
        *to = total;
    } else if (s.atomic) {
        atomicAdd(&to->re, total.re);
        atomicAdd(&to->im, total.im);
    } else {
        s.parts[((int64_t)blockIdx.z * gridDim.y + blockIdx.y) * s.outputs + element] = total;
    }
}

template <class W>
__global__ void output_driven(direction s, const ndft_complex<float> *in, ndft_complex<float> *out)
{
    extern __shared__ __align__(16) unsigned char shared[];
    float *batch = (float *)shared;
    const ndft_centre centre = s.centre[blockIdx.x];
    const int64_t first = (int64_t)blockIdx.x * THREADS * W::OUTPUTS + threadIdx.x;
    W walk;
    ndft_complex<float> total[W::OUTPUTS] = {};
    load_outputs(s, first, walk);
    in += blockIdx.y * s.in.coil;
    for (int64_t i = (int64_t)blockIdx.z * s.np; i < s.inputs; i += (int64_t)s.split * s.np) {
        __syncthreads();
        evaluate<W>(s, centre, i, in, batch);
        __syncthreads();
        walk.clear();
        walk.over(batch, s.np, s.np);
#pragma unroll
        for (int o = 0; o < W::OUTPUTS; o++) {
            total[o].re += walk.sum[o].re;
            total[o].im += walk.sum[o].im;
        }
    }
#pragma unroll
    for (int o = 0; o < W::OUTPUTS; o++) put(s, s.order[first + o * THREADS], total[o], out);
}

using kernel = void (*)(direction, const ndft_complex<float> *, ndft_complex<float> *);

kernel choose_kernel(int dim, int dephasing, bool to_voxels, int outputs)
{
    return ndft_choose<1, 2, 3>(dim, [&](auto dims) {
        return ndft_choose<1, 2, 4, 8>(outputs, [&](auto outs) -> kernel {
            constexpr int D = decltype(dims)::value, O = decltype(outs)::value;
            if (dephasing == NDFT_NO_SINC)
                return output_driven<ndft_walk<float, D, NDFT_NO_SINC, false, O, true>>;
            if (dephasing == NDFT_SINC_POLY)
                return to_voxels
                           ? output_driven<ndft_walk<float, D, NDFT_SINC_POLY, true, O, true>>
                           : output_driven<ndft_walk<float, D, NDFT_SINC_POLY, false, O, true>>;
            return to_voxels ? output_driven<ndft_walk<float, D, NDFT_SINC_EXACT, true, O, true>>
                             : output_driven<ndft_walk<float, D, NDFT_SINC_EXACT, false, O, true>>;
        });
    });
}

struct output_driven_plan : ndft_base_plan {
    unsigned coils;
    size_t out_bytes[2];
    struct {
        direction side;
        kernel run;
        size_t shared;
        dim3 grid;
    } ways[2]; /* forward, adjoint */

    ndft_status prepare(const ndft_problem *p, const int *k, unsigned ops)
    {
        coils = (unsigned)p->coils;
        if (ops & NDFT_FORWARD) NDFT_TRY(prepare_way(p, k, NDFT_FORWARD));
        if (ops & NDFT_ADJOINT) NDFT_TRY(prepare_way(p, k, NDFT_ADJOINT));
        return NDFT_OK;
    }

    ndft_status prepare_way(const ndft_problem *p, const int *k, ndft_op op)
    {
        const bool to_voxels = op == NDFT_ADJOINT;
        const ndft_side from = to_voxels ? NDFT_SAMPLES : NDFT_VOXELS;
        direction *side = &ways[to_voxels].side;
        side->np = k[NP];
        side->atomic = k[REDUCE] == REDUCE_ATOMIC;
        side->inputs = ndft_input_length(p, op);
        side->outputs = ndft_output_length(p, op);
        side->in = ndft_strides_of(p, side->inputs);
        side->out = ndft_strides_of(p, side->outputs);
        out_bytes[to_voxels] = ndft_vector_bytes(p, side->outputs);
        NDFT_TRY(ndft_place_raw(&arrays, p, from, side->raw));
        NDFT_TRY(ndft_place_parts(&arrays, p, from, {nullptr, side->inputs}, side->inputs,
                                  side->in_part));
        NDFT_TRY(place_outputs(p, to_voxels, k[OUTPUTS], side));
        return choose(p, k, to_voxels);
    }

    ndft_status place_outputs(const ndft_problem *p, bool to_voxels, int tile, direction *side)
    {
        const ndft_side to = to_voxels ? NDFT_VOXELS : NDFT_SAMPLES;
        const double sign = to_voxels ? 1 : -1;
        ndft_tiles tiles;
        if (!ndft_tiles_make(p, to, tile, &tiles))
            return ndft_fail(arrays.exec->error, NDFT_ENOMEM, "no host memory to sort outputs");
        ndft_status status = ndft_place_tiles(&arrays, p, to, tiles, sign, side->offset,
                                              &side->order, side->out_part, &side->centre);
        ndft_tiles_free(&tiles);
        return status;
    }

    ndft_status choose(const ndft_problem *p, const int *k, bool to_voxels)
    {
        auto &way = ways[to_voxels];
        direction &side = way.side;
        way.run = choose_kernel(p->dim, ndft_dephasing_of(p), to_voxels, k[OUTPUTS] / THREADS);
        way.shared = ndft_tile_bytes(p, to_voxels, k[NP]);
        NDFT_TRY(ndft_allow_shared(arrays.exec, (const void *)way.run, way.shared));
        const unsigned blocks = ndft_blocks(side.outputs, k[OUTPUTS]);
        const int64_t wave = ndft_wave((const void *)way.run, THREADS, way.shared, arrays.exec);
        const int64_t batches = (side.inputs + k[NP] - 1) / k[NP];
        side.split = k[SPLIT] ? k[SPLIT] : ndft_auto_split((int64_t)blocks * coils, wave, batches);
        way.grid = dim3(blocks, coils, (unsigned)side.split);
        if (side.split == 1 || side.atomic) return NDFT_OK;
        return ndft_reserve(&arrays, "parts of split sums", side.split * side.outputs * coils,
                            &side.parts);
    }

    ndft_status run(ndft_op op, const void *in, void *out) const
    {
        const bool to_voxels = op == NDFT_ADJOINT;
        const auto &way = ways[to_voxels];
        auto *to = (ndft_complex<float> *)out;
        const cudaStream_t stream = ndft_stream(arrays.exec);
        const bool join = way.side.split > 1;
        if (join && way.side.atomic) (void)cudaMemsetAsync(to, 0, out_bytes[to_voxels], stream);
        way.run<<<way.grid, THREADS, way.shared, stream>>>(way.side,
                                                           (const ndft_complex<float> *)in, to);
        NDFT_TRY(ndft_launched(arrays.exec, "output_driven"));
        if (!join || way.side.atomic) return NDFT_OK;
        return ndft_join(arrays.exec, way.side.parts, way.side.split, way.side.outputs, coils,
                         way.side.out, to);
    }
};

const char *unfit(const ndft_problem *p, const ndft_device *, const int *k)
{
    if (p->prec != NDFT_F32) return "it is built for f32 only";
    if (k[OUTPUTS] != 128 && k[OUTPUTS] != 256 && k[OUTPUTS] != 512 && k[OUTPUTS] != 1024)
        return "outputs is built for 128, 256, 512 and 1024";
    if (k[NP] < 4 || k[NP] > 1024 || k[NP] % 4) return "np must be a multiple of 4 up to 1024";
    if (k[SPLIT] > 64) return "split must be at most 64";
    return nullptr;
}

ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec, void **out)
{
    return ndft_make_plan<output_driven_plan>(p, k, ops, exec, out);
}

ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    return ((output_driven_plan *)state)->run(op, in, out);
}

/* Rounding of the phase left in a tile: three quarters of an ulp of the largest. */
double rounding(const ndft_problem *p, const int *k)
{
    const double eps = p->prec == NDFT_F32 ? 0x1p-24 : 0x1p-53;
    return 0.75 * eps * ndft_tile_remainder(p, k[OUTPUTS]);
}

ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const double pairs = ndft_coil_pairs(p, op), rows = ndft_tile_rows(p, op == NDFT_ADJOINT);
    ndft_cost cost = ndft_walk_cost(p, op, true);
    cost.fma += pairs / k[OUTPUTS] * 60; /* stage 1 */
    cost.issue_slots += pairs * (0.25 + ((rows / 4 + 1.75) * THREADS + 90) / k[OUTPUTS]);
    cost.shared_bytes = pairs * 2 * rows * THREADS / k[OUTPUTS]; /* two wavefronts to a load */
    cost.l2_bytes = pairs * rows * 4 / k[OUTPUTS];
    cost.launches = 2;
    return cost;
}

} // namespace

extern "C" const ndft_variant ndft_output_driven_cuda = {
    .name = "output_driven",
    .backend = "cuda",
    .summary = "a block owns a tile of outputs, inputs come in batches rotated to its centre",
    .knobs = knobs,
    .n_knobs = sizeof knobs / sizeof *knobs,
    .ops = NDFT_FORWARD | NDFT_ADJOINT,
    .claim = {.a = 0,
              .b = 0.05,
              .c = 16,
              .truncation = rounding,
              .deterministic = false,
              .preserves_input = true},
    .unfit = unfit,
    .plan = plan,
    .execute = execute,
    .destroy = ndft_destroy_plan,
    .cost = cost,
};
