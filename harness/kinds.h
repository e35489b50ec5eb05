/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_KINDS_H
#define NDFT_KINDS_H

#include "make.h"
#include "properties.h"
#include "reference.h"

/* What differs by kind of problem, in one table: the harness asks it and nothing else. */
typedef struct ndft_kind {
    ndft_status (*parse)(const char *text, ndft_case *, ndft_error *);
    int (*print)(const ndft_case *, char *text, size_t size);
    ndft_status (*make)(const ndft_case *, ndft_made *, ndft_error *);
    void (*release)(ndft_made *);

    /* The outputs that a check compares (free *outputs; NULL: all), and their values in double. */
    int64_t (*sample)(const ndft_made *, ndft_op, int64_t **outputs);
    ndft_status (*reference)(const ndft_made *, ndft_op, const int64_t *outputs, int64_t n_outputs,
                             double *result, int threads, ndft_error *);

    /* Bytes of the vector that an operation reads and writes, all coils. */
    size_t (*bytes_in)(const ndft_problem *, ndft_op);
    size_t (*bytes_out)(const ndft_problem *, ndft_op);

    double (*useful)(const ndft_problem *, ndft_op); /* work that every rate counts */
    double (*terms)(const ndft_problem *, ndft_op);  /* of forward's or adjoint's sums */

    const ndft_property *properties; /* that hold by definition */
    const int *n_properties;
} ndft_kind;

extern const ndft_kind ndft_nonuniform;

#endif
