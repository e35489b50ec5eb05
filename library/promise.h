/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PROMISE_H
#define NDFT_PROMISE_H

#include "base/uniform.h"
#include "served.h"

/* Bytes of the vector that an operation reads and writes, all coils; both of one where it is in
 * place, so that the output overwrites the input. */
size_t ndft_input_bytes(const ndft_problem *, ndft_op);
size_t ndft_output_bytes(const ndft_problem *, ndft_op);
bool ndft_in_place(ndft_kind_of_problem, const ndft_problem *);

/* The errors that a variant promises, by ndft_tol_kind. */
typedef struct ndft_promise {
    double typical, any;
} ndft_promise;

/*
 * The claim of a variant for a problem and operation. That of the normal operator is the sum of
 * forward's and adjoint's: the adjoint does not amplify the error of A x by more than it amplifies
 * A x itself. What its sums round is more where samples repeat (docs/measurement.md derives both).
 */
ndft_promise ndft_promise_of(ndft_kind_of_problem, const ndft_variant *, const int *knobs,
                             const ndft_problem *, ndft_op);

/* Whether what is promised of tol's kind is within tol; else NDFT_EUNSUPPORTED with both numbers.
 */
ndft_status ndft_promise_holds(const ndft_promise *, const ndft_problem *, ndft_error *);

/* The same of a variant for all of ops. What it promises of the other kind is not asked, which may
 * take as long as all else that is asked of an engine. */
ndft_status ndft_promise_tol(ndft_kind_of_problem, const ndft_variant *, const int *knobs,
                             const ndft_problem *, unsigned ops, ndft_error *);

/* The typical claim of a variant for this problem: rel_l2 promised (see ndft_claim). terms: length
 * of the operation's sums. truncation 0 where there is none. */
double ndft_claim_bound(ndft_prec, double a, double b, double c, double phi_max, double terms,
                        double truncation);

/* The claim for any data: max_err promised (see ndft_claim_any). */
double ndft_claim_any_bound(ndft_prec, double a, double c, double phi_max, double chain,
                            double truncation);

#endif
