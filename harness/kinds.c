/* SPDX-License-Identifier: Apache-2.0 */
#include "kinds.h"

#include "cache.h"

static size_t bytes_in(const ndft_problem *p, ndft_op op)
{
    return ndft_vector_bytes(p, ndft_input_length(p, op));
}

static size_t bytes_out(const ndft_problem *p, ndft_op op)
{
    return ndft_vector_bytes(p, ndft_output_length(p, op));
}

/* The seed that the sample is drawn with; part of the cache's key. */
static uint64_t sample_seed(const ndft_made *made) { return made->hash[0]; }

static int64_t sample(const ndft_made *made, ndft_op op, int64_t **outputs)
{
    return ndft_sample_outputs(&made->problem, op, sample_seed(made), outputs);
}

static ndft_status reference(const ndft_made *made, ndft_op op, const int64_t *outputs,
                             int64_t n_outputs, double *result, int threads, ndft_error *err)
{
    return ndft_reference_cached(&made->problem, op, ndft_made_input(made, op), made->hash,
                                 sample_seed(made), outputs, n_outputs, result, threads, err);
}

static double terms(const ndft_problem *p, ndft_op op) { return (double)ndft_input_length(p, op); }

const ndft_kind ndft_nonuniform = {
    .parse = ndft_case_parse,
    .print = ndft_case_print,
    .make = ndft_make,
    .release = ndft_made_free,
    .sample = sample,
    .reference = reference,
    .bytes_in = bytes_in,
    .bytes_out = bytes_out,
    .useful = ndft_coil_pairs,
    .terms = terms,
    .properties = ndft_properties,
    .n_properties = &ndft_n_properties,
};
