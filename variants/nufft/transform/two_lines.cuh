/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_TWO_LINES_CUH
#define NDFT_NUFFT_TWO_LINES_CUH

#include "interleaved_fft.cuh"

/*
 * Transforms of square and cubic grids of eight coils side by side, of lengths that two passes of
 * different radices serve (fft/two_passes.cuh) where interleaved_fft.cuh's equal ones exchange
 * cells two or three times.
 */

struct ndft_nufft_two_lines {
    bool serve;              /* the grid is such */
    const unsigned *reached; /* in two dimensions, as ndft_nufft_lines has, of these places */
};

/* What a pass is transformed with. */
struct ndft_nufft_two_pass {
    const ndft_nufft_lines *lines;
    const ndft_nufft_two_lines *two;
    const ndft_nufft_pass *pass;
    ndft_nufft_lanes lanes;
};

/* Which cells samples reach, of lines of so many places (interleaved_fft.cuh). */
ndft_status ndft_nufft_reached_mark(ndft_nufft_plan *, int places, const unsigned **map);

ndft_status ndft_nufft_two_lines_make(ndft_nufft_plan *, ndft_nufft_two_lines *);

/* Whether a pass' grids are transformed so. */
bool ndft_nufft_two_lines_serve(const ndft_nufft_plan *, const ndft_nufft_two_lines *,
                                const ndft_nufft_lanes &);

/* As ndft_nufft_lines_run, and ndft_nufft_lines_adjoint. */
ndft_status ndft_nufft_two_lines_run(const ndft_nufft_plan *, const ndft_nufft_two_pass &,
                                     const void *in);
ndft_status ndft_nufft_two_lines_adjoint(const ndft_nufft_plan *, const ndft_nufft_two_pass &,
                                         void *out);

#endif
