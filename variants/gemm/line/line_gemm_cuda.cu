/* SPDX-License-Identifier: Apache-2.0 */
#include "core/shares_cost.h"
#include "line_adjoint.cuh"
#include "line_boxes.h"
#include "line_forward_boxes.cuh"
#include "line_forward_coils.cuh"
#include "line_kernels.cuh"
#include "line_largest.cuh"
#include "phase/worst_entry.h"

#include "base/variant.h"

#include <cmath>

/*
 * Samples in uniform lines: along a line the phase of a voxel is linear in the sample's number,
 * field map and all, so that one step of few samples times one of many makes every phasor and the
 * sum becomes a matrix product on tensor cores (line_tile.cuh). Both operands, or one in the
 * adjoint, are made in registers and split into f16 parts; three products of f16 and sums that
 * leave the tensor cores every 64 voxels, or line, keep f32's accuracy. What bounds it is
 * issuing the instructions that make the operands, beside which products are not free. The forward
 * sum makes fewer of them where voxels go in boxes of near ones (line_forward_boxes.cuh). Where the
 * device has wgmma, it serves the adjoint of one coil in pieces of 512 (line_gemm_sm90a.cu).
 */

namespace
{

enum { TILE }; /* the only knob */

const ndft_knob knobs[] = {
    NDFT_KNOB("tile", "samples",
              "samples of a line that are taken together; 0 chooses by the lines' length", 0,
              (0, 128, 256, 512)),
};

/* Instructions of a warp for 32 voxels, a piece of a line and a coil, by the machine code (and
 * bytes of shared memory a voxel, by counters where the tile is 512): where one coil is taken at a
 * time, and where several share operands. Forward, without boxes. */
struct counted {
    double slots, fma, add, special, integer, shared_bytes;
};
struct tile_cost {
    int tile;
    counted forward[2], adjoint[2];
};
const tile_cost tiles[] = {
    {128,
     {{296, 68, 34, 34, 93, 144}, {191, 39, 21, 9, 79, 264}},
     {{220, 84, 18, 20, 58, 100}, {95, 45, 5, 5, 19, 25}}},
    {256,
     {{366, 88, 50, 34, 149, 144}, {264, 59, 37, 9, 104, 264}},
     {{281, 126, 18, 22, 60, 110}, {130, 68, 5, 6, 17, 28}}},
    {512,
     {{394, 146, 2, 36, 115, 180}, {354, 80, 41, 9, 135, 352}},
     {{345, 100, 33, 35, 125, 201}, {185, 74, 9, 6, 32, 33}}},
};

/* Forward of pieces of 512 where voxels are in boxes, of 256: as it mostly is. */
const counted in_boxes = {278, 95, 2, 35, 78, 180};
enum { BOX_TENSOR = 16 * 16 * 3 + 8 * 32, BOX_BLOCKS = 4 }; /* of a voxel; of a multiprocessor */

/* The tile asked for, or the one that serves a line in the fewest slots. */
const tile_cost &tile_of(const ndft_problem *p, const int *k)
{
    const tile_cost *best = tiles;
    double fewest = INFINITY;
    for (const tile_cost &t : tiles) {
        if (k[TILE] == t.tile) return t;
        const double slots =
            ndft_cut_lines(p->structure.line_length, t.tile).pieces * t.forward[0].slots;
        if (slots < fewest) best = &t;
        fewest = fmin(fewest, slots);
    }
    return *best;
}

using forward_kernel = void (*)(ndft_line_side, const ndft_complex<float> *, ndft_complex<float> *);

/* Coils that a block takes together, sharing operands. It takes four in the time of three or two
 * and a half alone, and an incomplete group among others, too: steps are shared as if equal. */
int coils_together(const ndft_problem *p, bool adjoint)
{
    const int groups = (int)ndft_blocks(p->coils, NDFT_LINE_COILS);
    const bool faster = adjoint && groups == 1 ? p->coils > 1 : 3 * groups < p->coils;
    return faster ? NDFT_LINE_COILS : 1;
}

struct kernels {
    forward_kernel forward;
    ndft_line_adjoint_kernels adjoint;
};

template <class T> kernels kernels_of(const ndft_problem *p)
{
    return {coils_together(p, false) == 1 ? ndft_line_forward<T> : ndft_line_forward_coils<T>,
            {coils_together(p, true) == 1 ? ndft_line_adjoint<T, 1>
                                          : ndft_line_adjoint<T, NDFT_LINE_COILS>,
             ndft_fold_lines<T>, T::WORDS}};
}

/* code: the compute capability that kernels were compiled for. */
kernels choose_kernels(const ndft_problem *p, int tile, int code)
{
    if (tile == 128) return kernels_of<ndft_line_tile<1, 2>>(p);
    if (tile == 256) return kernels_of<ndft_line_tile<1, 4>>(p);
    kernels chosen = kernels_of<ndft_line_tile<2, 4>>(p);
    if (code == 90 && coils_together(p, true) == 1) chosen.adjoint = ndft_line_adjoint_sm90a();
    return chosen;
}

struct line_plan : ndft_base_plan {
    kernels serve;
    int coils, tile;
    int64_t inputs[2]; /* components of all coils: forward, adjoint */
    float *largest;
    ndft_line_side directions[2];

