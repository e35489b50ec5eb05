/* SPDX-License-Identifier: Apache-2.0 */
#include "callback_pass.h"

#include <string.h>

void *ndft_load_pass(const ndft_transform *t, const void *in, void *copy, size_t bytes, int threads)
{
    const ndft_callback *load = t->load;
    if (!load) return memcpy(copy, in, bytes);
    const int64_t size = ndft_tensor_size(&t->in);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t e = 0; e < size; e++) {
        int64_t index[NDFT_MODES];
        ndft_tensor_index(&t->in, e, index);
        const int64_t at = ndft_tensor_offset(&t->in, index);
        const ndft_slot from = ndft_slot_at(in, t->prec, t->in.real, at);
        ndft_write(ndft_slot_at(copy, t->prec, t->in.real, at),
                   load->load(from, index, load->data));
    }
    return copy;
}

void ndft_store_pass(const ndft_transform *t, const void *result, void *out, int threads)
{
    const ndft_callback *store = t->store;
    const int64_t size = ndft_tensor_size(&t->out);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t e = 0; e < size; e++) {
        int64_t index[NDFT_MODES];
        ndft_tensor_index(&t->out, e, index);
        const int64_t at = ndft_tensor_offset(&t->out, index);
        const ndft_slot from = ndft_slot_at(result, t->prec, t->out.real, at);
        store->store(ndft_slot_at(out, t->prec, t->out.real, at), ndft_read(from), index,
                     store->data);
    }
}
