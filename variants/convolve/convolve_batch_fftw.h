/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_BATCH_FFTW_H
#define NDFT_CONVOLVE_BATCH_FFTW_H

#include "arena.h"
#include "fft_fftw.h"

/* What convolve_batch.h works with: transforms of one line, its filter, work per thread. */

enum { NDFT_BATCH_LANES = 8 }; /* lines that a thread loads together, at most */

typedef struct ndft_convolve_batch {
    int threads, lanes;
    int64_t cells, pitch; /* of a line; complex numbers from one line to the next */
    void *spectrum;       /* [cells] complex: the filter's, with the factor 1/cells in it */
    void *work;           /* [threads][lanes][pitch] complex */
    ndft_fft fft[2];      /* forward, back; in place on a line */
} ndft_convolve_batch;

/* Memory is the arena's; the transforms are freed by _destroy, also after a failure. seconds: for
 * FFTW to try out algorithms, 0 for a guess. neighbours: a line's elements lie far apart and beside
 * those of other lines, so that several lines are loaded together. */
ndft_status ndft_convolve_batch_make(ndft_arena *, ndft_prec, int64_t cells, bool neighbours,
                                     int threads, double seconds, ndft_convolve_batch *);
void ndft_convolve_batch_destroy(ndft_convolve_batch *);

/* The spectrum of filter, [cells][re, im], which is overwritten. */
ndft_status ndft_convolve_batch_filter(const ndft_convolve_batch *, ndft_error *, double *filter);

/* Seconds of a line's transforms there and back; an ndft_padded_clock of an ndft_convolve_timer. */
typedef struct ndft_convolve_timer {
    ndft_exec *exec;
    ndft_prec prec;
} ndft_convolve_timer;

ndft_status ndft_convolve_clock(void *timer, int64_t cells, double *seconds);

#endif
