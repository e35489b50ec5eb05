/* SPDX-License-Identifier: Apache-2.0 */
#include "instruments_cuda.cuh"

#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>
#include <string>
#include <unordered_map>

/* What profilers are told: NVTX ranges in the domain "ndft", and when to listen. Domain and
 * registered strings are the process's, as NVTX has them, so they are made once; without a profiler
 * a range costs nanoseconds. */

namespace ndft_cuda
{

static nvtxDomainHandle_t domain()
{
    static const nvtxDomainHandle_t handle = [] {
        nvtxDomainHandle_t made = nvtxDomainCreateA("ndft");
        for (uint32_t phase = 0; phase < NDFT_N_PHASES; phase++)
            nvtxDomainNameCategoryA(made, phase + 1, ndft_phase_name((ndft_phase)phase));
        return made;
    }();
    return handle;
}

static nvtxStringHandle_t registered(const char *label)
{
    static std::unordered_map<std::string, nvtxStringHandle_t> labels;
    nvtxStringHandle_t &handle = labels[label];
    if (!handle) handle = nvtxDomainRegisterStringA(domain(), label);
    return handle;
}

void range_push(ndft_phase phase, const char *label, uint64_t payload)
{
    nvtxEventAttributes_t range = {};
    range.version = NVTX_VERSION;
    range.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    range.category = (uint32_t)phase + 1; /* 0 is no category */
    range.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    range.message.registered = registered(label);
    range.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
    range.payload.ullValue = payload;
    (void)nvtxDomainRangePushEx(domain(), &range);
}

void range_pop() { (void)nvtxDomainRangePop(domain()); }

ndft_status profiler(ndft_exec *exec, bool on)
{
    if (on) return check(exec, cudaProfilerStart(), "cudaProfilerStart");
    return check(exec, cudaProfilerStop(), "cudaProfilerStop");
}

} // namespace ndft_cuda