    ndft_status prepare(const ndft_problem *p, const int *k, unsigned ops)
    {
        const ndft_line_cut cut = ndft_cut_lines(p->structure.line_length, tile_of(p, k).tile);
        coils = p->coils;
        tile = cut.tile;
        serve = choose_kernels(p, tile, arrays.exec->device.code);
        NDFT_TRY(ndft_reserve(&arrays, "the largest input", 1, &largest));
        if (ops & NDFT_FORWARD) NDFT_TRY(prepare_forward(p, cut));
        if (ops & NDFT_ADJOINT) NDFT_TRY(prepare_adjoint(p, cut));
        return NDFT_OK;
    }

    ndft_status place_voxels(const ndft_problem *p, ndft_line_side *side)
    {
        return ndft_place(&arrays, "voxels", p->n_voxels, &side->voxels,
                          [&](int64_t v) { return ndft_line_voxel_at(p, v); });
    }

    ndft_status place_boxes(const ndft_line_boxes &boxes, const ndft_problem *p,
                            ndft_line_side *side)
    {
        const int64_t places = boxes.steps * boxes.step;
        NDFT_TRY(ndft_place(&arrays, "voxels in boxes", places, &side->voxels,
                            [&](int64_t i) { return ndft_line_voxel_at(p, boxes.places[i]); }));
        NDFT_TRY(ndft_place(&arrays, "places of voxels", places, &side->places,
                            [&](int64_t i) { return boxes.places[i]; }));
        NDFT_TRY(ndft_place(&arrays, "boxes of steps", boxes.steps, &side->box,
                            [&](int64_t i) { return boxes.box[i]; }));
        return ndft_place(&arrays, "centres of boxes", boxes.n, &side->centres, [&](int64_t i) {
            const double(&at)[4] = boxes.centres[i];
            return ndft_line_voxel{{at[0], at[1], at[2], at[3]}};
        });
    }

    /* Voxels in boxes where there are some that are filled well enough: slots and clocks of tensor
     * cores, of a step and of a box, beside those of a step without. */
    ndft_status place_inputs(const ndft_problem *p, const ndft_line_cut &cut, int *steps)
    {
        ndft_line_side *side = &directions[0];
        ndft_line_boxes boxes = {};
        ndft_status status = NDFT_OK;
        *steps = (int)ndft_blocks(p->n_voxels, NDFT_FORWARD_STEP);
        if (tile == ndft_forward_boxes::tile::SAMPLES) {
            if (!ndft_line_boxes_make(p, &cut, NDFT_FORWARD_STEP, NDFT_BOX_REACH, &boxes))
                status = ndft_fail(arrays.exec->error, NDFT_ENOMEM, "no host memory for boxes");
            else if (boxes.n > 0 && 660 * boxes.steps + 380 * boxes.n < 1480 * (int64_t)*steps)
                status = place_boxes(boxes, p, side);
        }
        if (side->places) *steps = (int)boxes.steps;
        ndft_line_boxes_free(&boxes);
        if (status != NDFT_OK || side->voxels) return status;
        return place_voxels(p, side);
    }

    ndft_status prepare_side(const ndft_problem *p, ndft_op op, const ndft_line_cut &cut)
    {
        ndft_line_side &side = directions[op == NDFT_ADJOINT];
        side.n_voxels = p->n_voxels;
        side.n_lines = (int)ndft_n_lines(p, &cut);
        side.in = ndft_strides_of(p, ndft_input_length(p, op));
        side.most = largest;
        inputs[op == NDFT_ADJOINT] = 2 * p->coils * ndft_input_length(p, op);
        return ndft_place(&arrays, "lines", side.n_lines, &side.lines, [&](int64_t i) {
            return ndft_line_at(p, &cut, i, op == NDFT_ADJOINT ? 1 : -1);
        });
    }

