/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_BATCH_FFTW_H
#define NDFT_CONVOLVE_BATCH_FFTW_H

#include "core/arena.h"
#include "fft/fft_fftw.h"

/* What convolve_batch.h works with: transforms of one line, its filter, work per thread. */

enum { NDFT_BATCH_LANES = 8 }; /* lines that a thread loads together, at most */

typedef struct ndft_convolve_batch {
    int threads, lanes;
    int64_t cells, pitch; /* of a line; complex numbers from one line to the next */
    void *spectrum;       /* [cells] complex: the filter's, with the factor 1/cells in it */
    void *work;           /* [threads][lanes][pitch] complex */
    ndft_fft fft[2];      /* forward, back; in place on a line */
} ndft_convolve_batch;

/* Memory is the arena's; the transforms are freed by _destroy, also after a failure. neighbours: a
 * line's elements lie far apart and beside those of other lines, so that several lines are loaded
 * together. measured: FFTW tries out algorithms where that gains what it costs, else it guesses;
 * ndft_fft_forget comes after the last one. */
ndft_status ndft_convolve_batch_make(ndft_arena *, ndft_prec, int64_t cells, bool neighbours,
                                     int threads, bool measured, ndft_convolve_batch *);
void ndft_convolve_batch_destroy(ndft_convolve_batch *);

/* The spectrum of filter, [cells][re, im], which is overwritten. */
ndft_status ndft_convolve_batch_filter(const ndft_convolve_batch *, ndft_error *, double *filter);

/* The length from least on whose transforms take the least time here (padded.h). */
ndft_status ndft_convolve_length(ndft_exec *, ndft_prec, int64_t least, int64_t *cells);

#endif
