/* SPDX-License-Identifier: Apache-2.0 */
#include "coil_mma.cuh"
#include "core/shares_cost.h"
#include "phase/worst_entry.h"

/*
 * Coils as the columns of a matrix product S (J x C) = E (J x N) X (N x C): every phasor is made
 * once, in the registers of a warp and as the A fragment of the tensor cores' multiply, and serves
 * all coils of a group. The complex product is four real ones, or three (ndft_coil_gauss); c = cos
 * and s = sin multiply the same data. Operands are split into two parts of f16 or tf32, of whose
 * products three are formed.
 *
 * Inputs lie in compact tiles, as in tiled: what is left of the phase within a tile is small, and
 * the centre's phasor rotates the tile's sum as it joins the total in f32. That flush is needed
 * anyhow, for tensor cores truncate: without it the error grows with the length of the sum. With
 * many coils the tensor cores are the ceiling, with few the special-function unit.
 */

namespace
{

const char *const mode_words[] = {"f16x3", "f16x1", "tf32x3", nullptr};
const char *const unit_words[] = {"auto", "mma", "wgmma", nullptr};
enum { MODE, UNIT, TILE }; /* knobs, in order */

const ndft_knob knobs[] = {
    NDFT_KNOB_WORDS("mode", "operands' type and how many products are formed of their parts",
                    mode_words, NDFT_COIL_F16X3,
                    (NDFT_COIL_F16X3, NDFT_COIL_F16X1, NDFT_COIL_TF32X3)),
    NDFT_KNOB_WORDS(
        "unit",
        "tensor instructions: mma.sync of a warp, or wgmma of four on compute capability 9.0",
        unit_words, NDFT_COIL_AUTO, (NDFT_COIL_AUTO, NDFT_COIL_MMA, NDFT_COIL_WGMMA)),
    NDFT_KNOB("tile", "inputs", "inputs that share a centre; 0 chooses", 0, (0, 128, 256, 512)),
};

ndft_coil_shape shape(const ndft_problem *p, const ndft_device &device, const int *k)
{
    return ndft_coil_shape(p, device, k[MODE], k[UNIT], k[TILE]);
}

struct coil_plan : ndft_base_plan {
    int mode;
    struct {
        ndft_coil_side side;
        ndft_coil_kernel kernel;
    } launches[2]; /* forward, adjoint */

    ndft_status prepare(const ndft_problem *p, const int *k, unsigned ops)
    {
        const ndft_coil_shape want = shape(p, arrays.exec->device, k);
        mode = want.mode;
        if (ops & NDFT_FORWARD) NDFT_TRY(prepare_direction(p, want, NDFT_FORWARD));
        if (ops & NDFT_ADJOINT) NDFT_TRY(prepare_direction(p, want, NDFT_ADJOINT));
        return NDFT_OK;
    }

    ndft_status prepare_direction(const ndft_problem *p, const ndft_coil_shape &want, ndft_op op)
    {
        const bool to_voxels = op == NDFT_ADJOINT;
        auto &launch = launches[to_voxels];
        launch.kernel = arrays.exec->device.code == 90
                            ? ndft_coil_choose_sm90a(want, to_voxels)
                            : ndft_coil_choose_mma<ndft_coil_copies>(want, to_voxels);
        launch.side.tile = want.tile;
        launch.side.chunk = want.chunk();
        launch.side.rows = want.rows(to_voxels);
        launch.side.coils = p->coils;
        launch.side.blocks = want.blocks;
        launch.side.groups = want.groups(p);
        launch.side.form = launch.kernel.form;
        launch.side.cuts = launch.kernel.cuts;
        launch.side.in = ndft_strides_of(p, ndft_input_length(p, op));
        NDFT_TRY(ndft_coil_place_inputs(&arrays, p, to_voxels ? NDFT_SAMPLES : NDFT_VOXELS,
                                        want.dim, &launch.side));
        NDFT_TRY(ndft_coil_place_outputs(&arrays, p, to_voxels ? NDFT_VOXELS : NDFT_SAMPLES,
                                         want.dim, &launch.side));
        return place_work(p, op);
    }

    ndft_status place_work(const ndft_problem *p, ndft_op op)
    {
        auto &launch = launches[op == NDFT_ADJOINT];
        ndft_coil_side &side = launch.side;
        const int64_t tiles = (int64_t)side.groups * side.n_tiles;
        const int64_t length = ndft_output_length(p, op);
        const int block = launch.kernel.block, columns = side.blocks * NDFT_COIL_COLUMNS;
        const int64_t blocks = ndft_blocks(length, block);
        NDFT_TRY(
            ndft_reserve(&arrays, "split data", tiles * side.data_bytes(mode) / 16, &side.data));
        NDFT_TRY(ndft_reserve(&arrays, "scales of data", tiles, &side.unscale));
        return ndft_split_make(
            &arrays, (const void *)launch.kernel.run, launch.kernel.threads,
            (size_t)launch.kernel.shared, side.groups, side.n_tiles,
            {nullptr, length, blocks, block, ndft_strides_of(p, length), columns, p->coils}, false,
            &side.split);
    }

