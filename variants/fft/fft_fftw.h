/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FFT_FFTW_H
#define NDFT_FFT_FFTW_H

#include "base/status.h"
#include "base/uniform.h"

/*
 * Fast transforms by the host's FFT (host_fft.h), in either precision: all that is asked of it goes
 * through here. Plans are made and destroyed one at a time, which FFTW wants, behind a lock:
 * whoever has FFTW try out algorithms keeps all others waiting (ndft_exec's patience_s bounds it).
 * A plan is run from many threads at once, on arrays whose alignment modulo NDFT_FFT_ALIGN bytes is
 * that of the plan's, or any where it was planned so, which is slower.
 */

enum { NDFT_FFT_ALIGN = 16 };

typedef struct ndft_fft {
    ndft_prec prec;
    void *plan; /* fftwf_plan or fftw_plan; NULL: none */
    void (*run)(void *plan, void *from, void *to);
} ndft_fft;

/* An axis, or what counts transforms: its length, and on either side the elements from one to the
 * next, reals or complex numbers as that side has them. */
typedef struct ndft_fft_mode {
    int64_t n, in, out;
} ndft_fft_mode;

typedef struct ndft_fft_shape {
    ndft_prec prec;
    ndft_domain domain;
    int sign;       /* of the exponent */
    bool unaligned; /* for any arrays, always by a guess */
    int axes, batches;
    ndft_fft_mode axis[3], batch[2]; /* the slowest first */
} ndft_fft_shape;

/*
 * Plans unnormalised transforms from one array to another, or in place where they are the same.
 * seconds: FFTW tries out algorithms on both for so long at most, and overwrites them, and has
 * forgotten what it learnt. 0 is a guess, which touches nothing. NDFT_ENOMEM when no plan is made,
 * NDFT_EUNSUPPORTED where there is no such library.
 */
ndft_status ndft_fft_make(ndft_error *, const ndft_fft_shape *, double seconds, void *in, void *out,
                          ndft_fft *);

/* Complex elements from one cell of a line to the next, and from line to line. */
typedef struct ndft_fft_lines {
    void *memory;
    int64_t cell, line;
} ndft_fft_lines;

/* `lines` complex transforms of `cells` cells each, by a guess: to try out algorithms finds nothing
 * faster for such lines and takes as long as a hundred executions. */
ndft_status ndft_fft_plan(ndft_error *, ndft_prec, int sign, int64_t cells, int lines,
                          ndft_fft_lines from, ndft_fft_lines to, ndft_fft *);

/* Forward and back, of so many lines beside each other, in place. What is all zero may be
 * destroyed. */
ndft_status ndft_fft_plan_pair(ndft_error *, ndft_prec, int64_t cells, int lines, double seconds,
                               void *memory, ndft_fft fft[2]);
void ndft_fft_destroy_pair(ndft_fft fft[2]);

/* from == to exactly where it was planned so. Otherwise from is kept, but by a transform to reals.
 */
void ndft_fft_run(const ndft_fft *, void *from, void *to);

void ndft_fft_destroy(ndft_fft *);

#endif
