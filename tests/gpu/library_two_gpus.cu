/* SPDX-License-Identifier: Apache-2.0 */
#include "outside.cuh"

#include <cmath>
#include <cstring>
#include <cuda.h>
#include <dlfcn.h>
#include <vector>

/* Who uses the second GPU alone makes no context on the first, whose plans then give the same bits.
 * A kernel that faults on one ends CUDA for the whole process, and plans of both say so. A process
 * of its own, since it ends so. Exit status 1: wrong, 77: there are no two GPUs. */

enum { N = 32, SAMPLES = 700 };

/* Whether somebody has made the first GPU's context: the driver tells without making one. */
static bool first_is_in_use()
{
    unsigned flags;
    int active = 0;
    const auto state = reinterpret_cast<decltype(&cuDevicePrimaryCtxGetState)>(
        dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuDevicePrimaryCtxGetState"));
    return state && state(0, &flags, &active) == CUDA_SUCCESS && active;
}

static ndft_plan *plan_on(const char *name)
{
    static float k[2][SAMPLES];
    ndft_device *device;
    ndft_problem *problem;
    ndft_plan *plan;
    ndft_problem_desc d = {};
    for (int j = 0; j < SAMPLES; j++) {
        k[0][j] = 15 * sinf(1.3f * (float)j);
        k[1][j] = 15 * cosf(2.1f * (float)j);
    }
    d.struct_size = sizeof d;
    d.dim = 2;
    d.n[0] = d.n[1] = N;
    d.n_samples = SAMPLES;
    d.k[0] = k[0];
    d.k[1] = k[1];
    must(ndft_device_open(name, nullptr, &device));
    must(ndft_problem_create(device, &d, &problem));
    must(ndft_plan_create(problem, NDFT_FORWARD, nullptr, &plan));
    ndft_problem_destroy(problem);
    ndft_device_close(device);
    return plan;
}

static ndft_status execute(ndft_plan *plan, std::vector<float2> *samples)
{
    const std::vector<float2> image(N * N, make_float2(1, 0.5f));
    samples->assign(SAMPLES, make_float2(0, 0));
    return ndft_execute_host(plan, NDFT_FORWARD, image.data(), samples->data());
}

static bool same(const std::vector<float2> &a, const std::vector<float2> &b)
{
    return memcmp(a.data(), b.data(), SAMPLES * sizeof(float2)) == 0;
}

static __global__ void fault() { asm volatile("trap;"); }

int main()
{
    int count = 0, current = -1;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count < 2) {
        printf("skipped: no two CUDA devices\n");
        return SKIPPED;
    }
    std::vector<float2> before, after;
    ndft_plan *second = plan_on("cuda:1");
    expect(execute(second, &before) == NDFT_OK, "an execution on the second GPU");
    expect(!first_is_in_use(), "a context on the first GPU");
    expect(cudaGetDevice(&current) == cudaSuccess && current == 0, "the current device");
    ndft_plan *first = plan_on("cuda:0");
    expect(execute(first, &after) == NDFT_OK, "an execution on the first GPU");
    expect(same(before, after), "the first GPU's samples");
    expect(execute(second, &after) == NDFT_OK, "an execution on the second GPU after it");
    expect(same(before, after), "the second GPU's samples");
    expect(cudaSetDevice(0) == cudaSuccess, "the first GPU");
    fault<<<1, 1>>>();
    expect(cudaDeviceSynchronize() != cudaSuccess, "a fault on the first GPU");
    expect(execute(first, &after) == NDFT_EDEVICE, "a plan of a device that is lost");
    expect(execute(second, &after) == NDFT_EDEVICE, "a plan of the other device");
    ndft_plan_destroy(second);
    ndft_plan_destroy(first);
    printf("%d faults\n", faults);
    return faults ? 1 : 0;
}
