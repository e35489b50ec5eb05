/* SPDX-License-Identifier: Apache-2.0 */
#include "outside.cuh"

#include <cmath>
#include <vector>

/* Plans, and new values in them, executed at once on a stream that waits for nothing: what a plan
 * prepares must be done by then. Exit status 1: something was wrong, 77: no CUDA device. */

/* A volume whose lists the device makes for a while. */
struct volume {
    enum { SIDE = 96, VOXELS = SIDE * SIDE * SIDE, MANY = 600000 };
    ndft_device *device = nullptr;
    ndft_problem *problem = nullptr;
    float2 *samples = nullptr, *image[2] = {};
    std::vector<float> k[3];
    ndft_problem_desc desc = {};

    volume()
    {
        must(ndft_device_open("cuda", nullptr, &device));
        desc.struct_size = sizeof desc;
        desc.dim = 3;
        desc.n_samples = MANY;
        for (int d = 0; d < 3; d++) {
            k[d].resize(MANY);
            desc.n[d] = SIDE;
            desc.k[d] = k[d].data();
        }
        turn(0);
        must(ndft_problem_create(device, &desc, &problem));
        must(cudaMalloc(&samples, MANY * sizeof *samples));
        must(cudaMemset(samples, 0x3d, MANY * sizeof *samples));
        for (float2 *&each : image) must(cudaMalloc(&each, VOXELS * sizeof *each));
    }
    ~volume()
    {
        ndft_problem_destroy(problem);
        ndft_device_close(device);
        for (float2 *memory : {samples, image[0], image[1]}) (void)cudaFree(memory);
    }
    void turn(float by)
    {
        for (int j = 0; j < MANY; j++)
            for (int d = 0; d < 3; d++)
                k[d][(size_t)j] = 0.49f * SIDE * sinf(by + (1.3f + 0.7f * (float)d) * (float)j);
    }
    /* The image now, on a stream that nobody has wait, and once more when the device has. */
    bool same_at_once(ndft_plan *plan, cudaStream_t on) const
    {
        std::vector<float> found[2];
        for (float2 *to : image) {
            must(ndft_execute_on(plan, on, NDFT_ADJOINT, samples, to));
            must(cudaDeviceSynchronize());
        }
        for (int i = 0; i < 2; i++) {
            found[i].resize(2 * VOXELS);
            must(cudaMemcpy(found[i].data(), image[i], VOXELS * sizeof(float2),
                            cudaMemcpyDeviceToHost));
        }
        return found[0] == found[1];
    }
};

/* What a plan prepares is done when it is there, and when its values are. */
static void at_once_on_another_stream()
{
    volume v;
    stream on;
    ndft_plan *plan = nullptr;
    ndft_plan_options o = {};
    o.struct_size = sizeof o;
    o.variant = "nufft_gather.cuda";
    must(ndft_plan_create(v.problem, NDFT_ADJOINT, &o, &plan));
    expect(v.same_at_once(plan, on.on), "an execution behind a plan, on another stream");
    for (int i = 1; i < 4; i++) {
        v.turn((float)i);
        must(ndft_plan_set_samples(plan, volume::MANY, v.desc.k, nullptr));
        expect(v.same_at_once(plan, on.on), "an execution behind new samples, on another stream");
    }
    ndft_plan_destroy(plan);
}

int main()
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || !count) {
        printf("skipped: no CUDA device\n");
        return SKIPPED;
    }
    at_once_on_another_stream();
    printf("%d faults\n", faults);
    return faults ? 1 : 0;
}
