/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_VARIANT_H
#define NDFT_VARIANT_H

#include "base/exec.h"
#include "base/problem.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One implementation of the operator: a const descriptor at the bottom of its file. */

enum { NDFT_MAX_KNOBS = 32, NDFT_MAX_CANDIDATES = 12, NDFT_CHOSEN_TEXT = 160 };

/*
 * A tuning parameter. Values are non-negative integers; where words is set, they are indices into
 * it and are written as words. candidates lists what a sweep may try; other values may fit too, and
 * unsupported() says so when not.
 */
typedef struct ndft_knob {
    const char *name, *unit, *summary;
    const char *const *words; /* NULL-terminated, or NULL for a number */
    int preset;               /* the default value */
    int n_candidates;
    int candidates[NDFT_MAX_CANDIDATES];
} ndft_knob;

/* Rows of a variant's knobs, a number's and a word's: candidates stand in parentheses. */
#define NDFT_KNOB(name, unit, summary, preset, candidates)                                         \
    {                                                                                              \
        name, unit, summary, NULL, preset, NDFT_COUNT candidates, { NDFT_LIST candidates }         \
    }
#define NDFT_KNOB_WORDS(name, summary, words, preset, candidates)                                  \
    {                                                                                              \
        name, "", summary, words, preset, NDFT_COUNT candidates, { NDFT_LIST candidates }          \
    }
#define NDFT_LIST(...) __VA_ARGS__
#define NDFT_COUNT(...) NDFT_THIRTEENTH(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define NDFT_THIRTEENTH(a, b, c, d, e, f, g, h, i, j, k, l, n, ...) n

/* Of a descriptor: an array of knobs. */
#define NDFT_KNOBS(array) .knobs = (array), .n_knobs = sizeof(array) / sizeof *(array)

/*
 * A bound on max |E_jk| and on what sums round beside it, so that every output errs by at most this
 * times |x|_1: eps (a phi_max + c + 2 sqrt(2) chain) + truncation. An addition rounds by eps of a
 * partial sum, which never exceeds |x|_1; a term is two multiply-adds in each of two components.
 */
typedef struct ndft_claim_any {
    double a, c; /* of one entry: phase before it is reduced, everything else */
    /* The terms that the longest sum of one accumulator takes, joins counted; NULL: all there are.
     */
    double (*chain)(const ndft_problem *, ndft_op, const int *knobs);
    /* Worst entry of an approximation beyond rounding; NULL: none. */
    double (*truncation)(const ndft_problem *, ndft_op, const int *knobs);
} ndft_claim_any;

/* chain of those whose any error is all in their truncation. */
static inline double ndft_no_chain(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)p;
    (void)op;
    (void)knobs;
    return 0;
}

/* What exp(-R t) adds to the error of an entry, in eps of that entry: the exponential within 3
 * (phase/decay.h), and the product with it. */
enum { NDFT_DECAY_EPS = 4 };

/*
 * What a phase of higher order adds to the error of an entry where each product is reduced by an
 * FMA, four at a time, in eps: docs/measurement.md derives it. The typical one and any.
 */
static inline double ndft_higher_eps(const ndft_problem *p) { return 8 * sqrt(p->higher.terms); }

static inline double ndft_higher_eps_any(const ndft_problem *p)
{
    const double small = 48 * 3.15, other = p->phi_max - p->higher.most;
    return p->higher.terms ? 20 * p->higher.terms + 16 + (other < small ? other : small) : 0;
}

/*
 * The two promised errors (ndft_tol_kind). The typical one, relative l2, is
 * eps (a phi_max + b sqrt(terms) + c) + truncation + sums, with eps = 2^-24 (f32) or 2^-53 (f64)
 * and terms the length of the sum. a = 0 where the phase is reduced exactly.
 */
typedef struct ndft_claim {
    double a, b, c;
    /* Bound of an approximation beyond rounding; NULL: none. */
    double (*truncation)(const ndft_problem *, const int *knobs);
    /* What an operation's sums round where b does not say it; NULL: nothing. */
    double (*sums)(const ndft_problem *, ndft_op, const int *knobs);
    bool by_chance; /* both count what chance makes of few outputs (ndft_chance) themselves */
    ndft_claim_any any;
    bool deterministic;    /* same bits from run to run */
    bool overwrites_input; /* works in it */
} ndft_claim;

