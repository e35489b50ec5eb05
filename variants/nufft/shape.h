/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_SHAPE_H
#define NDFT_NUFFT_SHAPE_H

#include "nufft/field/rank.h"
#include "nufft/window/window.h"

#include "base/variant.h"

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
    NDFT_KNOB_FFT,
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
    NDFT_OUTPUT_DRIVEN_MOST,
    NDFT_OUTPUT_DRIVEN_PADDING,
    NDFT_INTERLEAVED_LENGTH,
    NDFT_INTERLEAVED_HEIGHT,
    NDFT_INTERLEAVED_LANES,
    NDFT_GEMM_SAMPLES,
    NDFT_CUDA_KNOBS
};

/* Words of knobs. */
enum { NDFT_TRANSFORM_CUFFT, NDFT_TRANSFORM_INTERLEAVED };
enum { NDFT_FFT_AUTO, NDFT_FFT_VENDOR, NDFT_FFT_OWN };
enum { NDFT_TRAJECTORY_MEMORY, NDFT_TRAJECTORY_ONLINE };
enum { NDFT_BARRIER_POINT, NDFT_BARRIER_BATCH, NDFT_BARRIER_AUTO };
enum { NDFT_PADDING_LEAST, NDFT_PADDING_PUBLISHED };

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What follows from a problem and the family's knobs alone: window, oversampled grid, columns. The
 * same for every scheme and backend.
 *
 * A column is one image under one trajectory: coil c under rank term l is column l*coils + c. Grids
 * are arrays [column][z][y][x] of complex cells.
 */
typedef struct ndft_nufft_shape {
    ndft_window window;
    int dim;
    int64_t n[3];    /* voxels per axis, 1 beyond dim */
    int64_t grid[3]; /* cells per axis: even, 2^a 3^b 5^c 7^d, at least sigma N and 2 W; 1 beyond
                        dim */
    int64_t cells;   /* their product, below 2^31 */
    int rank;        /* terms of the field map, 1 without */
    int columns;     /* coils times rank */
    int chunk;       /* columns whose grids are held at a time; see ndft_nufft_chunk */
    size_t column_bytes; /* of one column's grid */
    double error;        /* what ndft_nufft_error says */
} ndft_nufft_shape;

/* The next length that FFTs are fast for: even, 2^a 3^b 5^c 7^d. */
int64_t ndft_fft_size(int64_t least);

/* NULL, or why the family's knobs and this problem do not go together: knob values, a grid beyond
 * 2^31 cells or the device's memory. What a field map or gradients ask for is rank.h's to say. */
const char *ndft_nufft_unsupported(const ndft_problem *, const ndft_device *, const int *knobs);

/* Whether entries are more than those of a trajectory: rank.h has terms for the rest. */
static inline bool ndft_nufft_has_terms(const ndft_problem *p)
{
    return ndft_is_timed(p) || p->higher.terms > 0;
}

/* The part of tol that the rank terms of a field map and gradients may lose at least. Their error
 * and the window's are unrelated: the squares add. */
static const double ndft_nufft_field_share = 0.35;

/* The width: that of the knob, or by tol the smallest whose ndft_nufft_error is within tol, less
 * the field's share where there is a field map or gradients, if any does with ndft_nufft_sums; else
 * that of least error. */
int ndft_nufft_width(const ndft_problem *, const int *knobs);

/* ndft_chance of the fewer of voxels and different samples: what the truncation counts itself. */
double ndft_nufft_chance(const ndft_problem *);

/*
 * The error, relative l2, of the transform without its field map: aliases, fit or table, and the
 * rounding of the problem's precision as the window amplifies it, each with a factor of safety. It
 * is the claim's truncation, to which a variant with a field map adds the error of its rank terms;
 * the claim's a, b, c are 0.
 */
double ndft_nufft_error(const ndft_problem *, const int *knobs);

/*
 * The claim's sums: what the adjoint rounds beyond that where many samples share cells. An addition
 * errs by 0.42 eps of its sum, the root mean square over mantissas, and that of i random numbers
 * grows with sqrt(i): a cell of n errs by 0.3 eps sqrt(n) of what it holds, all cells by that of
 * the mean n (window.h's crowd). The samples of a crowd make one number, so that there are the
 * fewer of these, and chance has the more of a part.
 */
double ndft_nufft_sums(const ndft_problem *, ndft_op, const int *knobs);

/* The width and the grid for it, 1 cell beyond dim. */
int ndft_nufft_width_and_grid(const ndft_problem *, const int *knobs, int64_t grid[3]);

/* What a transform loses at worst with the width that ndft_nufft_width gives, chains in units. */
ndft_nufft_worst ndft_nufft_worst_at(const ndft_problem *, ndft_op, const int *knobs);

/*
 * The shape for as many columns per coil as a field map and gradients need (ndft_rank's columns; 1
 * without), all columns in one chunk. NDFT_EUNSUPPORTED with a sentence when tol is below what the
 * precision can give (with the best possible value), and when the grid has too many cells.
 */
ndft_status ndft_nufft_shape_make(const ndft_problem *, const int *knobs, int rank, ndft_error *,
                                  ndft_nufft_shape *);

/*
 * Sets chunk so that a chunk's grids take at most budget bytes: all columns, else all coils of as
 * many rank terms as fit, else coils of one term, at least one, in as few passes as fit and as even
 * as these can be. Chunks never mix rank terms unless they hold all coils of them; the last, of all
 * or of a term, may be shorter.
 */
void ndft_nufft_chunk(ndft_nufft_shape *, int coils, size_t budget);

/* out[i] = 1/hat(x/n), x = i - floor(N/2), i = 0..N-1: what a voxel is multiplied by along that
 * axis, in both directions. */
void ndft_nufft_put_deapodisation(const ndft_nufft_shape *, int axis, ndft_prec, void *out);

/* The field map's terms (rank.h) as the family's knobs and a case's tolerance want them: what the
 * window leaves of tol is theirs, and never less than ndft_nufft_field_share of it. */

ndft_rank_choice ndft_nufft_field(const ndft_problem *, const int *knobs);

ndft_status ndft_nufft_field_make(const ndft_problem *, const int *knobs, ndft_error *,
                                  ndft_rank *);
/* Without what a device makes itself (rank_basis.h). */
ndft_status ndft_nufft_field_make_rest(const ndft_problem *, const int *knobs, ndft_error *,
                                       ndft_rank *, const struct ndft_rank_tables **);

/* NULL, or why the family cannot serve the problem: what ndft_nufft_unsupported says, or for field
 * map and gradients. */
const char *ndft_nufft_field_unsupported(const ndft_problem *, const ndft_device *,
                                         const int *knobs);

/* The claim's truncation: errors of window and terms together; a, b, c are 0. */
double ndft_nufft_truncation(const ndft_problem *, const int *knobs);

/*
 * The claim's truncation for any data, with rounding and all. With d the window's error of an entry
 * and f the terms', (1 + d)(F + f) - F is at most d (1 + f) + f, for |F| <= 1; the roundings of
 * each column are weighed by both its weights (rank.h's gain). _and: with more units of eps, of
 * what a scheme rounds beside what window.h counts.
 */
double ndft_nufft_any(const ndft_problem *, ndft_op, const int *knobs);
double ndft_nufft_any_and(const ndft_problem *, ndft_op, const int *knobs, double units);
/* Where f32 samples are spread, in three dimensions also read, by three products of tf32 each. */
double ndft_nufft_any_by_tf32(const ndft_problem *, ndft_op, const int *knobs);

#ifdef __cplusplus
}
#endif
#endif