    ndft_status run(ndft_op op, const void *in, void *out) const
    {
        const auto &launch = launches[op == NDFT_ADJOINT];
        const ndft_coil_side &side = launch.side;
        auto *to = (ndft_complex<float> *)out;
        const dim3 tiles((unsigned)side.n_tiles, (unsigned)side.groups);
        const cudaStream_t stream = ndft_stream(arrays.exec);
        const auto split = mode == NDFT_COIL_F16X3   ? ndft_coil_data<NDFT_COIL_F16X3>
                           : mode == NDFT_COIL_F16X1 ? ndft_coil_data<NDFT_COIL_F16X1>
                                                     : ndft_coil_data<NDFT_COIL_TF32X3>;
        const int items = side.tile / 4 * side.blocks * NDFT_COIL_COLUMNS;
        split<<<tiles, min(items, (int)NDFT_COIL_DATA_THREADS), 0, stream>>>(
            side, (const ndft_complex<float> *)in);
        NDFT_TRY(ndft_launched(arrays.exec, "the splitting of data"));
        launch.kernel.run<<<(unsigned)side.split.shares.blocks, launch.kernel.threads,
                            launch.kernel.shared, stream>>>(side, to);
        NDFT_TRY(ndft_launched(arrays.exec, "coil_gemm"));
        return ndft_join(arrays.exec, side.split, to);
    }

    void chosen(char *text, size_t size) const
    {
        const ndft_coil_side &side = launches[launches[0].side.tile ? 0 : 1].side;
        ndft_chosen_one(text, size, "tile", side.tile);
        ndft_chosen_one(text, size, "wgmma",
                        side.form == NDFT_COIL_FOUR_NEGATED || side.form >= NDFT_COIL_THREE_WGMMA);
        ndft_chosen_one(text, size, "products", side.form >= NDFT_COIL_THREE ? 3 : 4);
        ndft_chosen_one(text, size, "columns", side.blocks * NDFT_COIL_COLUMNS);
        ndft_chosen_directions(text, size, "blocks", launches[0].side.split.shares.blocks,
                               launches[1].side.split.shares.blocks);
    }
};

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (p->prec != NDFT_F32) return "it is built for f32 only";
    if (ndft_phase_range_exceeded(p)) return ndft_phase_range_exceeded(p);
    if (device->capability < 80) return "it needs tensor cores of compute capability 8.0";
    if (p->decay && ndft_has_gradients(p)) return "with gradient maps it has no decay (R2*)";
    if (!ndft_coil_built(k[MODE], ndft_is_weighted(p)))
        return "with gradients or decay it is built for f16x3; -DNDFT_ALL=ON builds all modes";
    const int chunk = shape(p, *device, k).chunk();
    if (k[TILE] % chunk || k[TILE] > 1024)
        return chunk == 256   ? "tile must be a multiple of 256 up to 1024"
               : chunk == 128 ? "tile must be a multiple of 128 up to 1024"
                              : "tile must be a multiple of 64 up to 1024";
    if (k[UNIT] == NDFT_COIL_WGMMA && device->code != 90)
        return "wgmma needs code built for compute capability 9.0";
    if (k[UNIT] == NDFT_COIL_WGMMA && k[MODE] == NDFT_COIL_TF32X3)
        return "wgmma is built for f16 only";
    if (k[UNIT] == NDFT_COIL_WGMMA && p->decay) return "wgmma is built without decay (R2*)";
    if (k[UNIT] == NDFT_COIL_WGMMA && ndft_dephasing_of(p) == NDFT_SINC_EXACT)
        return "wgmma is built for sincs by polynomial only";
    if (device->shared_bytes < 96 << 10) return "it needs 96 KiB of shared memory";
    return nullptr;
}

/* Rounding of the phase left in a tile, three quarters of an ulp of the largest; and of operands
 * and of the sums in tensor cores. */
double rounding(const ndft_problem *p, const int *k)
{
    const double products = k[MODE] == NDFT_COIL_F16X1 ? 0x1p-10 : 4e-6;
    const ndft_device device = {.units = 132, .capability = 90, .code = 90};
    const int tile = k[TILE] ? k[TILE] : shape(p, device, k).longest();
    return 0.75 * 0x1p-24 * ndft_tile_remainder(p, tile) + products;
}

