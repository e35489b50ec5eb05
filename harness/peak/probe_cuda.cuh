/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PROBE_CUDA_CUH
#define NDFT_PROBE_CUDA_CUH

#include "probe.h"

#include <cuda_runtime.h>

/* The lists of peak_cuda.cu, one a file. */
extern const ndft_probe ndft_probes_arithmetic[], ndft_probes_memory[], ndft_probes_mma[],
    ndft_probes_sm90[];

/* Half the threads that a multiprocessor can hold, so that each has 64 registers. */
enum { NDFT_PROBE_THREADS = 256, NDFT_PROBE_BLOCKS = 4 };

inline int ndft_probe_blocks(const ndft_device *device)
{
    return NDFT_PROBE_BLOCKS * device->units;
}

/* Threads of a launch; each has a word of input and of output, and the input a margin. */
inline size_t ndft_probe_threads(const ndft_device *device)
{
    return (size_t)ndft_probe_blocks(device) * NDFT_PROBE_THREADS;
}

enum { NDFT_PROBE_MARGIN = 64 };

inline size_t ndft_probe_bytes(const ndft_device *device)
{
    return (2 * ndft_probe_threads(device) + NDFT_PROBE_MARGIN) * sizeof(double);
}

inline cudaStream_t ndft_probe_stream(const ndft_exec *exec) { return (cudaStream_t)exec->stream; }

inline ndft_status ndft_probe_launched(ndft_exec *exec, const char *what)
{
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) return NDFT_OK;
    return ndft_fail(exec->error, NDFT_EDEVICE, "launch of the probe of %s: %s", what,
                     cudaGetErrorString(error));
}

#endif
