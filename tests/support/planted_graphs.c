/* SPDX-License-Identifier: Apache-2.0 */
#include "instruments/instruments.h"

#include <stdlib.h>

typedef struct graph {
    ndft_status (*queue)(void *context);
    void *context;
} graph;

static ndft_status capture(ndft_exec *exec, ndft_status (*queue)(void *), void *context, void **out)
{
    graph *made = malloc(sizeof *made);
    if (!made) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a graph");
    *made = (graph){queue, context};
    *out = made;
    return NDFT_OK;
}

static ndft_status replay(ndft_exec *exec, void *captured)
{
    const graph *g = captured;
    exec->stream = captured;
    const ndft_status status = g->queue(g->context);
    exec->stream = NULL;
    return status;
}

static void graph_free(ndft_exec *exec, void *captured)
{
    (void)exec;
    free(captured);
}

static ndft_instruments cpu;

/* The tables are no constants that could be copied by an initialiser. */
__attribute__((constructor)) static void plant(void)
{
    cpu = ndft_instruments_cpu;
    cpu.capture = capture;
    cpu.replay = replay;
    cpu.graph_free = graph_free;
}

const ndft_instruments *const ndft_all_instruments[] = {&cpu, &ndft_instruments_cuda, NULL};
