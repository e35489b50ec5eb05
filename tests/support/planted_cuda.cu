/* SPDX-License-Identifier: Apache-2.0 */
#include "planted_deadly.h"

#include <cuda_runtime.h>

/* What a CUDA context can be lost to: the naive variant, and kernels that never end well; and what
 * is wrong only where nobody looked: in a graph, late, in a plan for one operation. */

extern "C" const ndft_variant ndft_naive_cuda;

namespace
{

enum { NO_DEATH, ILLEGAL_ADDRESS, TRAP, SPIN, WRONG };
const char *const deaths[] = {"none", "illegal_address", "trap", "spin", "wrong", nullptr};

__global__ void read_beyond(const float *in, float *out) { out[0] = in[(size_t)1 << 44]; }

__global__ void trap() { asm volatile("trap;"); }

__global__ void spin(const volatile float *in)
{
    while (in[0] == in[0]) {
    }
}

__global__ void spoil(float *out) { out[0] += 1; }

__device__ int runs;

/* Counts itself, since replays of a graph are not counted by who captured it. */
__global__ void spoil_late(float *out)
{
    if (++runs > DEADLY_RUNS) out[0] += 1;
}

ndft_status launched(ndft_exec *exec)
{
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) return NDFT_OK;
    return ndft_fail(exec->error, NDFT_EDEVICE, "%s", cudaGetErrorString(error));
}

ndft_status die(ndft_exec *exec, int death, const void *in, void *out)
{
    cudaStream_t stream = static_cast<cudaStream_t>(exec->stream);
    switch (death) {
    case ILLEGAL_ADDRESS:
        read_beyond<<<1, 1, 0, stream>>>((const float *)in, (float *)out);
        break;
    case TRAP:
        trap<<<1, 1, 0, stream>>>();
        break;
    case SPIN:
        spin<<<1, 1, 0, stream>>>((const float *)in);
        break;
    default:
        break;
    }
    return launched(exec);
}

bool is_captured(ndft_exec *exec)
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaError_t asked = cudaStreamIsCapturing(static_cast<cudaStream_t>(exec->stream), &status);
    return asked == cudaSuccess && status == cudaStreamCaptureStatusActive;
}

ndft_status plan(const ndft_problem *p, const int *knobs, unsigned ops, ndft_exec *exec, void **out)
{
    void *memory = nullptr;
    NDFT_TRY(exec->alloc(exec, "planted table", 256, &memory));
    ndft_status status = knobs[DEADLY_MOMENT] == DEADLY_PLAN
                             ? die(exec, knobs[DEADLY_DEATH], memory, memory)
                             : NDFT_OK;
    exec->release(exec, memory);
    return status == NDFT_OK ? deadly_make(&ndft_naive_cuda, p, knobs, ops, exec, out) : status;
}

ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    deadly_plan *made = static_cast<deadly_plan *>(state);
    ndft_exec *exec = made->exec;
    const int death = made->knobs[DEADLY_DEATH];
    const bool due = deadly_is_due(made, op, is_captured(exec));
    if (due) NDFT_TRY(die(exec, death, in, out));
    NDFT_TRY(made->inner->execute(made->state, op, in, out));
    const bool late = made->knobs[DEADLY_MOMENT] == DEADLY_LATE;
    if (death != WRONG || !(due || late)) return NDFT_OK;
    (late ? spoil_late : spoil)<<<1, 1, 0, static_cast<cudaStream_t>(exec->stream)>>>((float *)out);
    return launched(exec);
}

ndft_cost cost(const ndft_problem *p, ndft_op op, const int *)
{
    return ndft_naive_cuda.cost(p, op, nullptr);
}

const ndft_knob knobs[] = {{.name = "death",
                            .unit = nullptr,
                            .summary = nullptr,
                            .words = deaths,
                            .preset = 0,
                            .n_candidates = 1,
                            .candidates = {NO_DEATH}},
                           {.name = "when",
                            .unit = nullptr,
                            .summary = nullptr,
                            .words = deadly_moments,
                            .preset = 0,
                            .n_candidates = 1,
                            .candidates = {DEADLY_FORWARD}}};

} // namespace

extern "C" const ndft_variant deadly_cuda = {
    .name = "deadly",
    .backend = "cuda",
    .summary = "the naive variant, and what a context dies of",
    .knobs = knobs,
    .n_knobs = DEADLY_KNOBS,
    .claim = {.a = 0.5, .b = 0.8, .c = 8, .truncation = nullptr, .deterministic = true},
    .plan = plan,
    .execute = execute,
    .destroy = deadly_destroy,
    .cost = cost,
};