    /* A block's outputs are those of a piece and several coils, or of several pieces. */
    ndft_status prepare_forward(const ndft_problem *p, const ndft_line_cut &cut)
    {
        NDFT_TRY(prepare_side(p, NDFT_FORWARD, cut));
        ndft_line_side &side = directions[0];
        int steps;
        NDFT_TRY(place_inputs(p, cut, &steps));
        if (side.places) serve.forward = ndft_line_forward_boxes;
        const int together = side.places ? 1 : coils_together(p, false);
        const int pieces = NDFT_LINE_WARPS / together;
        const int64_t blocks = ndft_blocks(side.n_lines, pieces);
        const int block = pieces * cut.tile;
        const int32_t *order = nullptr;
        NDFT_TRY(ndft_place(&arrays, "order of samples", blocks * block, &order, [&](int64_t i) {
            if (i / cut.tile >= side.n_lines) return (int32_t)-1;
            const ndft_line line = ndft_line_at(p, &cut, i / cut.tile, -1);
            const int64_t q = i % cut.tile - line.before;
            return (int32_t)(q >= 0 && q < line.length ? line.first + q : -1);
        }));
        return split(
            (const void *)serve.forward, steps,
            {order, p->n_samples, blocks, block, ndft_strides_of(p, p->n_samples), together, coils},
            &side);
    }

    ndft_status prepare_adjoint(const ndft_problem *p, const ndft_line_cut &cut)
    {
        NDFT_TRY(prepare_side(p, NDFT_ADJOINT, cut));
        ndft_line_side &side = directions[1];
        if (!directions[0].places) side.voxels = directions[0].voxels;
        if (!side.voxels) NDFT_TRY(place_voxels(p, &side));
        NDFT_TRY(ndft_reserve(&arrays, "folded data",
                              (int64_t)coils * side.n_lines * serve.adjoint.fold_threads,
                              &side.folded));
        return split((const void *)serve.adjoint.run, side.n_lines,
                     {nullptr, p->n_voxels, ndft_blocks(p->n_voxels, NDFT_LINE_THREADS),
                      NDFT_LINE_THREADS, ndft_strides_of(p, p->n_voxels), coils_together(p, true),
                      coils},
                     &side);
    }

    ndft_status split(const void *kernel, int steps, const ndft_outputs &outputs,
                      ndft_line_side *side)
    {
        return ndft_split_make(&arrays, kernel, NDFT_LINE_THREADS, 0,
                               ndft_blocks(coils, outputs.columns), steps, outputs, false,
                               &side->split);
    }

    ndft_status run(ndft_op op, const void *from, void *to) const
    {
        const auto *in = (const ndft_complex<float> *)from;
        auto *out = (ndft_complex<float> *)to;
        const bool adjoint = op == NDFT_ADJOINT;
        const ndft_line_side &side = directions[adjoint];
        const unsigned blocks = (unsigned)side.split.shares.blocks;
        const cudaStream_t stream = ndft_stream(arrays.exec);
        NDFT_TRY(ndft_find_largest(arrays.exec, in, inputs[adjoint], largest));
        if (adjoint) {
            const dim3 pieces((unsigned)side.n_lines, (unsigned)coils);
            serve.adjoint.fold<<<pieces, serve.adjoint.fold_threads, 0, stream>>>(side, in);
            NDFT_TRY(ndft_launched(arrays.exec, "the folding of lines"));
            serve.adjoint.run<<<blocks, NDFT_LINE_THREADS, 0, stream>>>(side, out);
        } else {
            serve.forward<<<blocks, NDFT_LINE_THREADS, 0, stream>>>(side, in, out);
        }
        NDFT_TRY(ndft_launched(arrays.exec, "line_gemm"));
        return ndft_join(arrays.exec, side.split, out);
    }

