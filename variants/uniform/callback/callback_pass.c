/* SPDX-License-Identifier: Apache-2.0 */
#include "callback_pass.h"

#include <string.h>

ndft_status ndft_callback_passes_make(ndft_arena *arena, const ndft_problem *p, bool copies,
                                      ndft_callback_passes *passes)
{
    const ndft_transform *t = ndft_transform_of(p);
    const ndft_uniform_problem inner = ndft_inner_problem(p);
    const ndft_problem *between = &inner.problem;
    *passes = (ndft_callback_passes){.transform = t,
                                     .inner = inner.transform,
                                     .bytes = ndft_vector_bytes(between, between->n_voxels),
                                     .threads = arena->exec->threads};
    if (copies || t->load)
        NDFT_TRY(ndft_reserve(arena, "a copy of the input", passes->bytes, &passes->copy));
    if (!t->store) return NDFT_OK;
    return ndft_reserve(arena, "results", ndft_vector_bytes(between, between->n_samples),
                        &passes->result);
}

const void *ndft_callback_load(const ndft_callback_passes *passes, const void *in)
{
    const ndft_transform *t = passes->transform;
    const ndft_callback *load = t->load;
    if (!passes->copy) return in;
    if (!load) return memcpy(passes->copy, in, passes->bytes);
    const int64_t size = ndft_tensor_size(&t->in);
#pragma omp parallel for num_threads(passes->threads) schedule(static)
    for (int64_t e = 0; e < size; e++) {
        int64_t index[NDFT_MODES];
        ndft_tensor_index(&t->in, e, index);
        const int64_t at = ndft_tensor_offset(&t->in, index);
        const ndft_slot from = ndft_slot_at(in, t->prec, t->in.real, at);
        ndft_write(ndft_slot_at(passes->copy, t->prec, t->in.real, e),
                   load->load(from, index, load->data));
    }
    return passes->copy;
}

void *ndft_callback_result(const ndft_callback_passes *passes, void *out)
{
    return passes->result ? passes->result : out;
}

void ndft_callback_store(const ndft_callback_passes *passes, void *out)
{
    const ndft_transform *t = passes->transform;
    const ndft_callback *store = t->store;
    if (!store) return;
    const int64_t size = ndft_tensor_size(&t->out);
#pragma omp parallel for num_threads(passes->threads) schedule(static)
    for (int64_t e = 0; e < size; e++) {
        int64_t index[NDFT_MODES];
        ndft_tensor_index(&t->out, e, index);
        const int64_t at = ndft_tensor_offset(&t->out, index);
        const ndft_slot from = ndft_slot_at(passes->result, t->prec, t->out.real, e);
        store->store(ndft_slot_at(out, t->prec, t->out.real, at), ndft_read(from), index,
                     store->data);
    }
}
