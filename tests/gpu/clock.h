/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TEST_CLOCK_H
#define NDFT_TEST_CLOCK_H

#include "support/known.h"

#include <cuda_runtime.h>

/* Kernels that take a time which is known, as variants for known_measure. */

/* What a spinning kernel has seen itself of all its launches, by the multiprocessor's cycle counter
 * and the device's timer. */
struct spun {
    unsigned long long cycles, ns, launches;
};

struct job {
    void (*launch)(const job *, cudaStream_t);
    unsigned long long cycles; /* to spin for */
    spun *seen;                /* device */
    float *result;             /* device */
    int links, blocks;         /* of the chain; of 32 threads each */
    ndft_exec *exec;           /* of the plan */
};

void launch_spin(const job *, cudaStream_t);
void launch_chain(const job *, cudaStream_t);

/* A job is the plan of both; the second one marks its end as the stage "spin". */
extern const ndft_variant job_variant, staged_job_variant;

/* Seconds of an execution as nvbench takes them: cold, and many at a time. NaN: CUDA failed. */
double nvbench_cold(const job *);
double nvbench_batch(const job *);

#endif
