/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_EXPAND_H
#define NDFT_EXPAND_H

#include "texts.h"

#include <stdbool.h>

/*
 * The sweeps in a suite line. A word stands for one axis of values:
 *
 *     coils={1,8}  traj={radial,golden}:32    alternatives, anywhere in a word
 *     tile=32:1024:*2  t=5ms:30ms:+5ms        from, to and factor or step, both ends included
 *     zip(n={64x64,128x128},m={4096,16384})   values that go together
 *
 * and any other word for itself.
 */

enum { NDFT_POINTS_MAX = 100000 }; /* of one axis, and of a suite */
enum { NDFT_WORDS_MAX = 256 };     /* of a line */
enum { NDFT_BRACES_MAX = 32 };     /* of a word: pairs within or behind each other */

/* Splits a line at blanks outside of braces and parentheses, and drops those inside; # before a
 * word ends the line. */
ndft_status ndft_words_split(const char *line, ndft_texts *words, ndft_error *);

/* Fills points, an empty list, with those of a word's axis, for zip as words joined by blanks.
 * NDFT_EINVAL names an empty or endless range, or lists of different lengths. */
ndft_status ndft_word_expand(const char *word, ndft_texts *points, ndft_error *);

/* Whether a word ends as a:b:+s or a:b:*f do. */
bool ndft_is_range(const char *word);

#endif
