/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CALLBACK_PASS_H
#define NDFT_CALLBACK_PASS_H

#include "base/uniform.h"

/* Load and store functions on the CPU as passes of their own, before and after a transform that
 * knows nothing of them. Threads share out the elements. */

/* copy: as large as the input and laid out as it is; its elements become what the load function
 * gives, or, without one, all of its `bytes` the input's. Returns copy. */
void *ndft_load_pass(const ndft_transform *, const void *in, void *copy, size_t bytes, int threads);

/* Gives every element of result, laid out as the output, to the store function. */
void ndft_store_pass(const ndft_transform *, const void *result, void *out, int threads);

#endif
