/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SHIM_H
#define NDFT_SHIM_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Google Benchmark, as much of it as C needs. No C++ exception leaves these functions. */

typedef struct ndft_gbench_state ndft_gbench_state; /* one run of one benchmark */

/* A benchmark; called as often as the library likes, and must loop or skip every time. */
typedef void ndft_gbench_body(void *context, ndft_gbench_state *);

/* A batch of executions: says how many seconds it took, returns non-zero when it failed. */
typedef int ndft_gbench_batch(void *context, double *seconds);

/* Reads the --benchmark_* flags and takes them out of argv; answers --help and exits. */
void ndft_gbench_begin(int *argc, char **argv);

/* Adds a line to the context that the output begins with. */
void ndft_gbench_context(const char *key, const char *value);

/* Registers a benchmark; non-zero when there is no memory. */
int ndft_gbench_add(const char *name, ndft_gbench_body *, void *context);

/* Runs or lists what the flags ask for; how many benchmarks matched --benchmark_filter. */
size_t ndft_gbench_run(void);

/* Reports the run as an error that says why. */
void ndft_gbench_skip(ndft_gbench_state *, const char *why);

/* Runs batches, each of so many executions, until the library has enough or one fails; then the
 * caller must skip, for the library aborts the program when a loop ends early without that. */
int ndft_gbench_loop(ndft_gbench_state *, int batch, ndft_gbench_batch *, void *context);

/* After the loop: reports a value; rate: a value per execution, reported per second. NaN and
 * infinity are left out, since the library would make invalid JSON of them. */
void ndft_gbench_counter(ndft_gbench_state *, const char *name, double value, bool rate);

#ifdef __cplusplus
}
#endif
#endif
