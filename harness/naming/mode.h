/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_MODE_H
#define NDFT_MODE_H

#include "base/status.h"

/* What a sample of a timing is. */
typedef enum ndft_mode {
    NDFT_BATCH,      /* the mean of executions queued back to back */
    NDFT_COLD,       /* one execution after the caches were flushed */
    NDFT_WARM,       /* one execution after an untimed one on the same data */
    NDFT_GRAPH,      /* as batch, captured once and replayed */
    NDFT_STAGES,     /* as warm, with a time for each stage that the variant marks */
    NDFT_END_TO_END, /* plan, upload, execute and download, with a time for each */
    NDFT_N_MODES
} ndft_mode;

/* "batch", "cold", "warm", "graph", "stages", "end-to-end": as in records and options. */
const char *ndft_mode_name(ndft_mode);

/* The mode of this name; NDFT_N_MODES when there is none. */
ndft_mode ndft_mode_find(const char *name);

/* The modes of a list "batch,cold" as bits 1 << mode. NDFT_EINVAL with the nearest name. */
ndft_status ndft_modes_parse(const char *text, unsigned *modes, ndft_error *);

#endif
