/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_GATE_H
#define NDFT_GATE_H

#include "device/backend.h"

/* What a device does while the host queues executions behind it, so that these take what the device
 * takes for them: a copy to the host. */
typedef struct ndft_gate {
    void *from, *to;
    double seconds; /* 0: there is none */
} ndft_gate;

/* None where there is no such memory, or what is queued is done at once. */
ndft_status ndft_gate_make(ndft_gate *, ndft_exec *, const ndft_backend *);
void ndft_gate_drop(ndft_gate *, ndft_exec *, const ndft_backend *);

/* Queues it. */
ndft_status ndft_gate_close(const ndft_gate *, ndft_exec *, const ndft_backend *);

#endif
