/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CASE_UNIFORM_H
#define NDFT_CASE_UNIFORM_H

#include "case.h"

/*
 * A case of the kind uniform: uniform:DESCRIPTOR [load=] [store=] [tol=] [data=random|file:PATH]
 * [seed=], e.g.
 *
 *     uniform:scfo8.1009*33 load=zero_pad:700 store=crop:500 tol=1e-4 seed=1
 *
 * with the descriptor of descriptor.h and the functions of case_callback.h; data= is printed of a
 * file alone. All else of the case
 * follows from it: the operation is forward, n the lengths, m the transforms of the batch.
 */

bool ndft_is_uniform(const char *text);

ndft_status ndft_case_uniform_parse(const char *text, ndft_case *, ndft_error *);
int ndft_case_uniform_print(const ndft_case *, char *text, size_t size);

#endif
