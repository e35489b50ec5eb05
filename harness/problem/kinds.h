/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_KINDS_H
#define NDFT_KINDS_H

#include "harness.h"
#include "make/make.h"
#include "naming/verdict.h"
#include "reference.h"

/* What differs by kind of problem, in one table: the harness asks it and nothing else. How a case
 * of each kind is written is known to harness/case. */
typedef struct ndft_kind {
    ndft_kind_of_problem problems;
    const char *name;

    ndft_status (*make)(const ndft_case *, ndft_made *, ndft_error *);

    /* The outputs that a check compares (free *outputs; NULL: all), and their values in double. */
    int64_t (*sample)(const ndft_problem *, ndft_op, uint64_t seed, int64_t **outputs);
    ndft_status (*reference)(const ndft_made *, ndft_op, const int64_t *outputs, int64_t n_outputs,
                             double *result, int threads, ndft_error *);
    ndft_difference (*compare)(const ndft_problem *, ndft_op, const void *in, const void *out,
                               const int64_t *outputs, int64_t n_outputs, const double *result);

    /* The case's line and every array of it into a folder, as .npy. */
    ndft_status (*export)(const ndft_case *, const ndft_made *, const char *folder, ndft_error *);

    /* Outputs that there are to compare, and all of them as one .npy: as a variant leaves them, or
     * the values in double that reference gives. */
    int64_t (*outputs)(const ndft_problem *, ndft_op);
    ndft_status (*write)(const char *path, const ndft_problem *, ndft_op, const void *out,
                         ndft_error *);
    ndft_status (*write_reference)(const char *path, const ndft_problem *, ndft_op, double *result,
                                   ndft_error *);

    double (*useful)(const ndft_problem *, ndft_op); /* work that every rate counts */

    /* Whether a real of the output's memory is written (NULL: all are); the others are left as they
     * were. */
    bool (*writes)(const ndft_problem *, int64_t real);

    /* The most bits that an execution adds to the norm of what it finds where it overwrites its
     * input; infinite where nobody knows. NULL: nobody knows of any. */
    double (*growth_bits)(const ndft_problem *);

    /* The problem of the first m samples, by which an estimate starts; NULL: the declared cost must
     * do. */
    ndft_problem (*part)(const ndft_problem *, int64_t m);

    /* The variant by whose sums in double on a GPU every output is known where a sample is all that
     * the host can sum. NULL: there is none. */
    const char *oracle;
} ndft_kind;

extern const ndft_kind ndft_nonuniform, ndft_uniform_kind, ndft_convolution_kind, ndft_chirpz_kind;

/* The kind of a case, and of the problems that a variant serves. */
const ndft_kind *ndft_kind_of(const ndft_case *);
const ndft_kind *ndft_kind_serving(ndft_kind_of_problem);

/* NDFT_EINVAL for a case of another kind than the variant serves. */
ndft_status ndft_kind_match(const ndft_case *, const ndft_registered *, ndft_error *);

/* What a candidate promises for a problem and operation. */
ndft_promise ndft_claim_of(const ndft_kind *, const ndft_candidate *, const ndft_problem *,
                           ndft_op);

/* All that can be known without running: built, operation, the variant's own sentence, the
 * claim of tol's kind against tol (not of an ablation). True when it fits; else check has verdict
 * and reason. */
bool ndft_fits(const ndft_kind *, const ndft_candidate *, const ndft_problem *, ndft_op,
               const ndft_device *, ndft_check *);

#endif
