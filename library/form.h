/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FORM_H
#define NDFT_FORM_H

#include <ndft/uniform.h>

#include <stdbool.h>

/* What a plan knows of its vectors, by the kind of problem. */
typedef struct ndft_form {
    /* Bytes of the vector that an operation reads and writes, all coils. */
    size_t (*bytes_in)(const ndft_problem *, ndft_op);
    size_t (*bytes_out)(const ndft_problem *, ndft_op);

    double (*terms)(const ndft_problem *, ndft_op); /* of forward's or adjoint's sums */

    /* Whether the output overwrites the input; NULL: never. */
    bool (*in_place)(const ndft_problem *);

    bool partial; /* outputs may leave some of their memory as it was */
} ndft_form;

extern const ndft_form ndft_form_nonuniform, ndft_form_uniform;

const ndft_form *ndft_form_of(ndft_kind_of_problem);

#endif
