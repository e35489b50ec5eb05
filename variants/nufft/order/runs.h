/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RUNS_H
#define NDFT_NUFFT_RUNS_H

#include "sort.h"

/*
 * For each tile of the grid the samples whose windows reach into it, as runs of successive samples:
 * along a trajectory neighbours mostly reach into the same tiles, so runs are far fewer than
 * samples (Sorensen et al., IEEE Trans. Med. Imaging 27 (2008) 538, section III).
 */

typedef struct ndft_run {
    int32_t first, count;
} ndft_run;

typedef struct ndft_runs {
    int64_t *start; /* [tiles + 1] each tile's first run */
    ndft_run *run;  /* tile after tile, samples ascending in each */
} ndft_runs;

/* first: [samples] for each axis, the first of width cells, which end modulo cells. False when
 * there is no memory; then nothing stays allocated. */
bool ndft_runs_make(ndft_runs *, const ndft_sorted *tiles, int dim, const int64_t cells[3],
                    int width, int64_t samples, const int32_t *const first[3]);

void ndft_runs_free(ndft_runs *);

#endif
