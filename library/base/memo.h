/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_BASE_MEMO_H
#define NDFT_BASE_MEMO_H

#include "problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Answers about problems that take long to find and are asked for again and again, while engines
 * are compared, prepared and described. Belongs to whoever makes a problem, whose copies with other
 * members ask questions of their own. Any number of threads may ask at once.
 */

/* NULL: there is no memory, and nothing is remembered. */
ndft_memo *ndft_memo_create(void);
void ndft_memo_destroy(ndft_memo *);

/* Which no other of the process has, nor had: it tells whose problem's arrays something was made of
 * that outlives them. 0 of no memo. */
uint64_t ndft_memo_number(const ndft_memo *);

/* A question is a name, which is compared by its letters, and numbers that its answer follows from
 * beside the problem. */
typedef struct ndft_question {
    const char *name; /* static */
    double number[4];
} ndft_question;

/* Writes the answer, of this many bytes, where the problem has a memo that knows it. */
bool ndft_memo_recall(const ndft_problem *, ndft_question, void *answer, size_t bytes);
void ndft_memo_remember(const ndft_problem *, ndft_question, const void *answer, size_t bytes);

/* The same of what is too large to copy: it is the memo's from then on, which releases it at last.
 * False: nothing is kept, and it is the caller's. */
bool ndft_memo_keep(const ndft_problem *, ndft_question, void *object, void (*release)(void *));
void *ndft_memo_kept(const ndft_problem *, ndft_question); /* NULL: nothing is */

/* What was found out by clock and maps alone, of `from` without its k, is known of `to` as well,
 * whose clock and maps have the same values; where k_max was asked about, only if that is the same.
 */
void ndft_memo_inherit(const ndft_problem *to, const ndft_problem *from);

#ifdef __cplusplus
}
#endif
#endif
