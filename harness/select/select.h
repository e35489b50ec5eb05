/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SELECT_H
#define NDFT_SELECT_H

#include "base/exec.h"
#include "problem/question.h"

#include <jansson.h>

/* The decisions of a select.json, schema ndft-select/4; docs/selection.md has the fields. */

/* How a choice was come by, best first. */
typedef enum ndft_match {
    NDFT_MATCH_EXACT,   /* the problem's own class was measured */
    NDFT_MATCH_NEAR,    /* the nearest class that was measured */
    NDFT_MATCH_DEFAULT, /* nothing measured serves: the order of variants.def */
} ndft_match;

/* "exact", "near", "default" */
const char *ndft_match_name(ndft_match);

typedef struct ndft_select {
    json_t *root;
    char path[512];
} ndft_select;

/* One class and its decision, pointing into the file. Pairs are bounds, both included. */
typedef struct ndft_pick {
    ndft_kind_of_problem kind;
    const char *device, *prec, *mode;
    int dim;
    double tol;
    const char *what;    /* the operation, or of a uniform one the domain */
    int flags[3];        /* field, gradients, lines; in_place, contiguous, callbacks */
    double bounds[5][2]; /* voxels, samples, coils, per_time, turns; length, batch, factor */
    json_t *cases;       /* texts of the deciding cases */
    json_t *order;       /* entries in order of preference, the pick first */
} ndft_pick;

/* One variant in the order of a class. */
typedef struct ndft_entry {
    const char *variant, *record;
    double error;     /* what was promised or measured at worst, whichever is larger */
    json_t *measured; /* what it took on the class's cases; NULL: not said */
} ndft_entry;

/* One measurement of an entry. */
typedef struct ndft_timed {
    int at; /* which of the class's cases it is of */
    double median_s;
    json_t *cost, *parts; /* its declared cost, and what each amount takes of its time (s) */
} ndft_timed;

/* What was found; near_case is that of the nearest deciding case. */
typedef struct ndft_found {
    ndft_match match;
    double distance;
    const char *near_case;
    ndft_pick pick; /* not set for NDFT_MATCH_DEFAULT */
} ndft_found;

/* $NDFT_SELECT, else results/SLUG/select.json. */
void ndft_select_path(const char *slug, char *path, size_t size);

/* NDFT_EIO when the file cannot be read, NDFT_EINVAL when anything in it is not as the schema
 * says; everything else here may then rely on it. */
ndft_status ndft_select_open(const char *path, ndft_select *, ndft_error *);
void ndft_select_close(ndft_select *);

/* NDFT_EINVAL when the file decides nothing for this device, or one of the variants of this kind
 * that it was made from has changed since, or any is gone. */
ndft_status ndft_select_current(const ndft_select *, const ndft_device *, ndft_kind_of_problem,
                                ndft_error *);

/*
 * The class that the question falls into, else the nearest one of the same device, operation,
 * precision, gradients and mode, or of the same domain. The distance is Euclidean in log2 of
 * voxels, samples, coils, samples per time (64 at most) and turns (1 at least), or of length, batch
 * and factor (7 to 128), plus 2 for every factor of ten in tolerance, twice that where the class is
 * the looser one, 4 for another dimension, and 4 each for a field map or uniform lines on one side
 * only, or in place, contiguous or callbacks on one side only.
 */
ndft_found ndft_select_find(const ndft_select *, const ndft_question *);

/* The class of a pick whose kind is set, as json_unpack does: nonzero with the reason where it is
 * not as the schema says. */
int ndft_select_read_class(json_t *class, ndft_pick *, json_error_t *why);

/* Whether a class has anything to say about the question, and how far it is from one of its cases.
 */
bool ndft_select_comparable(const ndft_pick *, const ndft_question *);
double ndft_select_distance(const ndft_pick *, int at, const ndft_question *);

size_t ndft_select_size(const ndft_select *); /* number of classes */
ndft_pick ndft_select_pick(const ndft_select *, size_t i);
ndft_entry ndft_select_entry(const ndft_pick *, size_t i);
ndft_timed ndft_select_timed(const ndft_entry *, size_t i);

#endif
