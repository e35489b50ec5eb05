/* SPDX-License-Identifier: Apache-2.0 */
#include "centre.cuh"
#include "device.cuh"
#include "dispatch.cuh"
#include "join.cuh"
#include "points.cuh"
#include "walk.cuh"

/*
 * Input tiles in shared memory, outputs in registers. A thread owns `outputs` outputs; the block
 * stages a compact tile of inputs, as offsets from the tile's centre, and every thread walks it:
 * per pair only the small remainder of the phase, then sine, cosine and the multiply-add. The
 * centre's phase is reduced exactly, once per output and tile, and rotates the tile's sum as it
 * joins the total, which is also what keeps the sums short. The special-function unit is the
 * ceiling.
 */

namespace
{

const char *const sincos_words[] = {"auto", "hardware", "libm", nullptr};
enum { SINCOS_AUTO, SINCOS_HARDWARE, SINCOS_LIBM };
enum { TILE, OUTPUTS, THREADS, SINCOS, SPLIT }; /* knobs, in order */

const ndft_knob knobs[] = {
    {"tile", "inputs", "inputs staged at a time", nullptr, 256, 6, {32, 64, 128, 256, 512, 1024}},
    {"outputs", "per thread", "outputs in the registers of a thread", nullptr, 1, 4, {1, 2, 4, 8}},
    {"threads", "per block", "threads of a block", nullptr, 128, 4, {64, 128, 256, 512}},
    {"sincos",
     "",
     "sine and cosine; auto is hardware in f32, libm in f64",
     sincos_words,
     0,
     3,
     {SINCOS_AUTO, SINCOS_HARDWARE, SINCOS_LIBM}},
    {"split",
     "parts",
     "blocks that share a sum; 0 fills the device",
     nullptr,
     0,
     5,
     {0, 1, 2, 4, 8}},
};

/* One direction: the inputs as tiles, the outputs as they stand. */
template <class R> struct direction {
    const R *offset[4];        /* [n_tiles*tile] 2 pi (b - centre), padded with zeros */
    const R *in_part[4];       /* likewise: the input's part of the sinc's argument */
    const int32_t *order;      /* [n_tiles*tile] element of the input, -1: padding */
    const ndft_centre *centre; /* [n_tiles] */
    const R *raw[4];           /* [outputs] exact coordinates */
    const R *out_part[4];      /* [outputs] */
    int tile, n_tiles, split;
    int64_t outputs;
    ndft_strides in, out;
    ndft_complex<R> *parts; /* [split][coil][outputs], when split > 1 */
};

template <class W>
__device__ void stage(const direction<typename W::R> &s, int t,
                      const ndft_complex<typename W::R> *in, typename W::R *tile)
{
    for (int i = threadIdx.x; i < s.tile; i += blockDim.x) {
        const int64_t at = (int64_t)t * s.tile + i;
        const int element = s.order[at];
        ndft_complex<typename W::R> z = {0, 0};
        if (element >= 0) z = in[element * s.in.element];
#pragma unroll
        for (int d = 0; d < W::DIM; d++) tile[d * s.tile + i] = s.offset[d][at];
        tile[W::DIM * s.tile + i] = s.offset[3][at];
        tile[(W::DIM + 1) * s.tile + i] = z.re;
        tile[(W::DIM + 2) * s.tile + i] = z.im;
#pragma unroll
        for (int d = 0; d < W::IN_PARTS; d++)
            tile[(W::DIM + 3 + d) * s.tile + i] = s.in_part[d][at];
    }
}

template <class W>
__device__ void load_outputs(const direction<typename W::R> &s, int64_t first, W &walk)
{
#pragma unroll
    for (int o = 0; o < W::OUTPUTS; o++) {
        int64_t at = first + (int64_t)o * blockDim.x;
        if (at >= s.outputs) at = s.outputs - 1;
#pragma unroll
        for (int d = 0; d < W::DIM; d++) walk.a[o][d] = s.raw[d][at];
        walk.a[o][W::DIM] = s.raw[3][at];
#pragma unroll
        for (int d = 0; d < W::OUT_PARTS; d++) walk.part[o][d] = s.out_part[d][at];
    }
}

template <class W>
__global__ void tiled(direction<typename W::R> s, const ndft_complex<typename W::R> *in,
                      ndft_complex<typename W::R> *out)
{
    using R = typename W::R;
    extern __shared__ __align__(16) unsigned char shared[];
    R *tile = (R *)shared;
    const int64_t first = (int64_t)blockIdx.x * blockDim.x * W::OUTPUTS + threadIdx.x;
    W walk;
    ndft_complex<R> total[W::OUTPUTS] = {};
    load_outputs(s, first, walk);
    in += blockIdx.y * s.in.coil;
    const int begin = (int)((int64_t)s.n_tiles * blockIdx.z / s.split);
    const int end = (int)((int64_t)s.n_tiles * (blockIdx.z + 1) / s.split);
    for (int t = begin; t < end; t++) {
        __syncthreads();
        stage<W>(s, t, in, tile);
        __syncthreads();
        walk.clear();
        walk.over(tile, s.tile, s.tile);
#pragma unroll
        for (int o = 0; o < W::OUTPUTS; o++) {
            const ndft_complex<R> turn = ndft_centre_phasor<R, W::DIM>(walk.a[o], s.centre[t]);
            ndft_accumulate(total[o], turn.re, turn.im, walk.sum[o]);
        }
    }
    const bool whole = s.split == 1;
    ndft_complex<R> *to = whole ? out + blockIdx.y * s.out.coil
                                : s.parts + (blockIdx.z * gridDim.y + blockIdx.y) * s.outputs;
#pragma unroll
    for (int o = 0; o < W::OUTPUTS; o++) {
        const int64_t at = first + (int64_t)o * blockDim.x;
        if (at < s.outputs) to[whole ? at * s.out.element : at] = total[o];
    }
}

template <class R>
using kernel = void (*)(direction<R>, const ndft_complex<R> *, ndft_complex<R> *);

/* The polynomial sinc goes with the hardware's sine; libm's sine with libm's sinc. */
template <class R, bool HARDWARE>
kernel<R> choose_kernel(int dim, int dephasing, bool to_voxels, int outputs)
{
    constexpr int POLY = HARDWARE ? NDFT_SINC_POLY : NDFT_SINC_EXACT;
    return ndft_choose<1, 2, 3>(dim, [&](auto dims) {
        return ndft_choose<1, 2, 4, 8>(outputs, [&](auto outs) -> kernel<R> {
            constexpr int D = decltype(dims)::value, O = decltype(outs)::value;
            if (dephasing == NDFT_NO_SINC)
                return tiled<ndft_walk<R, D, NDFT_NO_SINC, false, O, HARDWARE>>;
            if (dephasing == NDFT_SINC_POLY)
                return to_voxels ? tiled<ndft_walk<R, D, POLY, true, O, HARDWARE>>
                                 : tiled<ndft_walk<R, D, POLY, false, O, HARDWARE>>;
            return to_voxels ? tiled<ndft_walk<R, D, NDFT_SINC_EXACT, true, O, HARDWARE>>
                             : tiled<ndft_walk<R, D, NDFT_SINC_EXACT, false, O, HARDWARE>>;
        });
    });
}

template <class R>
kernel<R> choose_arithmetic(int sincos, int dim, int dephasing, bool to_voxels, int outputs)
{
    if constexpr (sizeof(R) == sizeof(float))
        if (sincos != SINCOS_LIBM)
            return choose_kernel<R, true>(dim, dephasing, to_voxels, outputs);
    return choose_kernel<R, false>(dim, dephasing, to_voxels, outputs);
}

template <class R> struct tiled_plan : ndft_base_plan {
    int threads;
    unsigned coils;
    struct {
        direction<R> side;
        kernel<R> run;
        size_t shared;
        dim3 grid;
    } ways[2]; /* forward, adjoint */

    ndft_status prepare(const ndft_problem *p, const int *k, unsigned ops)
    {
        threads = k[THREADS];
        coils = (unsigned)p->coils;
        if (ops & NDFT_FORWARD) NDFT_TRY(prepare_way(p, k, NDFT_FORWARD));
        if (ops & NDFT_ADJOINT) NDFT_TRY(prepare_way(p, k, NDFT_ADJOINT));
        return NDFT_OK;
    }

    ndft_status prepare_way(const ndft_problem *p, const int *k, ndft_op op)
    {
        const bool to_voxels = op == NDFT_ADJOINT;
        const ndft_side from = to_voxels ? NDFT_SAMPLES : NDFT_VOXELS;
        const ndft_side to = to_voxels ? NDFT_VOXELS : NDFT_SAMPLES;
        direction<R> *side = &ways[to_voxels].side;
        side->tile = k[TILE];
        side->outputs = ndft_output_length(p, op);
        side->in = ndft_strides_of(p, ndft_input_length(p, op));
        side->out = ndft_strides_of(p, side->outputs);
        NDFT_TRY(place_inputs(p, from, to_voxels ? 1 : -1, side));
        NDFT_TRY(ndft_place_raw(&arrays, p, to, side->raw));
        NDFT_TRY(ndft_place_parts(&arrays, p, to, {nullptr, side->outputs}, side->outputs,
                                  side->out_part));
        return choose(p, k, to_voxels);
    }

    ndft_status place_inputs(const ndft_problem *p, ndft_side from, double sign, direction<R> *side)
    {
        ndft_tiles tiles;
        if (!ndft_tiles_make(p, from, side->tile, &tiles))
            return ndft_fail(arrays.exec->error, NDFT_ENOMEM, "no host memory to sort inputs");
        side->n_tiles = (int)tiles.n_tiles;
        ndft_status status = ndft_place_tiles(&arrays, p, from, tiles, sign, side->offset,
                                              &side->order, side->in_part, &side->centre);
        ndft_tiles_free(&tiles);
        return status;
    }

    ndft_status choose(const ndft_problem *p, const int *k, bool to_voxels)
    {
        auto &way = ways[to_voxels];
        direction<R> &side = way.side;
        way.run =
            choose_arithmetic<R>(k[SINCOS], p->dim, ndft_dephasing_of(p), to_voxels, k[OUTPUTS]);
        NDFT_TRY(ndft_fits_block(arrays.exec, (const void *)way.run, threads));
        way.shared = ndft_tile_bytes(p, to_voxels, side.tile);
        NDFT_TRY(ndft_allow_shared(arrays.exec, (const void *)way.run, way.shared));
        const unsigned blocks = ndft_blocks(side.outputs, (int64_t)threads * k[OUTPUTS]);
        const int64_t wave = ndft_wave((const void *)way.run, threads, way.shared, arrays.exec);
        side.split =
            k[SPLIT] ? k[SPLIT] : ndft_auto_split((int64_t)blocks * coils, wave, side.n_tiles);
        way.grid = dim3(blocks, coils, (unsigned)side.split);
        if (side.split == 1) return NDFT_OK;
        return ndft_reserve(&arrays, "parts of split sums", side.split * side.outputs * coils,
                            &side.parts);
    }

    ndft_status run(ndft_op op, const void *in, void *out) const
    {
        const auto &way = ways[op == NDFT_ADJOINT];
        auto *to = (ndft_complex<R> *)out;
        const cudaStream_t stream = ndft_stream(arrays.exec);
        way.run<<<way.grid, threads, way.shared, stream>>>(way.side, (const ndft_complex<R> *)in,
                                                           to);
        NDFT_TRY(ndft_launched(arrays.exec, "tiled"));
        if (way.side.split == 1) return NDFT_OK;
        return ndft_join(arrays.exec, way.side.parts, way.side.split, way.side.outputs, coils,
                         way.side.out, to);
    }
};

const char *unfit(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (k[OUTPUTS] != 1 && k[OUTPUTS] != 2 && k[OUTPUTS] != 4 && k[OUTPUTS] != 8)
        return "outputs is built for 1, 2, 4 and 8";
    if (k[TILE] < 4 || k[TILE] > 1024 || k[TILE] % 4) return "tile must be a multiple of 4 to 1024";
    if (k[THREADS] < 32 || k[THREADS] > 1024 || k[THREADS] % 32)
        return "threads must be a multiple of 32 up to 1024";
    if (k[SPLIT] > 64) return "split must be at most 64";
    if (p->prec == NDFT_F64 && k[SINCOS] == SINCOS_HARDWARE)
        return "hardware sine and cosine exist in f32 only";
    if (ndft_tile_bytes(p, true, k[TILE]) > device->shared_bytes)
        return "the tile does not fit into shared memory";
    return nullptr;
}

ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec, void **out)
{
    return p->prec == NDFT_F32 ? ndft_make_plan<tiled_plan<float>>(p, k, ops, exec, out)
                               : ndft_make_plan<tiled_plan<double>>(p, k, ops, exec, out);
}

ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    return ((ndft_base_plan *)state)->prec == NDFT_F32
               ? ((tiled_plan<float> *)state)->run(op, in, out)
               : ((tiled_plan<double> *)state)->run(op, in, out);
}

