/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_FFT_FFTW_H
#define NDFT_CONVOLVE_FFT_FFTW_H

#include <ndft/problem.h>
#include <ndft/status.h>

/*
 * One-dimensional transforms of many lines by FFTW, in either precision. A plan is run from many
 * threads at once, on arrays whose alignment modulo NDFT_FFT_ALIGN bytes is that of the plan's.
 */

enum { NDFT_FFT_ALIGN = 16 };

/* Complex elements from one cell of a line to the next, and from line to line. */
typedef struct ndft_fft_lines {
    void *memory;
    int64_t cell, line;
} ndft_fft_lines;

typedef struct ndft_fft {
    ndft_prec prec;
    void *plan; /* fftwf_plan or fftw_plan; NULL: none */
} ndft_fft;

/*
 * Plans `lines` unnormalised transforms of `cells` cells each, with exp(sign 2 pi i ...), from
 * one array to another, or in place where they are the same; neither is touched. By FFTW_ESTIMATE:
 * FFTW_MEASURE finds nothing faster for such lines and takes as long as a hundred executions.
 * NDFT_ENOMEM when FFTW makes no plan.
 */
ndft_status ndft_fft_plan(ndft_error *, ndft_prec, int sign, int64_t cells, int lines,
                          ndft_fft_lines from, ndft_fft_lines to, ndft_fft *);

/*
 * Plans one line of contiguous cells in place, by trying out algorithms on `memory` for `seconds`
 * at most; it is overwritten. 0 is a guess, which touches nothing. What FFTW learns of lengths is
 * used by plans of the same until ndft_fft_forget.
 */
ndft_status ndft_fft_plan_line(ndft_error *, ndft_prec, int sign, int64_t cells, void *memory,
                               double seconds, ndft_fft *);

/* Lets later guesses be guesses again. */
void ndft_fft_forget(void);

/* from == to exactly where it was planned so; otherwise from is kept. */
void ndft_fft_run(const ndft_fft *, void *from, void *to);

void ndft_fft_destroy(ndft_fft *);

#endif