/* Executed operations of one execute, all coils. Useful work is ndft_coil_pairs, not here. */
typedef struct ndft_cost {
    double fma;         /* fused multiply-adds and multiplies, f32 or f64 lanes by precision */
    double add;         /* additions, roundings */
    double special;     /* sin, cos, reciprocal on the special-function unit or in libm */
    double tensor;      /* multiply-adds on tensor cores */
    double integer;     /* integer, shift, conversion */
    double issue_slots; /* instructions issued, counted per lane */
    double dram_bytes, l2_bytes;
    double shared_bytes; /* of the path's width: 128 for each wavefront, however few it carries */
    double launches;     /* on the processor, parallel regions */
    double threads;      /* of the processor's, that can share all this at most; 0: all */
} ndft_cost;

/* What an engine is when its stages are chosen: what its descriptor is for all others. */
typedef struct ndft_traits {
    const char *summary;
    unsigned ops;
    ndft_claim claim;
    const char *const *stages;
    uint32_t matter; /* bit i: knob i does; others keep their default and are not printed */
} ndft_traits;

typedef struct ndft_variant {
    const char *name;    /* unique over all families, the file's name without backend */
    const char *backend; /* "cpu", "cuda" */
    const char *summary; /* one line for `ndft list` */
    const ndft_knob *knobs;
    int n_knobs;
    unsigned ops;  /* the operations it can serve, bits of ndft_op; 0: forward and adjoint */
    bool decays;   /* takes decay; problems with it are kept from all others */
    bool higher;   /* takes a phase of higher order, likewise */
    bool off_grid; /* takes voxels off the grid, likewise */
    ndft_claim claim;

    /* NULL when it can run this problem, else a sentence saying why not. Knobs in declared order.
     * No function: it runs all. */
    const char *(*unsupported)(const ndft_problem *, const ndft_device *, const int *knobs);

    /* Prepares; may allocate, upload, build tables, sort. ops: the operations to be served. The
     * problem outlives the plan. On failure nothing stays allocated. */
    ndft_status (*plan)(const ndft_problem *, const int *knobs, unsigned ops, ndft_exec *,
                        void **plan);

    /* Overwrites out from in, both in device memory; zeroing is inside. Only launches on exec's
     * stream: never allocates, prints, times or synchronises. */
    ndft_status (*execute)(void *plan, ndft_op, const void *in, void *out);

    void (*destroy)(void *plan);

    /*
     * Gives a plan the problem's coil maps, planar in host memory that outlives it: images are one
     * from then on, of which each coil sees its map times the voxel, and of the adjoint the sum
     * over coils. What it was planned for has none, nor have claims and cost (coil_maps.h). NULL:
     * plans have images of all coils, and maps are put around them.
     */
    ndft_status (*take_maps)(void *plan, const void *maps);

    ndft_cost (*cost)(const ndft_problem *, ndft_op, const int *knobs);

    /* The same for a model's line, where a part takes more or less of the time than its counts say;
     * NULL: cost. */
    ndft_cost (*weighed)(const ndft_problem *, ndft_op, const int *knobs);

    /* NULL when execute can be captured into a graph, else a sentence saying why not. */
    const char *uncapturable;

    /* Names of the stages that execute marks (ndft_mark), NULL-terminated; NULL: it marks none. The
     * nufft family has "deapodisation", "fft", "convolution". */
    const char *const *stages;

    /* What a plan chose by itself, by timing or from the problem, as "cells=2048,threads=256": it
     * stands in the record. Empty where there was nothing to choose. NULL: never. */
    void (*chosen)(const void *plan, char *text, size_t size);

    /* Of an engine, some of whose knobs are words that choose its stages: what it is with these.
     * Knobs of two stages may share a name, then they share a value. NULL: summary, ops, claim and
     * stages are as they stand here, and every knob matters. */
    ndft_traits (*traits)(const int *knobs);

    /* Bit i: knob i makes plans that take long and may be faster, so that plans that measure try
     * all of its candidates, and others its preset alone. */
    uint32_t tried;
} ndft_variant;

#ifdef __cplusplus
}
#endif

#if defined(__FAST_MATH__) || defined(__USE_FAST_MATH__)
#error "ndft is never built with -ffast-math or --use_fast_math"
#endif

#endif
