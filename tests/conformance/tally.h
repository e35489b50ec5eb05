/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_VARIANTS_TALLY_H
#define NDFT_VARIANTS_TALLY_H

#include "cli/shard.h"
#include "group.h"

/* What the parts of ndft-variant-tests share: the variant under test, and the count of verdicts. */

typedef struct coverage_rule {
    ndft_candidate setting; /* knobs that are not at their default are those it speaks of */
    char op[16], dim[8], grad[8], prec[8], layout[16], samples[16]; /* "*" stands for any */
} coverage_rule;

typedef struct variant_suite {
    const ndft_backend *backend;
    coverage_rule *rules;
    int n_rules;
    ndft_shard shard; /* count 0: everything */
    int cases, parts; /* that suite_check and suite_check_taken, and suite_turn, were asked for */
    int passed, failed, unsupported;
} variant_suite;

/* Counts one outcome and prints a failure: what was tested, and why it is wrong. */
void suite_pass(variant_suite *);
void suite_unsupported(variant_suite *);
void suite_fail(variant_suite *, const ndft_candidate *, const char *what, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Reads coverage.def: lines "ID op dim grad prec layout [samples]", # comments. NDFT_EIO, or
 * NDFT_EINVAL naming a line that is malformed or whose variant is not registered. */
ndft_status coverage_read(variant_suite *, const char *path, ndft_error *);

/* Whether the rules say that this candidate must pass cases like this one: those that speak of the
 * most settings that it has. */
bool coverage_demands(const variant_suite *, const ndft_candidate *, const ndft_case *);

/* false: this is no case, which is a failure of the candidate's. */
bool suite_parse(variant_suite *, const ndft_candidate *, const char *text, ndft_case *);

/* Checks one candidate on one case: suite_verdict says what came of it, suite_judge counts that
 * (unsupported fails where coverage demands a pass), suite_check does both where the shard has the
 * case. */
ndft_check suite_verdict(variant_suite *, const ndft_candidate *, const ndft_case *);
void suite_judge(variant_suite *, const ndft_candidate *, const ndft_case *, const ndft_check *);
void suite_check(variant_suite *, const ndft_candidate *, const char *text);

/* Of a case with something that an engine takes or not. Who takes it may refuse what goes with it,
 * by a reason with one of the words, up to NULL; who does not must refuse the case. */
void suite_check_taken(variant_suite *, const ndft_candidate *, const char *text, bool takes,
                       const char *const *words);

/* The same of each case with each of the ends, lists up to NULL. */
void suite_check_each(variant_suite *, const ndft_candidate *, const char *const *cases,
                      const char *const *ends, bool takes, const char *const *words);

/* A file of its own, path ending in XXXXXX.npy; false: there is none, which is a failure. */
bool suite_temporary(variant_suite *, const ndft_candidate *, char *path);

/* Writes an .npy of doubles there. */
ndft_status suite_write(const char *path, double *values, const int64_t *shape, int rank,
                        ndft_error *);

/* Whether the next part is in the shard. */
bool suite_turn(variant_suite *);

/* Runs those of the parts, up to NULL, that are in the shard. */
typedef void suite_part(variant_suite *, const ndft_registered *);
void suite_parts(variant_suite *, const ndft_registered *, suite_part *const *parts);

/* The parts; each runs one registered and built variant through its cases. */
void test_grid(variant_suite *, const ndft_registered *);        /* operations, shapes, sizes */
void test_knobs(variant_suite *, const ndft_registered *);       /* every candidate value once */
void test_stages(variant_suite *, const ndft_registered *);      /* all choices of an engine's */
void test_clocks(variant_suite *, const ndft_registered *);      /* times of a file */
void test_gradients(variant_suite *, const ndft_registered *);   /* that leave little */
void test_decay(variant_suite *, const ndft_registered *);       /* R2*, or a refusal */
void test_maps(variant_suite *, const ndft_registered *);        /* coil maps */
void test_higher(variant_suite *, const ndft_registered *);      /* phase=, or a refusal */
void test_positions(variant_suite *, const ndft_registered *);   /* grid=, or a refusal */
void test_memory(variant_suite *, const ndft_registered *);      /* columns in several passes */
void test_properties(variant_suite *, const ndft_registered *);  /* identities of the operator */
void test_determinism(variant_suite *, const ndft_registered *); /* the same bits twice */
void test_together(variant_suite *, const ndft_registered *);    /* plans that live together */
void test_finite(variant_suite *, const ndft_registered *); /* NaN and Inf stay where they are */

/* The parts of those that serve uniform problems. */
void test_uniform(variant_suite *, const ndft_registered *);       /* tensors of every kind */
void test_uniform_knobs(variant_suite *, const ndft_registered *); /* every candidate value once */

/* Convolutions of every shape, by every value of every knob. */
void test_convolution(variant_suite *, const ndft_registered *);

/* Chirp z-transforms on the unit circle and off it, by every value of every knob. */
void test_chirpz(variant_suite *, const ndft_registered *);

/* What is asked of an ablation, in place of all the others. */
void test_ablation(variant_suite *, const ndft_registered *);

/* Holds the claims of a variant against the worst error over a suite of cases. */
void test_claims(variant_suite *, const ndft_registered *, const char *path);

/* Holds both claims of a variant against every entry and against data meant to break them. */
void test_adversary(variant_suite *, const ndft_registered *);

/* Counts the nodes of an execute where they are part of what a variant is. */
void test_nodes(variant_suite *, const ndft_registered *);

/* Times a variant in every mode. */
void test_timing(variant_suite *, const ndft_registered *);

/* What becomes of a variant that waits for the device inside execute; once a backend, in seconds.
 */
void test_waiting(variant_suite *);

#endif
