/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CASE_CALLBACK_H
#define NDFT_CASE_CALLBACK_H

#include "case.h"

/*
 * The values of load= and store= of a uniform case; sizes x first, as many as the transform has
 * axes:
 *
 *     load=zero_pad:L1[xL2[xL3]]    what lies beyond the first L of an axis is 0 and not read
 *     store=crop:L1[xL2[xL3]]       what lies beyond the first L of an axis is not written
 *     store=deapodise:W             divided by the transform of a window W cells wide
 *     load=file:PATH:FUNCTION       the user's own: CUDA C in PATH.cu, C in the shared object
 *     store=file:PATH:FUNCTION      PATH.so
 *     load=none, store=none         the default, which is not printed
 */

/* side: "load" or "store". NDFT_EINVAL names the value and the nearest valid one. */
ndft_status ndft_case_callback_parse(const char *side, const char *value, const ndft_transform *,
                                     ndft_case_callback *, ndft_error *);

/* " load=VALUE", or nothing; the length as snprintf. */
int ndft_case_callback_print(const char *side, const ndft_case_callback *, int dim, char *text,
                             size_t size);

#endif
