/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_HERE_H
#define NDFT_HERE_H

#include "heartbeat.h"
#include "isolate.h"

/* Groups run in this process: what a worker does, and what --in-process asks for. */

/* A device, and what a record says of the host beside it. */
typedef struct ndft_place {
    ndft_device device;
    int threads;
} ndft_place;

ndft_status ndft_here_describe(const ndft_backend *, ndft_place *, ndft_error *);

/* As ndft_isolate_run; the heartbeat beats with every phase and index of candidate. */
ndft_status ndft_here_run(const ndft_work *, const ndft_candidate *, int n,
                          const ndft_group_options *, const ndft_run *, ndft_heartbeat *,
                          const ndft_record_sink *, ndft_error *);

#endif
