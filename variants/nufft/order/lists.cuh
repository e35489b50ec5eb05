/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_LISTS_CUH
#define NDFT_NUFFT_LISTS_CUH

#include "samples.cuh"

/*
 * For each tile of cells all samples whose window reaches into it, as in T. S. Sorensen, T.
 * Schaeffter, K. O. Noe, M. S. Hansen, "Accelerating the nonequispaced fast Fourier transform on
 * commodity graphics hardware", IEEE Trans. Med. Imaging 27, 2008, section III-B: runs of
 * successive samples, each the first of them and how many. Here successive means in sorted order,
 * so that a tile whose neighbours are reached whole has few runs, whatever the trajectory.
 */
struct ndft_nufft_run {
    int32_t first, count;
};

/* The samples [from, to) of the list of the tile that begins at these cells, which are in its runs
 * [run, end), for one warp. Long lists come in several units, each with a slot for its part of the
 * tile; slot -1: it is the whole list. */
struct ndft_nufft_unit {
    int32_t at[3], run, end, from, to, slot;
};

/* A tile in several units: their slots. */
struct ndft_nufft_joint {
    int32_t at[3], begin, end;
};

struct ndft_nufft_lists {
    int tile[3]; /* cells of a tile, the last of an axis cut short */
    const ndft_nufft_run *run;
    const ndft_nufft_unit *unit; /* those of cut lists first; every tile is in one at least */
    const ndft_nufft_joint *joint;
    int n_units, n_joints, n_slots;
};

/* The lists over the tiles that samples are sorted by, in units of at most `most` samples. */
ndft_status ndft_nufft_lists_make(ndft_arrays *, const ndft_nufft_samples *,
                                  const ndft_nufft_shape *, int most, ndft_nufft_lists *);

#endif
