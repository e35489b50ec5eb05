/* SPDX-License-Identifier: Apache-2.0 */
#include "form.h"

#include <ndft/uniform.h>

/* Of uniform transforms: one operation, from a strided tensor to another. */

static size_t bytes_in(const ndft_problem *p, ndft_op op)
{
    (void)op;
    return ndft_vector_bytes(p, p->n_voxels);
}

static size_t bytes_out(const ndft_problem *p, ndft_op op)
{
    (void)op;
    return ndft_vector_bytes(p, p->n_samples);
}

static double terms(const ndft_problem *p, ndft_op op)
{
    (void)op;
    return (double)ndft_transform_length(ndft_transform_of(p));
}

static bool in_place(const ndft_problem *p) { return ndft_transform_of(p)->in_place; }

const ndft_form ndft_form_uniform = {
    .bytes_in = bytes_in,
    .bytes_out = bytes_out,
    .terms = terms,
    .in_place = in_place,
    .partial = true,
};
