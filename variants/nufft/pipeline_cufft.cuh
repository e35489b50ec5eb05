/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_PIPELINE_CUFFT_CUH
#define NDFT_NUFFT_PIPELINE_CUFFT_CUH

#include "cuda_knobs.h"
#include "nufft/field/field.h"
#include "nufft/image/image.cuh"
#include "nufft/order/samples.cuh"
#include "nufft/transform/grid_fft_cufft.cuh"
#include "nufft/window/weights.cuh"

/*
 * The nonuniform FFT on CUDA but for its convolution, which is done by stages of which one can be
 * chosen for another:
 *
 *     forward   pad: image, deapodised, with zeros around it; FFT exp(-i); interpolate at samples
 *     adjoint   zero the grid; spread samples; FFT exp(+i); crop: grid to image, deapodised
 *
 * Columns (coils times rank terms) go through in passes of as many as memory allows. A stage
 * brings spread or interpolate, and says how it wants samples sorted; two that differ in that have
 * samples sorted for each.
 *
 * What a kernel of a stage gets, by value and together in an ndft_nufft_view (view.cuh):
 *
 *     samples   number, first cell and place s of each, sorted by tile, and where tiles begin
 *               (samples.cuh); weights of a sample's cells from s by ndft_weigh (weights.cuh)
 *     pass      which coils and terms are columns of the grid now (image.cuh)
 *     grid      its cells, sizes and strides; cells of a sample wrap around at the edges
 *     data      of sample number j and coil c: [j * element + c * coil] of the strides given
 *     rank      ndft_rank_sample(rank, j, q, l) is the weight of a sample in a term: its conjugate
 *               in spread, as it is in interpolate; 1 without a field map (rank.place NULL)
 */

struct ndft_nufft_stage;

struct ndft_nufft_plan : ndft_base_plan {
    const ndft_nufft_stage
        *stage; /* by which its samples are sorted: spreading's, if there is one */
    const ndft_problem *problem;
    ndft_nufft_shape shape;
    ndft_nufft_samples samples;
    ndft_nufft_image image;
    ndft_nufft_grid grid;
    ndft_nufft_rank rank;
    ndft_strides data; /* of samples */
    const void *table; /* the window's weights, as ndft_weights has it */
    int density;
    int share; /* coils of a thread that has a sample */
    ndft_grid_fft *fft;
    void *own; /* what the stage keeps; freed with the plan */

    const ndft_nufft_stage *interpolation;
    ndft_nufft_plan *reader; /* the plan by which it reads the same grids: NULL for this one */
};

/*
 * A way to spread, to interpolate, or both. spread adds (or writes, if it overwrites) to the grids
 * of a pass the samples' data times their conjugate weights in its terms. interpolate writes (or if
 * the pass joins, adds to) the samples, summed over its terms. One that has `transform` has grids
 * of its own, interleaved, whose strides are its own, too: fit makes the shape what they can have,
 * prepare makes them, and transform goes from an image to the transformed grids of a pass. spread,
 * interpolate and transform only launch, on the plan's stream.
 */
struct ndft_nufft_stage {
    const char *summary; /* of the scheme that is named by it */
    uint32_t knobs;      /* bits of those that matter to it alone */
    double c;            /* of the claim, whose truncations are the family's where these are NULL */
    double (*truncation)(const ndft_problem *, const int *knobs);
    double (*worst)(const ndft_problem *, ndft_op, const int *knobs);
    bool deterministic;
    bool overwrites; /* spread writes every cell of the pass, so that the grid is not zeroed */
    /* Of the sort; NULL: any will do. */
    void (*tile)(const ndft_nufft_shape *, const int *knobs, int tile[3]);
    size_t own_bytes; /* of what it keeps, zeros until prepare fills it; 0: nothing */
    ndft_status (*prepare)(ndft_nufft_plan *, const int *knobs);
    ndft_status (*fit)(ndft_nufft_shape *, ndft_prec, ndft_error *); /* NULL: as it is */
    ndft_status (*transform)(const ndft_nufft_plan *, const ndft_nufft_pass *, const void *in);
    ndft_status (*spread)(const ndft_nufft_plan *, const ndft_nufft_pass *, const void *in);
    ndft_status (*interpolate)(const ndft_nufft_plan *, const ndft_nufft_pass *, void *out);
    void (*chosen)(const ndft_nufft_plan *, char *text, size_t size); /* beside; NULL: nothing */
    const char *(*unsupported)(const ndft_problem *, const ndft_device *, const int *knobs);
    ndft_cost (*cost)(const ndft_problem *, ndft_op, const int *knobs);
};

/* Bits of the knobs first to last. */
constexpr uint32_t ndft_knob_bits(int first, int last) { return (2u << last) - (1u << first); }

extern const ndft_nufft_stage ndft_spread_scatter, ndft_spread_subproblem, ndft_spread_hybrid,
    ndft_spread_gather, ndft_spread_output_driven, ndft_spread_gemm;
extern const ndft_nufft_stage ndft_interpolate_cells, ndft_interpolate_interleaved;

template <class R, int W = NDFT_MAX_WIDTH>
ndft_weights<R, W> ndft_weights_of(const ndft_nufft_plan *plan)
{
    return ndft_weights_make<R, W>(&plan->shape.window, plan->density, plan->table);
}

/* The stages of its timing: for planar grids, and as a stage has them. */
extern const char *const ndft_nufft_planar_stages[];
const char *const *ndft_nufft_stages(const ndft_nufft_stage *);

/* stage: spreading's; interpolation's where nothing is spread. */
ndft_status ndft_nufft_plan_cuda(const ndft_nufft_stage *stage,
                                 const ndft_nufft_stage *interpolation, const ndft_problem *,
                                 const int *knobs, ndft_exec *, void **plan);

ndft_status ndft_nufft_execute_cuda(void *plan, ndft_op, const void *in, void *out);
void ndft_nufft_destroy_cuda(void *plan);
void ndft_nufft_chosen_cuda(const void *plan, char *text, size_t size);

#endif
