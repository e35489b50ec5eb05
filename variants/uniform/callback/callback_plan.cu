/* SPDX-License-Identifier: Apache-2.0 */
#include "callback_plan.cuh"

enum { THREADS = 256 };

/* alone: the transform with this function and no other. */
static ndft_status make(ndft_arrays *arrays, const ndft_transform *alone, const ndft_tensor *packed,
                        ndft_called_pass *pass)
{
    const int64_t reals = 2 * ndft_tensor_room(packed);
    NDFT_TRY(ndft_reserve(arrays, "what a load or store function leaves",
                          reals * (int64_t)ndft_real_size(alone->prec), &pass->packed));
    return ndft_called_make(arrays, alone, "callback_plan_called.cuh", &pass->kernel);
}

ndft_status ndft_called_pass::make_load(ndft_arrays *arrays, const ndft_transform *t,
                                        const ndft_transform *inner)
{
    ndft_transform alone = *t;
    alone.store = nullptr;
    from = t->in;
    to = inner->in;
    return t->load ? make(arrays, &alone, &to, this) : NDFT_OK;
}

ndft_status ndft_called_pass::make_store(ndft_arrays *arrays, const ndft_transform *t,
                                         const ndft_transform *inner)
{
    ndft_transform alone = *t;
    alone.load = nullptr;
    from = inner->out;
    to = t->out;
    return t->store ? make(arrays, &alone, &from, this) : NDFT_OK;
}

ndft_status ndft_called_pass::run(ndft_exec *exec, const void *in, void *out) const
{
    int64_t elements = ndft_tensor_size(&from);
    void *args[] = {(void *)&from, (void *)&to, (void *)&kernel.data, &elements, &in, &out};
    return ndft_called_launch(&kernel, exec, ndft_blocks(elements, THREADS), THREADS, args);
}
