/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PROCESSOR_H
#define NDFT_PROCESSOR_H

#include "base/exec.h"

/* The processor, of which so many hardware threads are used. */
ndft_device ndft_device_cpu(int threads);

/* More threads than any machine has; 100000 overflow the stack on which libgomp starts them. */
enum { NDFT_MOST_THREADS = 4096 };

/* Of OpenMP, as the process has it. */
ndft_status ndft_openmp_threads(int *threads, ndft_error *);

/* Of one of its last-level caches, as the kernel tells it: sysconf adds up caches that cores do not
 * share. A usual size where it is unknown, as in some virtual machines. */
size_t ndft_last_cache_bytes(void);

#endif
