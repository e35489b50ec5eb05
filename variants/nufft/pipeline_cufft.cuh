/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_PIPELINE_CUFFT_CUH
#define NDFT_NUFFT_PIPELINE_CUFFT_CUH

#include "knobs.h"
#include "nufft/field/field.h"
#include "nufft/image/image.cuh"
#include "nufft/order/samples.cuh"
#include "nufft/transform/grid_fft_cufft.cuh"
#include "nufft/window/weights.cuh"

/*
 * The nonuniform FFT on CUDA but for its convolution, which is what the family's variants differ
 * in:
 *
 *     forward   pad: image, deapodised, with zeros around it; FFT exp(-i); interpolate at samples
 *     adjoint   zero the grid; spread samples; FFT exp(+i); crop: grid to image, deapodised
 *
 * Columns (coils times rank terms) go through in passes of as many as memory allows. A scheme
 * brings spread and interpolate, and says how it wants samples sorted.
 *
 * What a kernel of a scheme gets, by value and together in an ndft_nufft_view (view.cuh):
 *
 *     samples   number, first cell and place s of each, sorted by tile, and where tiles begin
 *               (samples.cuh); weights of a sample's cells from s by ndft_weigh (weights.cuh)
 *     pass      which coils and terms are columns of the grid now (image.cuh)
 *     grid      its cells, sizes and strides; cells of a sample wrap around at the edges
 *     data      of sample number j and coil c: [j * element + c * coil] of the strides given
 *     rank      ndft_rank_sample(rank, j, q, l) is the weight of a sample in a term: its conjugate
 *               in spread, as it is in interpolate; 1 without a field map (rank.place NULL)
 */

struct ndft_nufft_scheme;

struct ndft_nufft_cuda : ndft_base_plan {
    const ndft_nufft_scheme *scheme;
    const ndft_problem *problem;
    ndft_nufft_shape shape;
    ndft_nufft_samples samples;
    ndft_nufft_image image;
    ndft_nufft_grid grid;
    ndft_nufft_rank rank;
    ndft_strides data; /* of samples */
    const void *table; /* the window's weights, as ndft_weights has it */
    int density;
    ndft_grid_fft *fft;
    void *own; /* what the scheme prepared, from malloc; freed with the plan */
};

/*
 * A scheme. spread adds (or writes, if it overwrites) to the grids of a pass the samples' data
 * times their conjugate weights in its terms. interpolate writes (or if the pass joins, adds to)
 * the samples, summed over its terms. A scheme without an adjoint may have grids of its own, whose
 * strides are its own, too: fit makes the shape what they can have, prepare makes them, and
 * transform goes from an image to the transformed grids of a pass. spread, interpolate and
 * transform only launch, on the plan's stream.
 */
struct ndft_nufft_scheme {
    bool overwrites; /* spread writes every cell of the pass, so that the grid is not zeroed */
    void (*tile)(const ndft_nufft_shape *, const int *knobs, int tile[3]);
    ndft_status (*prepare)(ndft_nufft_cuda *, const int *knobs);     /* NULL: nothing of its own */
    ndft_status (*fit)(ndft_nufft_shape *, ndft_prec, ndft_error *); /* NULL: as it is */
    ndft_status (*transform)(const ndft_nufft_cuda *, const ndft_nufft_pass *, const void *in);
    ndft_status (*spread)(const ndft_nufft_cuda *, const ndft_nufft_pass *, const void *in);
    ndft_status (*interpolate)(const ndft_nufft_cuda *, const ndft_nufft_pass *, void *out);
    void (*chosen)(const ndft_nufft_cuda *, char *text, size_t size); /* beside; NULL: nothing */
};

template <class R, int W = NDFT_MAX_WIDTH>
ndft_weights<R, W> ndft_weights_of(const ndft_nufft_cuda *plan)
{
    return ndft_weights_make<R, W>(&plan->shape.window, plan->density, plan->table);
}

/* The stages of its timing. */
extern const char *const ndft_nufft_stages[];

ndft_status ndft_nufft_plan_scheme(const ndft_nufft_scheme *, const ndft_problem *,
                                   const int *knobs, ndft_exec *, void **plan);

/* What descriptors of the family share. */
template <const ndft_nufft_scheme &scheme>
ndft_status ndft_nufft_plan_cuda(const ndft_problem *p, const int *knobs, unsigned, ndft_exec *exec,
                                 void **plan)
{
    return ndft_nufft_plan_scheme(&scheme, p, knobs, exec, plan);
}

ndft_status ndft_nufft_execute_cuda(void *plan, ndft_op, const void *in, void *out);
void ndft_nufft_destroy_cuda(void *plan);
void ndft_nufft_chosen_cuda(const void *plan, char *text, size_t size);

#endif
