/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CALLBACK_PLAN_CUH
#define NDFT_CALLBACK_PLAN_CUH

#include "callback_inner.h"
#include "callback_kernel.cuh"

/*
 * Load and store functions for variants that have none. NDFT_WITH_CALLBACKS(plan, unsupported,
 * cost), of a variant's own, stands in its descriptor: they are given problems without functions
 * (callback_inner.h), and where there are functions, kernels before and after call them. Where
 * there are none, the plan is the variant's own.
 */

/* The kernel of one function, from one tensor to another, and the packed array that it writes or
 * reads; null: there is no function. */
struct ndft_called_pass {
    ndft_called_kernel kernel;
    ndft_tensor from, to;
    char *packed;

    /* Of a transform's load or store function; inner: what is between them. */
    ndft_status make_load(ndft_arrays *, const ndft_transform *, const ndft_transform *inner);
    ndft_status make_store(ndft_arrays *, const ndft_transform *, const ndft_transform *inner);

    ndft_status run(ndft_exec *, const void *in, void *out) const;
};

typedef ndft_status ndft_plan_function(const ndft_problem *, const int *knobs, unsigned ops,
                                       ndft_exec *, void **plan);
typedef const char *ndft_unsupported_function(const ndft_problem *, const ndft_device *,
                                              const int *knobs);
typedef ndft_cost ndft_cost_function(const ndft_problem *, ndft_op, const int *knobs);

/* The plan of a problem with functions. */
template <ndft_plan_function *PLAN> struct ndft_called_plan : ndft_base_plan {
    ndft_uniform_problem inner;
    ndft_called_pass load, store;
    void *engine; /* the variant's plan, of the inner problem */

    ndft_status prepare(const ndft_problem *p, const int *knobs, unsigned ops)
    {
        const ndft_transform *t = ndft_transform_of(p);
        inner = ndft_inner_problem(p);
        NDFT_TRY(load.make_load(&arrays, t, &inner.transform));
        NDFT_TRY(store.make_store(&arrays, t, &inner.transform));
        return PLAN(&inner.problem, knobs, ops, arrays.exec, &engine);
    }

    void release()
    {
        if (engine) ndft_destroy_plan(engine);
        ndft_called_destroy(&load.kernel);
        ndft_called_destroy(&store.kernel);
    }

    ndft_status run(ndft_op op, const void *in, void *out) const
    {
        const void *from = load.packed ? load.packed : in;
        void *to = store.packed ? store.packed : out;
        if (load.packed) NDFT_TRY(load.run(arrays.exec, in, load.packed));
        NDFT_TRY(ndft_run_plan(engine, op, from, to));
        return store.packed ? store.run(arrays.exec, store.packed, out) : NDFT_OK;
    }

    void chosen(char *text, size_t size) const
    {
        ((const ndft_base_plan *)engine)->calls.chosen(engine, text, size);
    }
};

template <ndft_plan_function *PLAN>
ndft_status ndft_plan_with_callbacks(const ndft_problem *p, const int *knobs, unsigned ops,
                                     ndft_exec *exec, void **plan)
{
    const ndft_transform *t = ndft_transform_of(p);
    if (!t->load && !t->store) return PLAN(p, knobs, ops, exec, plan);
    return ndft_make_plan<ndft_called_plan<PLAN>>(p, knobs, ops, exec, plan);
}

template <ndft_unsupported_function *UNSUPPORTED>
const char *ndft_unsupported_with_callbacks(const ndft_problem *p, const ndft_device *device,
                                            const int *knobs)
{
    const ndft_uniform_problem inner = ndft_inner_problem(p);
    const char *why = UNSUPPORTED(&inner.problem, device, knobs);
    return why ? why : ndft_unsupported_callbacks_cuda(p);
}

template <ndft_cost_function *COST>
ndft_cost ndft_cost_with_callbacks(const ndft_problem *p, ndft_op op, const int *knobs)
{
    const ndft_uniform_problem inner = ndft_inner_problem(p);
    ndft_cost cost = COST(&inner.problem, op, knobs);
    ndft_add_callback_passes(p, &cost);
    return cost;
}

/* Of a descriptor: the first is what NDFT_BASE_PLAN or .plan would be. */
#define NDFT_WITH_CALLBACKS(PLAN, UNSUPPORTED, COST)                                               \
    .unsupported = ndft_unsupported_with_callbacks<UNSUPPORTED>,                                   \
    .plan = ndft_plan_with_callbacks<PLAN>, .execute = ndft_run_plan,                              \
    .destroy = ndft_destroy_plan, .cost = ndft_cost_with_callbacks<COST>

#endif
