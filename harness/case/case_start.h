/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CASE_START_H
#define NDFT_CASE_START_H

#include "base/text.h"
#include "case.h"

/*
 * What a case begins with, and cannot do without, by its kind:
 *
 *     OP DIM                  nonuniform
 *     uniform:DESCRIPTOR      uniform (descriptor.h)
 *     convolve:DESCRIPTOR     convolution: precision operation N1 ["x" N2 ["x" N3]] ["*" batch]
 *                             precision = "s" | "d", operation = "f" | "a" | "n" (forward, ...)
 *     chirpz:DESCRIPTOR       chirp z-transform: precision N ["*" batch]
 */

/* Reads it from line, which it cuts as strtok_r does: *rest is what is behind. Sets the kind and
 * what follows from the start. */
ndft_status ndft_start_parse(char *line, char **rest, ndft_case *, ndft_error *);

void ndft_start_print(const ndft_case *, ndft_text *);

/* "uniform": what a case of the kind begins with, before its colon; of nonuniform ones NULL. */
const char *ndft_start_word(ndft_kind_of_problem);

/* What is between words. */
extern const char ndft_blanks[];

#endif
