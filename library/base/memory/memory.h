/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_MEMORY_H
#define NDFT_MEMORY_H

#include <stddef.h>

/*
 * Bytes of host memory that can be had now: MemAvailable of /proc/meminfo, else all that there is,
 * and what the process may have (ulimit -v, a container's limit). Linux grants more than it has and
 * kills later; what exceeds this is better refused.
 */
size_t ndft_memory_available(void);

/* Bytes of addresses that the process may still have (ulimit -v); SIZE_MAX: no limit. */
size_t ndft_addresses_left(void);

/* Of the machine, or of its container. */
size_t ndft_memory_total(void);

#endif
