/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_THREADS_H
#define NDFT_THREADS_H

#include "exec.h"

/* More threads than any machine has; 100000 overflow the stack on which libgomp starts them. */
enum { NDFT_MOST_THREADS = 4096 };

/* Of OpenMP, as the process has it. */
ndft_status ndft_openmp_threads(int *threads, ndft_error *);

/* Whether the process may have so many, of which it has some: OpenMP ends it where it may not.
 * name: of what said how many. */
ndft_status ndft_threads_start(int threads, const char *name, ndft_error *);

#endif
