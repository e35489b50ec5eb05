/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUMBER_IN_H
#define NDFT_NUMBER_IN_H

/* The number behind the word that a line of a file begins with, as /proc and cgroups have them, in
 * the base; -1 where there is none. */
long long ndft_number_in(const char *path, const char *word, int base);

#endif
