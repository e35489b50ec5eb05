/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_PIPELINE_CUFFT_CUH
#define NDFT_NUFFT_PIPELINE_CUFFT_CUH

#include "core/early.cuh"
#include "nufft/image/image.cuh"
#include "nufft/order/samples.cuh"
#include "nufft/window/weights.cuh"
#include "shape.h"

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
 * What a kernel of a stage gets, by value and together in an ndft_nufft_view:
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
struct ndft_grid_fft;
struct ndft_nufft_planar;

struct ndft_nufft_plan : ndft_base_plan {
    const ndft_nufft_stage
        *stage; /* by which its samples are sorted: spreading's, if there is one */
    const ndft_problem *problem;
    unsigned ops; /* forward, adjoint, or both: what neither needs is not made */
    ndft_nufft_shape shape;
    ndft_nufft_samples samples;
    ndft_nufft_image image;
    ndft_nufft_grid grid;
    ndft_nufft_rank rank;
    ndft_strides data; /* of samples */
    const void *table; /* the window's weights, as ndft_weights has it */
    int density;
    int share;                 /* coils of a thread that has a sample */
    ndft_grid_fft *fft;        /* by cuFFT, or NULL */
    ndft_nufft_planar *planar; /* inside blocks (transform/planar_fft.cuh), or NULL */
    void *own;                 /* what the stage keeps; freed with the plan */

    const ndft_nufft_stage *interpolation;
    ndft_nufft_plan *reader; /* the plan by which it reads the same grids: NULL for this one */
};

/*
 * A way to spread, to interpolate, or both. spread adds (or writes, if it overwrites) to the grids
 * of a pass the samples' data times their conjugate weights in its terms. interpolate writes (or if
 * the pass joins, adds to) the samples, summed over its terms. One that has `transform` has grids
 * of its own, interleaved, whose strides are its own, too: fit makes the shape what they can have,
 * prepare makes them, transform goes from an image to the transformed grids of a pass, and restore
 * from grids to the image, deapodised. All these only launch, on the plan's stream.
 */
struct ndft_nufft_stage {
    const char *summary; /* of the scheme that is named by it */
    uint32_t knobs;      /* bits of those that matter to it alone */
    double c;            /* of the claim, whose truncations are the family's where these are NULL */
    double (*truncation)(const ndft_problem *, const int *knobs);
    double (*worst)(const ndft_problem *, ndft_op, const int *knobs);
    bool deterministic;
    bool overwrites; /* spread writes every cell of the pass, so that the grid is not zeroed */
    /* Of the sort; NULL: any will do, so that interpolation goes by spreading's. */
    void (*tile)(const ndft_nufft_shape *, const int *knobs, int tile[3]);
    /* Edge of the boxes by which a tile's samples are sorted before their cells; NULL: of a cell.
     */
    int (*box)(const ndft_nufft_shape *);
    size_t own_bytes; /* of what it keeps, zeros until prepare fills it; 0: nothing */
    ndft_status (*prepare)(ndft_nufft_plan *, const int *knobs);
    ndft_status (*fit)(ndft_nufft_shape *, ndft_prec, ndft_error *); /* NULL: as it is */
    ndft_status (*transform)(const ndft_nufft_plan *, const ndft_nufft_pass *, const void *in);
    ndft_status (*restore)(const ndft_nufft_plan *, const ndft_nufft_pass *, void *out);
    ndft_status (*spread)(const ndft_nufft_plan *, const ndft_nufft_pass *, const void *in);
    ndft_status (*interpolate)(const ndft_nufft_plan *, const ndft_nufft_pass *, void *out);
    void (*chosen)(const ndft_nufft_plan *, char *text, size_t size); /* beside; NULL: nothing */
    /* Beside the engine's; NULL: it serves all that spreading does. */
    const char *(*unsupported)(const ndft_problem *, const ndft_device *, const int *knobs);
    ndft_cost (*cost)(const ndft_problem *, ndft_op, const int *knobs);
    ndft_cost (*weighed)(const ndft_problem *, ndft_op, const int *knobs); /* NULL: cost */
};

/* Bits of the knobs first to last. */
constexpr uint32_t ndft_knob_bits(int first, int last) { return (2u << last) - (1u << first); }

