/* SPDX-License-Identifier: Apache-2.0 */
#include "no_device.h"
#include "outside.cuh"

#include <cmath>
#include <vector>

/* What a plan prepares, or prepares anew of new values, is done when the call returns: executions
 * may be on streams that wait for nothing. Exit status 1: something was wrong, 77: no CUDA device.
 */

enum { SIDE = 96, MANY = 600000 };

__global__ void spin(long long ticks)
{
    const long long start = clock64();
    while (clock64() - start < ticks) {
    }
}

/* Memory of the caller, of which each piece keeps the stream busy for a while: what is queued
 * behind the last one is still waiting when a call returns that does not wait for it. Nothing is
 * given back before the end, since that waits. */
struct slow_memory {
    cudaStream_t on;
    std::vector<void *> pieces;

    static void *alloc(size_t bytes, void *user)
    {
        slow_memory *memory = (slow_memory *)user;
        void *piece = nullptr;
        if (cudaMalloc(&piece, bytes) != cudaSuccess) return nullptr;
        memory->pieces.push_back(piece);
        spin<<<1, 1, 0, memory->on>>>(10000000);
        return piece;
    }
    static void release(void *, void *) {}
    ~slow_memory()
    {
        for (void *piece : pieces) (void)cudaFree(piece);
    }
};

/* Samples of a volume, whose lists keep the device busy for a while. */
struct volume {
    ndft_problem *problem = nullptr;
    std::vector<float> k[3];
    ndft_problem_desc desc = {};

    explicit volume(ndft_device *device)
    {
        desc.struct_size = sizeof desc;
        desc.dim = 3;
        for (int d = 0; d < 3; d++) desc.n[d] = SIDE;
        turn(0, MANY);
        must(ndft_problem_create(device, &desc, &problem));
    }
    ~volume() { ndft_problem_destroy(problem); }
    void turn(float by, int samples)
    {
        desc.n_samples = samples;
        for (int d = 0; d < 3; d++) {
            k[d].resize((size_t)samples);
            for (int j = 0; j < samples; j++)
                k[d][(size_t)j] = 0.49f * SIDE * sinf(by + (1.3f + 0.7f * (float)d) * (float)j);
            desc.k[d] = k[d].data();
        }
    }
};

static void nothing_is_queued_behind_a_plan()
{
    stream own;
    slow_memory memory = {own.on, {}};
    ndft_device *device = nullptr;
    ndft_plan *plan = nullptr, *clone = nullptr;
    ndft_device_options at = {};
    ndft_plan_options o = {};
    at.struct_size = sizeof at;
    at.stream = own.on;
    at.alloc = slow_memory::alloc;
    at.release = slow_memory::release;
    at.user = &memory;
    o.struct_size = sizeof o;
    o.variant = "nufft_gather.cuda";
    must(ndft_device_open("cuda", &at, &device));
    volume v(device);
    must(ndft_plan_create(v.problem, NDFT_ADJOINT, &o, &plan));
    expect(cudaStreamQuery(own.on) == cudaSuccess, "a plan that is still being prepared");
    must(ndft_plan_clone(plan, &clone));
    expect(cudaStreamQuery(own.on) == cudaSuccess, "a clone that is still being prepared");
    for (int i = 1; i < 4; i++) {
        v.turn((float)i, MANY + i * MANY / 2);
        must(ndft_plan_set_samples(plan, v.desc.n_samples, v.desc.k, nullptr));
        expect(cudaStreamQuery(own.on) == cudaSuccess, "new samples that are still being placed");
    }
    ndft_plan_destroy(clone);
    ndft_plan_destroy(plan);
    ndft_device_close(device);
}

template <class T> static T *on_device(const std::vector<T> &host)
{
    T *device = nullptr;
    const size_t bytes = host.size() * sizeof(T);
    expect(cudaMalloc(&device, bytes) == cudaSuccess &&
               cudaMemcpy(device, host.data(), bytes, cudaMemcpyDefault) == cudaSuccess,
           "memory of the device");
    return device;
}

/* Samples that lie on the device are read there: when the call returns they are the caller's again,
 * and an execution on any stream is of them, as it is of the same from the host. */
static void samples_of_the_device_are_free_again(int samples)
{
    stream other;
    ndft_device *device = nullptr;
    ndft_plan *plan[2] = {};
    ndft_plan_options o = {};
    o.struct_size = sizeof o;
    o.variant = "nufft_scatter.cuda";
    must(ndft_device_open("cuda", nullptr, &device));
    volume v(device);
    std::vector<float> image((size_t)2 * SIDE * SIDE * SIDE), out[2];
    for (size_t i = 0; i < image.size(); i++) image[i] = cosf(0.37f * (float)i);
    float *in = on_device(image), *k[3];
    for (ndft_plan *&p : plan) must(ndft_plan_create(v.problem, NDFT_FORWARD, &o, &p));
    v.turn(1, samples);
    for (int d = 0; d < 3; d++) k[d] = on_device(v.k[d]);
    for (int from = 0; from < 2; from++) {
        const void *const given[] = {k[0], k[1], k[2]};
        out[from].resize((size_t)2 * (size_t)samples);
        float *to = on_device(out[from]);
        must(ndft_plan_set_samples(plan[from], samples, from ? v.desc.k : given, nullptr));
        for (int d = 0; !from && d < 3; d++)
            expect(cudaMemsetAsync(k[d], 0xff, (size_t)samples * sizeof(float), other.on) ==
                       cudaSuccess,
                   "the caller's memory");
        must(ndft_execute_on(plan[from], other.on, NDFT_FORWARD, in, to));
        expect(cudaStreamSynchronize(other.on) == cudaSuccess &&
                   cudaMemcpy(out[from].data(), to, out[from].size() * sizeof(float),
                              cudaMemcpyDefault) == cudaSuccess,
               "an execution");
        (void)cudaFree(to);
    }
    expect(out[0] == out[1], "samples from the device are those from the host");
    for (float *array : {k[0], k[1], k[2], in}) (void)cudaFree(array);
    for (ndft_plan *p : plan) ndft_plan_destroy(p);
    ndft_device_close(device);
}

int main()
{
    if (no_device()) return 77;
    nothing_is_queued_behind_a_plan();
    for (int samples : {30000, int(MANY)}) samples_of_the_device_are_free_again(samples);
    printf("%d faults\n", faults);
    return faults ? 1 : 0;
}
