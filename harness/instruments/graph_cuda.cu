/* SPDX-License-Identifier: Apache-2.0 */
#include "instruments_cuda.cuh"

/* Capture and replay through CUDA graphs. */

namespace ndft_cuda
{

/* The launches of queue as a graph; the stream leaves capture mode whatever happens. */
static ndft_status record(ndft_exec *exec, ndft_status (*queue)(void *), void *context,
                          cudaGraph_t *graph)
{
    cudaStream_t stream = stream_of(exec);
    NDFT_TRY(check(exec, cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
                   "cudaStreamBeginCapture"));
    ndft_status status = queue(context);
    cudaError_t ended = cudaStreamEndCapture(stream, graph);
    return status == NDFT_OK ? check(exec, ended, "cudaStreamEndCapture") : status;
}

ndft_status capture(ndft_exec *exec, ndft_status (*queue)(void *), void *context, void **out)
{
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    ndft_status status = record(exec, queue, context, &graph);
    if (status == NDFT_OK)
        status = check(exec, cudaGraphInstantiate(&ready, graph, 0), "cudaGraphInstantiate");
    if (status == NDFT_OK)
        status = check(exec, cudaGraphUpload(ready, stream_of(exec)), "cudaGraphUpload");
    if (graph) (void)cudaGraphDestroy(graph);
    (void)cudaGetLastError(); /* of a capture that failed: it is in the message */
    *out = ready;
    return status;
}

ndft_status replay(ndft_exec *exec, void *graph)
{
    return check(exec, cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph), stream_of(exec)),
                 "cudaGraphLaunch");
}

void graph_free(ndft_exec *, void *graph)
{
    if (graph) (void)cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(graph));
}

ndft_status count_nodes(ndft_exec *exec, ndft_status (*queue)(void *), void *context, size_t *nodes)
{
    cudaGraph_t graph = nullptr;
    ndft_status status = record(exec, queue, context, &graph);
    if (status == NDFT_OK)
        status = check(exec, cudaGraphGetNodes(graph, nullptr, nodes), "cudaGraphGetNodes");
    if (graph) (void)cudaGraphDestroy(graph);
    (void)cudaGetLastError();
    return status;
}

} // namespace ndft_cuda
