/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_PSF_H
#define NDFT_NUFFT_PSF_H

#include "base/exec.h"
#include "nufft/shape.h"
#include "toeplitz.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The spectra of the convolutions of toeplitz.h: h_l at all lags |x_d| < N_d, by a nonuniform FFT
 * of the real weights b_l in double, whose window loses far less than the case's tolerance, put
 * periodically on cells >= 2 N - 1 per axis. As b is real, h is Hermitian and its transform real.
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

/* Spreads term `term` onto `fine`, 2 * fine_complex reals, which it zeroes first. */
void ndft_psf_spread(const ndft_problem *, const ndft_psf *, const ndft_psf_tables *,
                     const ndft_toeplitz_weights *, int terms, int term, int threads, double *fine);

/* The spectra of all terms, out[terms][size] reals of the problem's precision, divided by size so
 * that forward and inverse transforms with them need no factor. NDFT_ENOMEM. */
ndft_status ndft_psf_spectra_fftw(const ndft_problem *, const ndft_psf *, const ndft_toeplitz *,
                                  int threads, ndft_error *, void *out);

/* The same into device memory: samples are spread by the host, all else is on the device. */
ndft_status ndft_psf_spectra_cufft(const ndft_problem *, const ndft_psf *, const ndft_toeplitz *,
                                   ndft_exec *, void *out);

#ifdef __cplusplus
}
#endif
#endif
