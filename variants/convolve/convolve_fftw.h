/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_FFTW_H
#define NDFT_CONVOLVE_FFTW_H

#include "core/arena.h"
#include "fft/fft_fftw.h"

/* What convolve.h works with: transforms, the grid that is kept between them, work per thread. */

enum { NDFT_CONVOLVE_LANES = 8 }; /* neighbouring lines that are transformed together */

typedef struct ndft_convolve {
    int dim, threads;
    int64_t n[3];      /* of the image, 1 beyond dim */
    int64_t cells[3];  /* of the convolution, 1 beyond dim; n[d] <= cells[d], cells[0] even */
    int64_t kept_rows; /* rows along x that a plane of the grid has room for */
    void *grid, *work; /* [n[2]][kept_rows][cells[0]] complex; per thread */
    size_t work_bytes;
    ndft_fft fft[3][2]; /* of each axis, forward and back: one line, NDFT_CONVOLVE_LANES beyond x */
} ndft_convolve;

/* Memory is the arena's; the transforms are freed by _destroy, also after a failure. */
ndft_status ndft_convolve_make(ndft_arena *, ndft_prec, int dim, const int64_t n[3],
                               const int64_t cells[3], int threads, ndft_convolve *);
void ndft_convolve_destroy(ndft_convolve *);

#endif
