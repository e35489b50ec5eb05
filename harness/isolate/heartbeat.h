/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_HEARTBEAT_H
#define NDFT_HEARTBEAT_H

#include "instruments/phase.h"

#include <signal.h>
#include <stdint.h>

/*
 * What a group is doing right now, kept where it survives the process that does it. Writing it
 * costs three stores, so that every sample of a timing can be a sign of life and none is disturbed.
 */
typedef struct ndft_heartbeat {
    _Atomic uint32_t beats;     /* grows with every sign of life */
    _Atomic int64_t in_hand;    /* candidate and phase together: never half of each */
    _Atomic double expected_s;  /* NaN: not known */
    volatile sig_atomic_t stop; /* not 0: the group shall end early */
} ndft_heartbeat;

typedef struct ndft_heartbeat_reading {
    uint32_t number;
    int candidate; /* -1: nobody's */
    ndft_phase phase;
    double expected_s;
} ndft_heartbeat_reading;

void ndft_heartbeat_write(ndft_heartbeat *, int candidate, ndft_phase, double expected_s);
ndft_heartbeat_reading ndft_heartbeat_read(const ndft_heartbeat *);

#endif
