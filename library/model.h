/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_MODEL_H
#define NDFT_MODEL_H

#include "cost.h"
#include "id.h"

/*
 * How long engines take, learnt from records (analysis/model.py): of each engine, operation and
 * precision what an execution costs for each unit of what the engine declares, on the device where
 * it was measured, and what such sums err by. One text a backend, library/model/BACKEND.txt, which
 * the library carries and reads once: a line for each device, and behind it those of the engine's
 * name, the operation, the precision, the error in percent and costs in 1e-21 s, "any" standing for
 * all. A device that has none of its own is estimated for by the first of its instruction set, else
 * by the first, through the ceilings of both.
 */

enum {
    NDFT_MODEL_ROUGH = NDFT_COST_FIELDS, /* DRAM traffic of axes with a prime p from 17 to 127,
                                          * times sqrt(p) */
    NDFT_MODEL_ROUGHER,                  /* that of axes with a larger prime */
    NDFT_MODEL_ACROSS,    /* and of all axes but one: their lines lie beside others */
    NDFT_MODEL_CONVOLVED, /* how many axes have a prime above 127 */
    NDFT_MODEL_SUMMED,    /* primes from 17 to 127 of all axes: steps of a sum */
    NDFT_MODEL_LINE,  /* cells of all axes of at most 16384, in double twice: a block has a line */
    NDFT_MODEL_AXES,  /* all but one */
    NDFT_MODEL_DEPTH, /* steps by two of all axes: passes follow each other */
    NDFT_MODEL_CHIRPED, /* cells, in double twice, of axes with a prime above 31: no radix */
    NDFT_MODEL_START,   /* one execution */
    NDFT_MODEL_TERMS
};

typedef struct ndft_model_line {
    int op;                        /* 0: any */
    double cost[NDFT_MODEL_TERMS]; /* s, by ndft_cost_name's order and the terms above */
    double error;                  /* the usual deviation of the logarithm of a time */
} ndft_model_line;

/* By whose records a device's engines are estimated, as far as estimates ask: by its own, where it
 * has a slug and was measured. */
const ndft_device *ndft_model_device(const ndft_device *);

/* An engine's line of that; NULL: it has none. */
const ndft_model_line *ndft_model_of(const ndft_registered *, ndft_op, ndft_prec,
                                     const ndft_device *);

/* "fma", "rough" */
const char *ndft_model_term(int term);

/* What those are costs of, on a device of so many units: arithmetic in double counts twice, and
 * what some of the units alone can share as if the others did it, too. */
void ndft_model_amounts(const ndft_cost *, ndft_kind_of_problem, const ndft_problem *, int units,
                        double amount[NDFT_MODEL_TERMS]);

#endif
