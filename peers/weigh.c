/* SPDX-License-Identifier: Apache-2.0 */
#include "weigh_loop.h"

/* Elements at a time: the sums of a coil stay in the first cache. */
enum { BLOCK = 1024 };

typedef void loop(const peer_weights *, int64_t begin, int64_t end, const void *in, void *out);

static ndft_status run(const ndft_exec *exec, loop *f, const peer_weights *w, const void *in,
                       void *out)
{
    const int64_t blocks = (w->length + BLOCK - 1) / BLOCK;
    const int threads = blocks < exec->threads ? (int)blocks : exec->threads;
#pragma omp parallel for num_threads(threads)
    for (int64_t b = 0; b < blocks; b++) {
        const int64_t end = (b + 1) * BLOCK;
        f(w, b * BLOCK, end < w->length ? end : w->length, in, out);
    }
    return NDFT_OK;
}

static ndft_status expand(ndft_exec *exec, const peer_weights *w, const void *in, void *columns)
{
    static loop *const loops[][2] = NDFT_LOOP_TABLE(peer_expand);
    return run(exec, loops[exec->device.isa][w->prec], w, in, columns);
}

static ndft_status join(ndft_exec *exec, const peer_weights *w, const void *columns, void *out)
{
    static loop *const loops[][2] = NDFT_LOOP_TABLE(peer_join);
    return run(exec, loops[exec->device.isa][w->prec], w, columns, out);
}

const peer_weigher peer_weigher_cpu = {.expand = expand, .join = join};