extern const ndft_nufft_stage ndft_spread_scatter, ndft_spread_subproblem, ndft_spread_hybrid,
    ndft_spread_gather, ndft_spread_output_driven, ndft_spread_gemm, ndft_spread_interleaved;
extern const ndft_nufft_stage ndft_interpolate_cells, ndft_interpolate_interleaved,
    ndft_interpolate_rows;

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
                                 const int *knobs, unsigned ops, ndft_exec *, void **plan);

ndft_status ndft_nufft_execute_cuda(void *plan, ndft_op, const void *in, void *out);
ndft_status ndft_nufft_take_maps_cuda(void *plan, const void *maps);
void ndft_nufft_destroy_cuda(void *plan);
void ndft_nufft_chosen_cuda(const void *plan, char *text, size_t size);

/* A plan as kernels see it during a pass, and what every convolution asks of it. */

template <class R, int W> struct ndft_nufft_view {
    ndft_nufft_samples samples;
    ndft_nufft_grid grid;
    ndft_nufft_pass pass;
    ndft_strides data;
    ndft_rank_view<R> rank;
    ndft_weights<R, W> weights;
};

template <class R, int W>
ndft_nufft_view<R, W> ndft_nufft_view_of(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass)
{
    return {plan->samples,
            plan->grid,
            *pass,
            plan->data,
            ndft_rank_of<R>(plan->rank),
            ndft_weights_of<R, W>(plan)};
}

/* f of a number of a plan's precision, and of its dimension and width as constants: from a plan to
 * the kernels that serve it. */
template <class R, class F> auto ndft_by_dim_and_width(const ndft_nufft_plan *plan, F f)
{
    return ndft_by_width<R>(&plan->shape.window, [&](auto width) {
        if (plan->shape.dim == 1) return f(R(), std::integral_constant<int, 1>{}, width);
        if (plan->shape.dim == 2) return f(R(), std::integral_constant<int, 2>{}, width);
        return f(R(), std::integral_constant<int, 3>{}, width);
    });
}

template <class F> auto ndft_by_kernel(const ndft_nufft_plan *plan, F f)
{
    return plan->prec == NDFT_F32 ? ndft_by_dim_and_width<float>(plan, f)
                                  : ndft_by_dim_and_width<double>(plan, f);
}

/* Launches a stage's kernel that waits for the one before and lets the one after begin: early where
 * the kernels before and after are the engine's own. */
template <class... Formal, class... Actual>
ndft_status ndft_nufft_launch(const ndft_nufft_plan *plan, dim3 blocks, int threads, size_t shared,
                              void (*kernel)(Formal...), Actual... arguments)
{
    return ndft_launch(plan->arrays.exec, plan->planar != nullptr, blocks, dim3(threads), shared,
                       kernel, arguments...);
}

/* Column of a pass' term and coil, both counted from the pass' first. */
template <class R, int W>
__device__ __forceinline__ ndft_complex<R> *ndft_column(const ndft_nufft_view<R, W> &view, int term,
                                                        int coil)
{
    return (ndft_complex<R> *)view.grid.cells +
           (int64_t)(term * view.pass.coils + coil) * view.grid.column;
}

/* Weight of sample j of the problem in a term of the pass. */
template <class R, int W>
__device__ __forceinline__ ndft_complex<R> ndft_sample_weight(const ndft_nufft_view<R, W> &view,
                                                              int64_t j, int term)
{
    if (!view.rank.place) return {1, 0};
    const int l = view.pass.term + term;
    return ndft_rank_sample(view.rank, j, l / view.rank.terms, l % view.rank.terms);
}

/* Where the datum of sample j of the problem is, coil counted from the pass' first. */
template <class R, int W>
__device__ __forceinline__ int64_t ndft_datum(const ndft_nufft_view<R, W> &view, int64_t j,
                                              int coil)
{
    return j * view.data.element + (view.pass.coil + coil) * view.data.coil;
}

/* Writes a sample's sum over the terms of a pass. */
template <class R, int W>
__device__ __forceinline__ void ndft_put_sample(const ndft_nufft_view<R, W> &view, int64_t j,
                                                int coil, ndft_complex<R> sum, ndft_complex<R> *out)
{
    ndft_complex<R> &to = out[ndft_datum(view, j, coil)];
    to = view.pass.joins ? ndft_complex<R>{to.re + sum.re, to.im + sum.im} : sum;
}

#endif
