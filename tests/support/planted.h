/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PLANTED_H
#define NDFT_PLANTED_H

#include "registry.h"

/* Variants for tests of the harness: the reference behind a variant's face, with a fault. */

typedef enum planted_fault {
    PLANTED_NONE,
    PLANTED_ONE_WRONG,   /* one output is off by 1 */
    PLANTED_OVERRUN,     /* writes one value past the output */
    PLANTED_UNDERRUN,    /* and one before it */
    PLANTED_UNWRITTEN,   /* leaves the last output as it was */
    PLANTED_EATS_INPUT,  /* zeroes the first input value */
    PLANTED_NAN,         /* makes the first output NaN */
    PLANTED_FAILS,       /* execute returns an error */
    PLANTED_FAILS_LATE,  /* only from the third execute on */
    PLANTED_NOT_ADJOINT, /* the adjoint's imaginary parts are off by a thousandth */
    PLANTED_NOT_FORWARD, /* those of forward */
    PLANTED_REFUSES,     /* unsupported, with a sentence */
    PLANTED_HUNGRY,      /* plan asks for more memory than there is */
    PLANTED_BAD_PLAN,    /* plan returns an error */
    PLANTED_BAD_CASE,    /* plan finds the case wrong */
    PLANTED_BOASTS,      /* claims more accuracy than it has */
    PLANTED_MODEST,      /* claims less accuracy than any case asks for */
    PLANTED_SLOW,        /* takes 10 ms whatever the size, and declares a cost of days */
    PLANTED_LATE,        /* one output is off by 1 after the hundredth execution of a plan */
    PLANTED_IN_GRAPH,    /* in the replay of a graph (planted_graphs.h) */
    PLANTED_ALONE,       /* in a plan that was made for one operation alone */
    PLANTED_UNSTEADY,    /* the first output's last bit turns with every execution */
    PLANTED_MARKED,      /* while somebody listens to its marks */
    PLANTED_FAILS_OVER,  /* execute returns an error after the hundredth */
} planted_fault;

/*
 * One variant on the CPU whose only knob is its fault: f32 and f64, forward and adjoint.
 * planted_careless is the same without the promise to preserve its input, and without that of the
 * same bits; planted_fused has the normal operator too, and marks its one stage; planted_ablation
 * is planted's "without its sum".
 */
extern const ndft_registered planted, planted_careless, planted_fused, planted_ablation;
extern const ndft_variant planted_variant;

#endif
