/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PIN_H
#define NDFT_PIN_H

#include <stdbool.h>

/* The processors that this process may use, one for each physical core before any core has a
 * second. All zeros until they are found. */
typedef struct ndft_pins {
    int n, *processors;
} ndft_pins;

/*
 * Puts each OpenMP thread of a team on a core of its own, or lets all go wherever the process may.
 * Whether each has a core of its own now.
 *
 * The calling thread is left alone: threads that it starts inherit its cores, and OpenMP starts a
 * team's threads anew after a smaller team. So it takes the core that the others leave. Nothing is
 * done where there are more threads than cores, or one, or where OMP_PROC_BIND, OMP_PLACES or
 * GOMP_CPU_AFFINITY say what is wanted.
 */
bool ndft_pin(ndft_pins *, int threads, bool on);
void ndft_pins_free(ndft_pins *);

/* The processors of a mask of n in that order; how many there are. topology:
 * /sys/devices/system/cpu, where each one's siblings are to be found. */
int ndft_pin_order(const char *topology, const bool *mask, int n, int *processors);

#endif