/* Instructions that a lane issues to multiply a phasor, by the machine code: a step has eight. */
double product_slots(const ndft_coil_shape &want)
{
    const double products = want.mode == NDFT_COIL_F16X1 ? 1 : 3, parts = products > 1 ? 2 : 1;
    const double substeps = want.mode == NDFT_COIL_TF32X3 ? 2 : 1;
    if (want.wgmma && want.gauss) /* with descriptors */
        return 17 / 8.0;
    if (want.wgmma) return (5 * products + 12) / 8;
    if (want.gauss) return (want.blocks * 12 + 15) / 8.0;
    /* with ldmatrix, -s and the loop */
    return (substeps * (want.blocks * (4 * products + parts) + 4 * parts) + 10) / 8;
}

ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const ndft_device device = {.units = 132, .capability = 90, .code = 90};
    const ndft_coil_shape want = shape(p, device, k);
    const bool single = want.mode == NDFT_COIL_F16X1, f16 = want.mode != NDFT_COIL_TF32X3;
    const double inputs = (double)ndft_input_length(p, op), groups = want.groups(p);
    const double phasors = inputs * (double)ndft_output_length(p, op) * groups;
    const bool sincs = ndft_has_gradients(p);
    const double axes = sincs ? want.dim : 0, columns = 8 * want.blocks;
    const double rows = want.rows(op == NDFT_ADJOINT);
    const bool grid = want.wgmma && want.gauss, shifted = grid && want.blocks == 8;
    const double values =
        want.gauss && !grid ? 3 : 2; /* split of a phasor: c, s and perhaps c + s */
    const double data =
        (f16 ? 4 : 8) * (single ? 1 : 2) * (want.wgmma || want.gauss ? 1.5 : 1) * columns;
    ndft_cost cost = {};
    cost.tensor = phasors * (want.gauss ? 3 : 4) * (single ? 1 : 3) * columns;
    cost.special = 2 * phasors;
    if (p->decay) cost.fma = 13 * phasors;
    cost.fma += phasors * (want.dim + 2 + (axes > 0 ? 2 + 10 * axes : 0)); /* with FMUL.RZ */
    cost.fma += phasors * (10 + 5 * want.dim + (want.gauss ? 6 : 4) * columns) /
                want.tile; /* turns, rotation */
    /* Remainders and Gauss's sum; on a grid it is that of both parts, packed, as the rounding is.
     */
    cost.add = single ? 0 : phasors * (values + (shifted ? 3 : grid ? 2 : want.gauss ? 1 : 0));
    cost.integer = phasors * (single ? 1 : 2 * values); /* parts: packing and unpacking */
    /* Sums of low parts apart join the others: unpacked, and a multiply-add each. */
    const bool apart = want.wgmma && want.mode == NDFT_COIL_F16X3 && !sincs && want.blocks < 8;
    const double join = apart ? phasors * (want.gauss ? 3 : 2) * columns / want.tile : 0;
    cost.fma += join;
    cost.integer += join;
    cost.issue_slots = cost.fma + cost.add + cost.integer + cost.special +
                       phasors * (product_slots(want) + (rows + 4) / 8 + 40.0 / want.tile);
    if (want.dephasing == NDFT_SINC_EXACT) ndft_exact_sinc_cost(phasors * axes, &cost);
    /* Four wavefronts to a load of 16 bytes, whatever lanes share. */
    cost.shared_bytes = phasors * (2 * rows + data / (want.wgmma ? 64 : 16));
    if (want.wgmma && want.gauss)
        cost.shared_bytes += phasors * columns * 16 / want.tile; /* sums of tiles */
    const double block = want.block(), length = (double)ndft_output_length(p, op);
    cost.l2_bytes = phasors * (data + 4 * rows) / block;
    cost.dram_bytes =
        ndft_both_bytes(p) + inputs * (groups * data + 4 * rows) + length * 16 * (axes > 0 ? 2 : 1);
    cost.launches = 2;
    const ndft_cuts cuts = ndft_cuts_of(ceil(length / block) * groups, inputs / want.tile,
                                        (block == 128 ? 2 : 1) * NDFT_COUNTED_UNITS);
    ndft_join_cost(cuts, block * fmin(columns, p->coils) * (double)sizeof(float2), &cost);
    return cost;
}

/* A step of tensor cores is cut off by two units of its sum, once for each of three products of 8
 * to 16 inputs: fewer units than inputs. Low parts' own sums in f16 come to 2^-10 of the whole, and
 * are cut off by 2^-10 of themselves twice in 16 inputs, at half of their size on the mean: as many
 * units as inputs. */
double chain(const ndft_problem *p, ndft_op op, const int *k)
{
    return ndft_cut_chain(p, op, k[TILE] ? k[TILE] : 512);
}

/* One part of f16 is 2^-12 off, of either operand, in both components. */
double worst(const ndft_problem *, ndft_op, const int *k)
{
    return k[MODE] == NDFT_COIL_F16X1 ? 0x1p-10 : 0;
}

} // namespace

extern "C" const ndft_variant ndft_coil_gemm_cuda = {
    .name = "coil_gemm",
    .backend = "cuda",
    .summary = "phasors made as operands of tensor cores, coils as columns, sums flushed to f32",
    NDFT_KNOBS(knobs),
    .decays = true,
    .off_grid = true,
    .claim = {.b = 0.05,
              .c = 16,
              .truncation = rounding,
              .any = {.a = NDFT_ANY_OFFSET_HARDWARE,
                      .c = NDFT_ANY_CENTRE + NDFT_ANY_HARDWARE + NDFT_ANY_GRID + NDFT_ANY_PRODUCT,
                      .chain = chain,
                      .truncation = worst},
              .deterministic = true},
    .unsupported = unsupported,
    NDFT_BASE_PLAN(coil_plan),
    .cost = cost,
    .chosen = ndft_chosen_plan,
};
