/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline_cufft.cuh"
#include "transform/planar_shape.h"

/*
 * The nonuniform FFT on CUDA: one engine (pipeline_cufft.cuh), whose stages are chosen by knobs. A
 * stage's file says how its work is mapped to threads and what its ceiling is.
 */

namespace
{

const char *const spread_words[] = {"scatter", "subproblem",    "hybrid",
                                    "gather",  "output_driven", "gemm",
                                    "none",    "interleaved",   nullptr};
const char *const interpolate_words[] = {"cells", "subproblem", "output_driven", "interleaved",
                                         "rows",  "gemm",       nullptr};
const char *const transform_words[] = {"cufft", "interleaved", nullptr};
const char *const fft_words[] = {"auto", "vendor", "own", nullptr};
const char *const trajectory_words[] = {"memory", "online", nullptr};
const char *const barrier_words[] = {"point", "batch", "auto", nullptr};
const char *const padding_words[] = {"least", "published", nullptr};

/* In the order of the words; none: NULL. */
const ndft_nufft_stage *const spreads[] = {&ndft_spread_scatter,
                                           &ndft_spread_subproblem,
                                           &ndft_spread_hybrid,
                                           &ndft_spread_gather,
                                           &ndft_spread_output_driven,
                                           &ndft_spread_gemm,
                                           nullptr,
                                           &ndft_spread_interleaved};
const ndft_nufft_stage *const interpolates[] = {
    &ndft_interpolate_cells,       &ndft_spread_subproblem, &ndft_spread_output_driven,
    &ndft_interpolate_interleaved, &ndft_interpolate_rows,  &ndft_spread_gemm};

const ndft_knob knobs[] = {
    NDFT_NUFFT_KNOB_ROWS,
    NDFT_KNOB_WORDS("spread", "samples to the grid", spread_words, 0, (0, 1, 2, 3, 4, 5, 6, 7)),
    NDFT_KNOB_WORDS("interpolate", "samples from the grid", interpolate_words, 0,
                    (0, 1, 2, 3, 4, 5)),
    NDFT_KNOB_WORDS("transform", "of planar or interleaved grids", transform_words, 0, (0, 1)),
    NDFT_KNOB_WORDS("fft", "of planar grids: cuFFT's, inside blocks, or auto by the grid",
                    fft_words, NDFT_FFT_AUTO, (NDFT_FFT_AUTO)),
    /* scatter */
    NDFT_KNOB("length", "cells", "of a tile of the sort along x", 32, (8, 16, 32, 64)),
    NDFT_KNOB("height", "cells", "of a tile of the sort along y and z", 2, (1, 2, 4)),
    NDFT_KNOB("share", "coils", "that a thread takes; 0 chooses", 0, (0, 1, 2, 4, 8)),
    /* subproblem */
    NDFT_KNOB("length", "cells", "of a tile along x, even; 0 chooses", 0, (0, 8, 16, 32, 64)),
    NDFT_KNOB("height", "cells", "of a tile along y and z; 0 chooses", 0, (0, 4, 8, 16, 32)),
    NDFT_KNOB("samples", "", "of a block, a thread each", 128, (64, 128, 256)),
    /* hybrid */
    NDFT_KNOB("tile", "cells", "edge of a warp's tile; 0 chooses by columns", 0, (0, 4, 8)),
    NDFT_KNOB("most", "samples", "of a tile that a warp takes; 0 chooses by dimension", 0,
              (0, 32, 64, 128, 256, 512)),
    NDFT_KNOB_WORDS(
        "trajectory",
        "positions of samples when spreading: read, or computed along lines or an interleaf",
        trajectory_words, NDFT_TRAJECTORY_MEMORY, (NDFT_TRAJECTORY_MEMORY, NDFT_TRAJECTORY_ONLINE)),
    /* gather */
    NDFT_KNOB("cells", "", "of a warp's tile; 0 chooses by columns", 0, (0, 2, 8, 32)),
    NDFT_KNOB("most", "samples", "of a tile that a warp takes", 128, (32, 64, 128, 256)),
    /* output_driven */
    NDFT_KNOB("tile", "cells", "edge of a tile; 0 chooses by dimension", 0, (0, 8, 16, 128)),
    NDFT_KNOB("np", "samples", "of a batch", 32, (1, 4, 16, 32, 64)),
    NDFT_KNOB_WORDS("barrier", "after each sample or each batch; auto chooses by the window",
                    barrier_words, NDFT_BARRIER_AUTO, (NDFT_BARRIER_POINT, NDFT_BARRIER_BATCH)),
    NDFT_KNOB("most", "samples", "of a tile that a block takes; 0 chooses", 0, (0, 64, 256, 1024)),
    NDFT_KNOB_WORDS("padding", "of a tile, beyond its cells: width - 1, or 2 ceil(width / 2)",
                    padding_words, NDFT_PADDING_LEAST,
                    (NDFT_PADDING_LEAST, NDFT_PADDING_PUBLISHED)),
    /* interleaved */
    NDFT_KNOB("length", "cells", "of a tile of the sort along x where nothing is spread", 8,
              (4, 8, 16, 32)),
    NDFT_KNOB("height", "cells", "of a tile of the sort along y and z, likewise", 8, (2, 4, 8, 16)),
    NDFT_KNOB("lanes", "columns", "side by side at most; 0: those of 64 bytes", 0, (0, 2, 4, 8)),
    /* gemm */
    NDFT_KNOB("samples", "", "of a block, a multiple of 32", 256, (64, 128, 256)),
};

static_assert(sizeof knobs / sizeof *knobs == NDFT_CUDA_KNOBS, "a name for each knob");

const ndft_nufft_stage *interpolation(const int *k)
{
    return interpolates[k[NDFT_KNOB_INTERPOLATE]];
}

/* NULL: none. */
const ndft_nufft_stage *spreading(const int *k) { return spreads[k[NDFT_KNOB_SPREAD]]; }

/* Whose samples are sorted first: spreading's, or without it interpolation's. */
const ndft_nufft_stage *leading(const int *k)
{
    return spreading(k) ? spreading(k) : interpolation(k);
}

double truncation(const ndft_problem *p, const int *k)
{
    const ndft_nufft_stage *stage = leading(k);
    return (stage->truncation ? stage->truncation : ndft_nufft_truncation)(p, k);
}

double worst(const ndft_problem *p, ndft_op op, const int *k)
{
    const ndft_nufft_stage *stage = leading(k);
    return (stage->worst ? stage->worst : ndft_nufft_any)(p, op, k);
}

ndft_traits traits(const int *k)
{
    const ndft_nufft_stage *stage = leading(k);
    const ndft_claim claim = {.c = stage->c,
                              .truncation = truncation,
                              .sums = ndft_nufft_sums,
                              .by_chance = true,
                              .any = {.chain = ndft_no_chain, .truncation = worst},
                              .deterministic = stage->deterministic};
    const bool planar = k[NDFT_KNOB_TRANSFORM] == NDFT_TRANSFORM_CUFFT;
    const uint32_t common = ((1u << NDFT_SCATTER_LENGTH) - 1) & ~(planar ? 0 : 1u << NDFT_KNOB_FFT);
    const unsigned ops = spreading(k) ? NDFT_FORWARD | NDFT_ADJOINT : NDFT_FORWARD;
    return {stage->summary, ops, claim, ndft_nufft_stages(stage),
            common | stage->knobs | interpolation(k)->knobs};
}

/* Whether the stages chosen have grids of one layout. */
const char *layouts_differ(const int *k)
{
    const bool interleaved = k[NDFT_KNOB_TRANSFORM] == NDFT_TRANSFORM_INTERLEAVED;
    const bool reads_them = interpolation(k)->transform != nullptr;
    const bool fills_them = spreading(k) && spreading(k)->transform;
    if (reads_them && spreading(k) && !fills_them)
        return "interpolate=interleaved reads interleaved grids, and spreading fills planar ones; "
               "spread=interleaved or none would do";
    if (fills_them && !reads_them)
        return "spread=interleaved fills interleaved grids, which interpolate=interleaved alone "
               "reads";
    if (reads_them && !interleaved)
        return fills_them ? "spread=interleaved fills interleaved grids, and transform=cufft is "
                            "for planar ones; transform=interleaved would do"
                          : "interpolate=interleaved reads interleaved grids, and transform=cufft "
                            "makes planar ones";
    if (interleaved && !reads_them)
        return "transform=interleaved makes interleaved grids, which interpolate=interleaved alone "
               "reads";
    if (!spreading(k) && !reads_them) return "spread=none is for interleaved grids alone";
    return nullptr;
}

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    const ndft_nufft_stage *stage = leading(k), *other = interpolation(k);
    const char *why = layouts_differ(k);
    if (!why && k[NDFT_KNOB_FFT] == NDFT_FFT_OWN) why = ndft_nufft_lines_unsupported(p, k);
    if (!why) why = stage->unsupported(p, device, k);
    return why || other == stage || !other->unsupported ? why : other->unsupported(p, device, k);
}

