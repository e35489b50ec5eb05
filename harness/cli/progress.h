/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PROGRESS_H
#define NDFT_PROGRESS_H

/* "[12/48] ETA 1m20s  pass tiled.cpu:tile=64" on stderr: one line that is rewritten on a terminal;
 * elsewhere the first step, one every few seconds, and the last. */
typedef struct ndft_progress {
    int done, total;
    double start, shown; /* ndft_now_s() */
    int width;           /* of the terminal; 0: none */
} ndft_progress;

ndft_progress ndft_progress_begin(int total);
void ndft_progress_step(ndft_progress *, const char *what);

/* Makes room on a terminal for a line of something else; the next step writes the line again. */
void ndft_progress_hide(const ndft_progress *);
void ndft_progress_end(const ndft_progress *);

#endif
