/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_WORDS_H
#define NDFT_WORDS_H

/* The word of a NULL-terminated list that is nearest to word by edit distance (optimal string
 * alignment); never NULL unless the list is empty. For "nearest: WORD" in messages. */
const char *ndft_nearest(const char *word, const char *const *words);

#endif
