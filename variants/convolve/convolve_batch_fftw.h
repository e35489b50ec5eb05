/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_BATCH_FFTW_H
#define NDFT_CONVOLVE_BATCH_FFTW_H

#include "core/arena.h"
#include "core/loop.h"
#include "fft/fft_fftw.h"
#include "pass.h"

/* What convolve_batch.h works with: transforms of one line, its filter, work per thread. */

enum { NDFT_BATCH_LANES = 8 }; /* lines that a thread loads together, at most */

typedef struct ndft_convolve_batch {
    int threads, lanes;
    int64_t cells, pitch; /* of a line; complex numbers from one line to the next */
    void *spectrum;       /* [cells] complex: the filter's, with the factor 1/cells in it */
    void *work;           /* [threads][lanes][pitch] complex */
    ndft_fft fft[2];      /* forward, back; in place on a line */
} ndft_convolve_batch;

/*
 * An axis whose lines are convolved with a chirp, between two products with factors: Bluestein's
 * algorithm and the chirp-z transform.
 */
typedef struct ndft_bluestein_axis {
    ndft_pass pass;
    bool paired;                          /* two real lines are one of the convolution's */
    int mode;                             /* of both tensors, along which it goes */
    const ndft_transform *loads, *stores; /* whose function the pass calls; NULL: none */
    ndft_convolve_batch convolve;
    void *before, *after; /* factors of a line's cells, as many as are loaded and stored, complex */
} ndft_bluestein_axis;

/* Lines of the convolution, and those of their cells that are loaded and stored. */
static inline int64_t ndft_bluestein_lines(const ndft_bluestein_axis *a)
{
    return a->paired ? (a->pass.lines + 1) / 2 : a->pass.lines;
}

static inline int64_t ndft_bluestein_loaded(const ndft_bluestein_axis *a)
{
    return a->paired ? a->pass.length : a->pass.in.count;
}

static inline int64_t ndft_bluestein_stored(const ndft_bluestein_axis *a)
{
    return a->paired ? a->pass.length : a->pass.out.count;
}

/* Cells that a convolution needs. */
static inline int64_t ndft_bluestein_least(const ndft_bluestein_axis *a)
{
    return ndft_bluestein_loaded(a) + ndft_bluestein_stored(a) - 1;
}

/* Lines first, ..., end - 1 of a convolution: from an array into the padded lines, and on to
 * another. */
typedef struct ndft_bluestein_part {
    const ndft_bluestein_axis *axis;
    const void *from;
    void *to, *kept;
    int64_t first, end;
} ndft_bluestein_part;

/* All of a part's lines up to its end, each through the whole convolution; nothing is kept. */
typedef void ndft_bluestein_stage(const ndft_bluestein_part *);
NDFT_LOOP_DECLARE(void, bluestein_whole, (const ndft_bluestein_part *));

/* Fills in the factors, and the filter, [cells][re, im]. */
typedef void ndft_bluestein_fill(const void *context, int64_t cells, double *filter);

/*
 * Makes an axis' convolution, of so many cells, for its pass and its factors, which have their
 * memory. The rest is the arena's; transforms are freed by _destroy, also after a failure.
 * measured: FFTW tries out algorithms where that gains what it costs, else it guesses.
 */
ndft_status ndft_bluestein_axis_make(ndft_arena *, ndft_prec, int64_t cells, int threads,
                                     bool measured, ndft_bluestein_fill *, const void *context,
                                     ndft_bluestein_axis *);
void ndft_bluestein_axis_destroy(ndft_bluestein_axis *);

/* The length from least on whose transforms take the least time here (padded.h). */
ndft_status ndft_convolve_length(ndft_exec *, ndft_prec, int64_t least, int64_t *cells);

#endif