/* Rounding of the phase left in a tile: three quarters of an ulp of the largest. */
double rounding(const ndft_problem *p, const int *k)
{
    const double eps = p->prec == NDFT_F32 ? 0x1p-24 : 0x1p-53;
    return 0.75 * eps * ndft_tile_remainder(p, k[TILE]);
}

ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const double rows = ndft_tile_rows(p, op == NDFT_ADJOINT);
    const bool hardware = p->prec == NDFT_F32 && k[SINCOS] != SINCOS_LIBM;
    ndft_cost cost = ndft_walk_cost(p, op, hardware);
    const double pairs = ndft_coil_pairs(p, op);
    const double loads = rows / (16 / (double)ndft_real_size(p->prec)); /* of 16 bytes, a pair */
    cost.issue_slots += pairs * (0.25 + (loads + 1.75) / k[OUTPUTS]);   /* staging, the loop */
    cost.shared_bytes = pairs * loads * 8 / k[OUTPUTS]; /* two wavefronts serve a warp's load */
    cost.l2_bytes = pairs * rows * (double)ndft_real_size(p->prec) / (k[OUTPUTS] * k[THREADS]);
    cost.launches = 2;
    return cost;
}

} // namespace

extern "C" const ndft_variant ndft_tiled_cuda = {
    .name = "tiled",
    .backend = "cuda",
    .summary = "input tiles in shared memory, tile-centre phases, outputs in registers",
    .knobs = knobs,
    .n_knobs = sizeof knobs / sizeof *knobs,
    .ops = NDFT_FORWARD | NDFT_ADJOINT,
    .claim = {.a = 0,
              .b = 0.05,
              .c = 16,
              .truncation = rounding,
              .deterministic = true,
              .preserves_input = true},
    .unfit = unfit,
    .plan = plan,
    .execute = execute,
    .destroy = ndft_destroy_plan,
    .cost = cost,
};
