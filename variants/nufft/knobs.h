/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_KNOBS_H
#define NDFT_NUFFT_KNOBS_H

#include "base/variant.h"
#include "nufft/window/window.h"

/* The knobs that both engines have, first and in this order; those of a backend come after them. */

enum {
    NDFT_KNOB_SIGMA,   /* percent */
    NDFT_KNOB_WINDOW,  /* an ndft_window_kind */
    NDFT_KNOB_WEIGHTS, /* by polynomials or a table */
    NDFT_KNOB_WIDTH,   /* cells, 0: by tol */
    NDFT_KNOB_FIELD,   /* how a field map comes apart */
    NDFT_NUFFT_KNOBS
};

enum { NDFT_WEIGHTS_POLYNOMIAL, NDFT_WEIGHTS_TABLE };
enum { NDFT_FIELD_SVD, NDFT_FIELD_SEGMENTS, NDFT_FIELD_HANNING };

static const char *const ndft_window_words[] = {"kb", "gaussian", "es", 0};
static const char *const ndft_weights_words[] = {"polynomial", "table", 0};
static const char *const ndft_field_words[] = {"svd", "segments", "hanning", 0};

#define NDFT_WINDOW_KNOB                                                                           \
    NDFT_KNOB_WORDS("window", "Kaiser-Bessel, Gaussian or exponential of semicircle",              \
                    ndft_window_words, NDFT_WINDOW_KB,                                             \
                    (NDFT_WINDOW_KB, NDFT_WINDOW_GAUSSIAN, NDFT_WINDOW_ES))

#define NDFT_NUFFT_KNOB_ROWS                                                                       \
    NDFT_KNOB("sigma", "%", "cells of the oversampled grid per voxel along an axis", 200,          \
              (125, 150, 200)),                                                                    \
        NDFT_WINDOW_KNOB,                                                                          \
        NDFT_KNOB_WORDS("weights", "of the window: polynomials on line, or from a table",          \
                        ndft_weights_words, NDFT_WEIGHTS_POLYNOMIAL,                               \
                        (NDFT_WEIGHTS_POLYNOMIAL, NDFT_WEIGHTS_TABLE)),                            \
        NDFT_KNOB("width", "cells", "of the window; 0 chooses by tol", 0,                          \
                  (0, 2, 3, 4, 5, 6, 7, 8)),                                                       \
        NDFT_KNOB_WORDS("field",                                                                   \
                        "field map by low rank, least-squares segments or Hanning segments",       \
                        ndft_field_words, NDFT_FIELD_SVD,                                          \
                        (NDFT_FIELD_SVD, NDFT_FIELD_SEGMENTS, NDFT_FIELD_HANNING))

/* The knobs of the engine on CUDA after the family's: the choice of stages, then those of each. */
enum {
    NDFT_KNOB_SPREAD = NDFT_NUFFT_KNOBS,
    NDFT_KNOB_INTERPOLATE,
    NDFT_KNOB_TRANSFORM,
    NDFT_SCATTER_LENGTH,
    NDFT_SCATTER_HEIGHT,
    NDFT_SCATTER_SHARE,
    NDFT_SUBPROBLEM_LENGTH,
    NDFT_SUBPROBLEM_HEIGHT,
    NDFT_SUBPROBLEM_SAMPLES,
    NDFT_HYBRID_TILE,
    NDFT_HYBRID_MOST,
    NDFT_HYBRID_TRAJECTORY,
    NDFT_GATHER_CELLS,
    NDFT_GATHER_MOST,
    NDFT_OUTPUT_DRIVEN_TILE,
    NDFT_OUTPUT_DRIVEN_NP,
    NDFT_OUTPUT_DRIVEN_BARRIER,
    NDFT_INTERLEAVED_LENGTH,
    NDFT_INTERLEAVED_HEIGHT,
    NDFT_INTERLEAVED_LANES,
    NDFT_GEMM_SAMPLES,
    NDFT_CUDA_KNOBS
};

/* Words of knobs. */
enum { NDFT_TRANSFORM_CUFFT, NDFT_TRANSFORM_INTERLEAVED };
enum { NDFT_TRAJECTORY_MEMORY, NDFT_TRAJECTORY_ONLINE };
enum { NDFT_BARRIER_POINT, NDFT_BARRIER_BATCH };

#endif
