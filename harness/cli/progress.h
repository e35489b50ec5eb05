/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PROGRESS_H
#define NDFT_PROGRESS_H

/* "[12/48] ETA 1m20s  tiled.cpu:tile=64 pass" on stderr: one line that is rewritten on a terminal,
 * one line a step elsewhere. */
typedef struct ndft_progress {
    int done, total;
    double start; /* ndft_seconds() */
} ndft_progress;

ndft_progress ndft_progress_begin(int total);
void ndft_progress_step(ndft_progress *, const char *what);
void ndft_progress_end(const ndft_progress *);

#endif
