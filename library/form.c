/* SPDX-License-Identifier: Apache-2.0 */
#include "form.h"

static size_t bytes_in(const ndft_problem *p, ndft_op op)
{
    return ndft_vector_bytes(p, ndft_input_length(p, op));
}

static size_t bytes_out(const ndft_problem *p, ndft_op op)
{
    return ndft_vector_bytes(p, ndft_output_length(p, op));
}

static double terms(const ndft_problem *p, ndft_op op) { return (double)ndft_input_length(p, op); }

const ndft_form ndft_form_nonuniform = {
    .bytes_in = bytes_in, .bytes_out = bytes_out, .terms = terms};

const ndft_form *ndft_form_of(ndft_kind_of_problem kind)
{
    return kind == NDFT_UNIFORM ? &ndft_form_uniform : &ndft_form_nonuniform;
}
