/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CALLBACK_PASS_H
#define NDFT_CALLBACK_PASS_H

#include "callback_inner.h"
#include "core/arena.h"

/* Load and store functions on the CPU as passes of their own. Threads share out the elements. */
typedef struct ndft_callback_passes {
    const ndft_transform *transform;
    ndft_transform inner; /* what is between them, from copy to result where there are these */
    void *copy;           /* of the input, or what the load function gives; NULL: none */
    void *result;         /* for the store function; NULL: none */
    size_t bytes;         /* of the input */
    int threads;
} ndft_callback_passes;

/* copies: the input is copied where there is no load function, too. The transform outlives them. */
ndft_status ndft_callback_passes_make(ndft_arena *, const ndft_problem *, bool copies,
                                      ndft_callback_passes *);

/* What the transform reads for an input, loaded or copied where that is to be done. */
const void *ndft_callback_load(const ndft_callback_passes *, const void *in);

/* What it writes for an output, and that brought to the output. */
void *ndft_callback_result(const ndft_callback_passes *, void *out);
void ndft_callback_store(const ndft_callback_passes *, void *out);

#endif
