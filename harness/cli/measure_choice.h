/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_MEASURE_CHOICE_H
#define NDFT_MEASURE_CHOICE_H

#include "choose.h"

/* Adds the program's wisdom to the library's table, where there is any; what is wrong with the file
 * is said on stderr and costs the wisdom alone. */
void ndft_load_wisdom(void);

/*
 * Has the library measure who is the fastest for a made problem on the first device of a backend,
 * as ndft_plan_create does for whoever asks it to, and keeps what it found. NDFT_EINVAL for a mode
 * that is none, and what plans fail with.
 */
ndft_status ndft_measure_choice(const ndft_kind *, const ndft_made *, ndft_op, const char *backend,
                                const ndft_choosing *, ndft_error *);

#endif