/* Where nothing is spread, a stage that sorts samples for interpolation leads. */
ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec, void **out)
{
    const bool reads_alone = ops == NDFT_FORWARD && interpolation(k)->tile;
    return ndft_nufft_plan_cuda(reads_alone ? interpolation(k) : leading(k), interpolation(k), p, k,
                                ops, exec, out);
}

ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    return (op == NDFT_ADJOINT ? leading(k) : interpolation(k))->cost(p, op, k);
}

ndft_cost weighed(const ndft_problem *p, ndft_op op, const int *k)
{
    const ndft_nufft_stage *stage = op == NDFT_ADJOINT ? leading(k) : interpolation(k);
    return (stage->weighed ? stage->weighed : stage->cost)(p, op, k);
}

} // namespace

extern "C" const ndft_variant ndft_nufft_cuda = {
    .name = "nufft",
    .backend = "cuda",
    .summary = "nonuniform FFT with any choice of stages; its schemes are those named nufft_...",
    NDFT_KNOBS(knobs),
    .decays = true,
    .higher = true,
    .unsupported = unsupported,
    .plan = plan,
    .execute = ndft_nufft_execute_cuda,
    .destroy = ndft_nufft_destroy_cuda,
    .take_maps = ndft_nufft_take_maps_cuda,
    .cost = cost,
    .weighed = weighed,
    .stages = ndft_nufft_planar_stages,
    .chosen = ndft_nufft_chosen_cuda,
    .traits = traits,
};
