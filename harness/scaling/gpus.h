/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_GPUS_H
#define NDFT_GPUS_H

#include "cli/cli.h"

/* Scaling of one case: the best plain plan of one device, and groups of several, in this process.
 */
typedef struct ndft_gpus {
    const char *numbers; /* of devices, "1,2,4"; NULL: none */
    const char *ranks;   /* of processes with one device each, likewise */
    int iterations;      /* of conjugate gradients in an execution; 0: it is the operation alone */
    const char *backend; /* NULL: CUDA where there is a GPU, else the processor, of which as many
                          * devices are made, each with its share of the threads */
    const char *variant; /* the engine of all parts by its id; NULL: the library chooses */
    double budget_s;     /* measured time for each number */
    int min_samples;
    bool json;          /* records on standard output; bits are told of on standard error */
    const char *output; /* the file that records are appended to; NULL: none */
    int argc;           /* for the run's line */
    char **argv;
    const volatile sig_atomic_t *interrupted;
} ndft_gpus;

/*
 * Prints time, efficiency against the plain plan, and whether 8 parts give the same bits on 1, 2, 4
 * and 8 devices. Results are held against the plain plan's, which ndft check holds against the
 * reference. The exit code: 1 where results or bits differ.
 */
int ndft_gpus_run(const ndft_gpus *, const char *text);

#endif
