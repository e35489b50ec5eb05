/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PROPERTIES_H
#define NDFT_PROPERTIES_H

#include "base/problem.h"
#include "base/status.h"

/*
 * Properties that the operator has by its definition, tested on any implementation without an
 * oracle (after FFTW's libbench2/verify-lib.c). Each builds small random problems of a shape,
 * applies the implementation to them and to modified ones, and measures how far an identity is
 * from holding.
 */

/* Runs an implementation on any problem, host arrays, in the problem's precision and layout. Any
 * status but NDFT_OK ends the property and is handed on, NDFT_EUNSUPPORTED among them. */
typedef ndft_status ndft_apply(void *context, const ndft_problem *, ndft_op, const void *in,
                               void *out, ndft_error *);

typedef struct ndft_operator {
    ndft_apply *apply;
    double (*claim)(void *context, const ndft_problem *, ndft_op); /* promised relative l2 error */
    void *context;
} ndft_operator;

/* The problems that a property draws. */
typedef struct ndft_shape {
    int dim;
    int64_t n[3]; /* 1 beyond dim */
    int64_t n_samples;
    int coils;
    ndft_layout layout;
    ndft_prec prec;
    double tol; /* requested error that the problems carry */
    bool gradients, masked, decays, higher, off_grid;
    uint64_t seed;
} ndft_shape;

/* The property holds when discrepancy <= bound (so not when it is NaN). */
typedef struct ndft_measured {
    double discrepancy; /* relative, l2 */
    double bound;       /* from the claims and from what rounding the problem's arrays adds */
} ndft_measured;

typedef struct ndft_property_fixture ndft_property_fixture;

/* What a property may need of a shape, bits. */
enum {
    NDFT_NEEDS_GRADIENTS = 1,
    NDFT_NEEDS_DECAY = 2,
    NDFT_NEEDS_HIGHER = 4,
    NDFT_NEEDS_POSITIONS = 8
};

typedef struct ndft_property {
    const char *name;
    const char *identity; /* in one line */
    unsigned ops;         /* operations that it is measured with, one at a time */
    unsigned needs;       /* what the operator is applied with whatever the shape says */
    ndft_status (*check)(ndft_property_fixture *, ndft_op, ndft_measured *worst);
} ndft_property;

extern const ndft_property ndft_properties[];
extern const int ndft_n_properties;

/* Measures one property; of its operations the one nearest to, or furthest beyond, its bound. */
ndft_status ndft_property_run(const ndft_property *, const ndft_operator *, const ndft_shape *,
                              ndft_measured *, ndft_error *);

#endif
