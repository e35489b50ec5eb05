/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_TOEPLITZ_H
#define NDFT_NUFFT_TOEPLITZ_H

#include "nufft/field/rank_basis.h"
#include "nufft/shape.h"

#include "base/exec.h"
#include "base/problem.h"
#include "base/status.h"
#include "base/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The normal operator as a sum of convolutions (Fessler et al., IEEE Trans. Signal Process. 2005):
 *
 *     (A^H A m)_x = sum_l conj(c_l(x)) sum_x' h_l(x - x') c_l(x') m_x'
 *     h_l(x) = sum_j b_l(t_j) exp(2 pi i k_j.x/N),   c_l(x) = exp(-i dw_x tau_l)
 *
 * Without a field map there is one term and it is exact. With one, exp(i w t) ~ sum_l b_l(t)
 * exp(i w tau_l) has to hold for all differences w = dw_x - dw_x' in use; b is real, for with w
 * there is -w. A phase common to all voxels drops out. Least squares over points of the differences
 * (in_use.h), all of one weight, since weights by a histogram save no term and lose rare values.
 * With times tau at mapped Chebyshev points (Kosloff and Tal-Ezer, J. Comput. Phys. 1993) about
 * 2 B T + 8 terms do; D distinct differences but 0 never take more than 2 D + 1, and
 * no more are needed than there are times.
 */

enum { NDFT_TOEPLITZ_TERMS = 96, NDFT_TOEPLITZ_POINTS = 1024 };

typedef struct ndft_toeplitz {
    int terms; /* more than NDFT_TOEPLITZ_TERMS: out of reach, only `error` means anything */
    bool each; /* of the times is a tau, in ascending order: no fit, b is 0 or 1 */
    double tau[NDFT_TOEPLITZ_TERMS]; /* s */
    double middle, half;             /* of the readout, s */
    double most;                     /* the largest difference, rad/s */
    double phase;                    /* the largest |dw t|, rad */
    double lost;  /* bound of what is lost of exp(i w t), any pair of voxels, any sample */
    double error; /* typical, relative: lost, and what b makes of errors of each term */
    double gain;  /* the largest sum of |b_l(t)|, by which errors of a term grow at most */
    int points;
    double point[NDFT_TOEPLITZ_POINTS]; /* of the differences, rad/s */
} ndft_toeplitz;

/* As few terms as bring the error to at most tol; each: that of one convolution. */
void ndft_toeplitz_choose(const ndft_problem *, double each, double tol, ndft_toeplitz *);

/* b as functions of the time from the middle, where `each` does not hold; free its a. False: there
 * is no memory. */
bool ndft_toeplitz_tabulate(const ndft_toeplitz *, ndft_rank_table *);

/* The weights b, a row for each distinct time; free both arrays. */
typedef struct ndft_toeplitz_weights {
    int64_t rows;
    int32_t *row; /* [n_samples] */
    double *b;    /* [rows][terms] */
} ndft_toeplitz_weights;

ndft_status ndft_toeplitz_weigh(const ndft_problem *, const ndft_toeplitz *, ndft_error *,
                                ndft_toeplitz_weights *);

/*
 * The spectra of the convolutions: h_l at all lags |x_d| < N_d, by a nonuniform FFT of the real
 * weights b_l in double, whose window loses far less than the case's tolerance, put periodically on
 * cells >= 2 N - 1 per axis. As b is real, h is Hermitian and its transform real.
 *
 *     spread     samples onto a grid of real cells
 *     real FFT   conj(h) at half of the lags, times hat
 *     fold       deapodised, onto the half grid of the convolution, zeros elsewhere
 *     real FFT   back: the spectrum
 *
 * Both grids are in place: rows along x hold n/2 + 1 complex or n real cells.
 */
typedef struct ndft_psf {
    int dim;
    int64_t n[3];                    /* voxels */
    int64_t fine[3];                 /* cells of the grid that samples are spread on */
    int64_t cells[3];                /* of the convolution: even, 2^a 3^b 5^c 7^d; 1 beyond dim */
    int64_t size;                    /* their product */
    int64_t fine_row, row;           /* complex cells of a row along x */
    int64_t fine_complex, complexes; /* complex cells in all */
    ndft_window window;
} ndft_psf;

/* The error that it adds is ndft_psf_error's, relative l2, and ndft_psf_worst's of any entry.
 * length: of the convolution along an axis for the least that it may be, ndft_fft_size or another.
 */
ndft_psf ndft_psf_of(const ndft_problem *, int64_t (*length)(int64_t least));
double ndft_psf_error(const ndft_problem *);
double ndft_psf_worst(const ndft_problem *);

/* Places of the samples and 1/hat of lags 0..N-1 per axis; free with _release. */
typedef struct ndft_psf_tables {
    int32_t *first[3];
    double *s[3], *scale[3];
    double poly[(NDFT_MAX_DEGREE + 1) * NDFT_MAX_WIDTH]; /* ndft_window_put_poly's */
} ndft_psf_tables;

ndft_status ndft_psf_tabulate(const ndft_problem *, const ndft_psf *, int threads, ndft_error *,
                              ndft_psf_tables *);
void ndft_psf_release(ndft_psf_tables *);

/* Whether a problem's sums over samples go through a second grid, so that each is of a few, and a
 * cell on which a million samples lie does not err as often. */
bool ndft_psf_sums_in_parts(const ndft_problem *, const ndft_psf *);

/* Spreads term `term` onto `fine`, 2 * fine_complex reals, which it zeroes first. part: as many, or
 * NULL where sums are in one. */
void ndft_psf_spread(const ndft_problem *, const ndft_psf *, const ndft_psf_tables *,
                     const ndft_toeplitz_weights *, int terms, int term, int threads, double *part,
                     double *fine);

/* Cells of that grid; beyond 2^31 no device spreads on it. */
double ndft_psf_fine_cells(const ndft_problem *);

/*
 * The same as an adjoint in double, with 2 N voxels per axis and twice each k, so that voxel x is
 * lag x. Two terms share a column: from the weights b_l + i b_m come h_l + i h_m, and as both
 * spectra are real, that of the sum has one in each part.
 */
ndft_status ndft_psf_adjoint_make(const ndft_problem *, int columns, int threads, ndft_error *,
                                  ndft_problem *adjoint);
void ndft_psf_adjoint_release(ndft_problem *adjoint);

/* The nonuniform FFT's knobs by which that has the window and the grid of the psf, and in f64 sums
 * of many samples in few additions after each other. */
void ndft_psf_adjoint_knobs(const ndft_problem *, const ndft_psf *, int knobs[NDFT_CUDA_KNOBS]);

/* The spectra of all terms into device memory, out[terms][size] reals of the problem's precision,
 * divided by size so that forward and inverse transforms with them need no factor, by the device
 * but for tables. halves: even frequencies of each axis before odd ones (convolve_lines.cuh). */
ndft_status ndft_psf_spectra_cufft(const ndft_problem *, const ndft_psf *, const ndft_toeplitz *,
                                   ndft_exec *, bool halves, void *out);

/* What nufft_toeplitz says of a problem on either backend. */

/* The terms of the problem's field map, within their part of tol. */
void ndft_toeplitz_fit(const ndft_problem *, ndft_toeplitz *);

const char *ndft_toeplitz_unsupported(const ndft_problem *);

/* The claim of A^H A is twice that of an operation, hence half of what is lost. Every pair of
 * voxels is within it at every sample, and white data see a fraction of that. */
double ndft_toeplitz_truncation(const ndft_problem *);

/* The same, of any entry over the number of samples, with all roundings but one phasor's. */
double ndft_toeplitz_any(const ndft_problem *, ndft_op, const int *knobs);

/* passes: how often the grid of a column, as long as its spectrum, is read or written. */
ndft_cost ndft_toeplitz_cost(const ndft_problem *, double passes, double launches);

/* What the processor's loop reads of a plan. */
typedef struct ndft_toeplitz_sum {
    const struct ndft_convolve *convolve; /* convolve_fftw.h */
    int coils, terms;
    int64_t element, coil_stride; /* in complex elements */
    const int32_t *voxel;         /* of the problem */
    const int64_t *row_first;     /* [rows + 1] the first voxel of each row along x */
    const double *field;          /* [voxels] dw/pi; NULL without */
    const double *tau;            /* [terms] */
    const void *spectrum;         /* [terms][cells] */
    int64_t cells;
} ndft_toeplitz_sum;

typedef void ndft_toeplitz_loop(const ndft_toeplitz_sum *, const void *in, void *out);

#ifdef __cplusplus
}
#endif
#endif