    void chosen(char *text, size_t size) const
    {
        const ndft_shares &forward = directions[0].split.shares,
                          &adjoint = directions[1].split.shares;
        ndft_chosen_one(text, size, "tile", tile);
        ndft_chosen_directions(text, size, "coils_of_block",
                               forward.blocks ? directions[0].split.outputs.columns : 0,
                               adjoint.blocks ? directions[1].split.outputs.columns : 0);
        ndft_chosen_directions(text, size, "blocks", forward.blocks, adjoint.blocks);
    }
};

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (device->capability < 80) return "tensor cores with f32 sums need compute capability 8.0";
    if (k[TILE] != 0 && k[TILE] != 128 && k[TILE] != 256 && k[TILE] != 512)
        return "tile is built for 128, 256 and 512, and 0 chooses";
    if (p->prec == NDFT_F64) return "two parts in f16 make up an f32 at best, not an f64";
    if (!p->structure.line_length) return "its samples lie in no uniform lines";
    if (ndft_has_gradients(p)) return "the sinc of gradient maps is no product along a line";
    if (p->phi_max > ndft_two_pi * 0x1p19)
        return "its phases go beyond 2^19 turns, the most that it reduces";
    return nullptr;
}

ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const tile_cost &tile = tile_of(p, k);
    const ndft_line_cut cut = ndft_cut_lines(p->structure.line_length, tile.tile);
    const double pieces = (double)ndft_n_lines(p, &cut);
    const double visits = pieces * (double)p->n_voxels * p->coils; /* of a voxel and a piece */
    const bool adjoint = op == NDFT_ADJOINT, boxes = !adjoint && tile.tile == 512;
    const bool several = !boxes && coils_together(p, adjoint) > 1;
    const counted &each = boxes ? in_boxes : (adjoint ? tile.adjoint : tile.forward)[several];
    ndft_cost cost = {};
    cost.issue_slots = visits * each.slots;
    cost.fma = visits * each.fma;
    cost.add = visits * each.add;
    cost.special = visits * each.special;
    cost.integer = visits * each.integer;
    cost.tensor = visits * (boxes ? BOX_TENSOR : 6 * tile.tile);
    cost.shared_bytes = visits * each.shared_bytes;
    cost.l2_bytes = visits * (adjoint ? tile.tile / 16.0 : several ? 16 : 10);
    cost.dram_bytes = ndft_both_bytes(p) + (double)p->n_voxels * sizeof(ndft_line_voxel);
    cost.launches = adjoint ? 3 : 2;

    /* A block's outputs: of a warp each a piece and a coil, or of a thread a voxel. */
    const double together = several ? NDFT_LINE_COILS : 1, groups = ceil(p->coils / together);
    const double block =
        adjoint ? (double)NDFT_LINE_THREADS : (double)NDFT_LINE_WARPS / together * tile.tile;
    const double blocks = adjoint ? ceil((double)p->n_voxels / block)
                                  : ceil(pieces * together / (double)NDFT_LINE_WARPS);
    const double steps = adjoint ? pieces : ceil((double)p->n_voxels / (double)NDFT_FORWARD_STEP);
    const double alone = tile.tile == 512 ? 5 : 4; /* blocks that a multiprocessor holds */
    const double wave = (boxes                 ? (double)BOX_BLOCKS
                         : adjoint && !several ? alone
                                               : 3) *
                        NDFT_COUNTED_UNITS;
    const ndft_cuts cuts = ndft_cuts_of(groups * blocks, steps, wave);
    ndft_join_cost(cuts, block * together * (double)sizeof(float2), &cost);
    return cost;
}

/* Worst entries in eps: of one product, and of a box three numbers of a row by their weights. */
constexpr double directly =
    2 * (NDFT_ANY_REDUCED + NDFT_ANY_HARDWARE) + NDFT_ANY_SPLIT + 2 * NDFT_ANY_PRODUCT;
constexpr double by_boxes = 2 * (NDFT_ANY_REDUCED + NDFT_ANY_HARDWARE) +
                            3 * (NDFT_ANY_HARDWARE + NDFT_ANY_SPLIT) + 3 * NDFT_ANY_PRODUCT;

/* Pieces of 512 samples may go by boxes, forward. */
double worst(const ndft_problem *p, ndft_op op, const int *k)
{
    const bool boxes =
        op == NDFT_FORWARD && tile_of(p, k).tile == ndft_forward_boxes::tile::SAMPLES;
    return boxes ? (by_boxes - directly) * ndft_roundoff(p->prec) : 0;
}

} // namespace

extern "C" const ndft_variant ndft_line_gemm_cuda = {
    .name = "line_gemm",
    .backend = "cuda",
    .summary = "uniform lines as matrix products on tensor cores, f16 in two parts",
    NDFT_KNOBS(knobs),
    .off_grid = true,
    .claim = {.b = 0.05,
              .c = 32,
              .any = {.c = directly, .truncation = worst},
              .deterministic = true},
    .unsupported = unsupported,
    NDFT_BASE_PLAN(line_plan),
    .cost = cost,
    .chosen = ndft_chosen_plan,
};
