/* SPDX-License-Identifier: Apache-2.0 */
#include "callback_inner.h"

#include "convolve/pass.h"

static ndft_tensor packed(const ndft_tensor *t)
{
    ndft_tensor p = ndft_packed_tensor(t->shape);
    p.real = t->real;
    return p;
}

ndft_uniform_problem ndft_inner_problem(const ndft_problem *p)
{
    ndft_uniform_problem inner = {*p, *ndft_transform_of(p)};
    ndft_transform *t = &inner.transform;
    if (!t->load && !t->store) return inner;
    if (t->load) t->in = packed(&t->in);
    if (t->store) t->out = packed(&t->out);
    t->load = t->store = NULL;
    t->in_place = false;
    inner.problem.n_voxels = ndft_tensor_room(&t->in);
    inner.problem.n_samples = ndft_tensor_room(&t->out);
    inner.problem.memo = NULL; /* which answers about the other problem */
    return inner;
}

/* Reads and writes every number once. Finding an element takes divisions; what the function does is
 * not known. */
static void add_pass(const ndft_tensor *t, ndft_prec prec, ndft_cost *cost)
{
    const double elements = (double)ndft_tensor_size(t);
    const double bytes = elements * (t->real ? 1 : 2) * (double)ndft_real_size(prec);
    cost->integer += elements * 40;
    cost->issue_slots += elements * 60;
    cost->dram_bytes += 2 * bytes;
    cost->l2_bytes += 2 * bytes;
    cost->launches++;
}

void ndft_add_callback_passes(const ndft_problem *p, ndft_cost *cost)
{
    const ndft_transform *t = ndft_transform_of(p);
    if (t->load) add_pass(&t->in, t->prec, cost);
    if (t->store) add_pass(&t->out, t->prec, cost);
}
