/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"

namespace
{

__device__ unsigned long long device_ns()
{
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

/* Launches of a stream follow each other, so that nobody else adds meanwhile. */
__global__ void spin(unsigned long long cycles, spun *seen)
{
    const unsigned long long start = clock64(), at = device_ns();
    unsigned long long now = start;
    while (now - start < cycles) now = clock64();
    seen->ns += device_ns() - at;
    seen->cycles += now - start;
    seen->launches++;
}

/* Multiply-adds that wait for each other: too little work to heat anything. */
__global__ void chain(int links, float *result)
{
    float x = threadIdx.x;
    for (int i = 0; i < links; i++) x = fmaf(x, 0.999f, 0.25f);
    if (x < 0) *result = x; /* never, which the compiler cannot know */
}

const char *unsupported(const ndft_problem *, const ndft_device *, const int *) { return nullptr; }

ndft_status make_plan(const ndft_problem *problem, const int *, unsigned, ndft_exec *exec,
                      void **plan)
{
    *plan = known_own(problem);
    static_cast<job *>(*plan)->exec = exec;
    return NDFT_OK;
}

ndft_status execute(void *plan, ndft_op, const void *, void *)
{
    const job *j = static_cast<const job *>(plan);
    j->launch(j, static_cast<cudaStream_t>(j->exec->stream));
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) return NDFT_OK;
    return ndft_fail(j->exec->error, NDFT_EDEVICE, "%s", cudaGetErrorString(error));
}

ndft_status execute_staged(void *plan, ndft_op op, const void *in, void *out)
{
    NDFT_TRY(execute(plan, op, in, out));
    ndft_mark(static_cast<const job *>(plan)->exec, "spin");
    return NDFT_OK;
}

void destroy(void *) {}

ndft_cost cost(const ndft_problem *, ndft_op, const int *)
{
    ndft_cost one = {};
    one.launches = 1;
    return one;
}

ndft_variant make_variant(ndft_status (*run)(void *, ndft_op, const void *, void *),
                          const char *const *stages)
{
    ndft_variant v = {};
    v.name = "job";
    v.backend = "cuda";
    v.ops = NDFT_FORWARD;
    v.unsupported = unsupported;
    v.plan = make_plan;
    v.execute = run;
    v.destroy = destroy;
    v.cost = cost;
    v.stages = stages;
    return v;
}

const char *const one_stage[] = {"spin", nullptr};

} // namespace

void launch_spin(const job *j, cudaStream_t stream)
{
    spin<<<1, 1, 0, stream>>>(j->cycles, j->seen);
}

void launch_chain(const job *j, cudaStream_t stream)
{
    chain<<<(unsigned)j->blocks, 32, 0, stream>>>(j->links, j->result);
}

const ndft_variant job_variant = make_variant(execute, nullptr);
const ndft_variant staged_job_variant = make_variant(execute_staged, one_stage);
