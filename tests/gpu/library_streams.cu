/* SPDX-License-Identifier: Apache-2.0 */
#include "no_device.h"
#include "outside.cuh"

#include <atomic>
#include <cmath>
#include <functional>
#include <thread>
#include <vector>

/* libndft from outside on a GPU: streams with and without events, capture on a stream of the
 * caller's, beside threads that plan, what CUDA keeps of a thread, arrays that lie on the device.
 * Exit status 1: something was wrong, 77: no CUDA device. */

enum { N = 64, VOXELS = N * N, SAMPLES = 5000 };

struct vectors {
    float2 *image, *samples, *back;

    vectors()
    {
        must(cudaMalloc(&image, VOXELS * sizeof *image));
        must(cudaMalloc(&samples, SAMPLES * sizeof *samples));
        must(cudaMalloc(&back, VOXELS * sizeof *back));
        std::vector<float2> m(VOXELS);
        for (int v = 0; v < VOXELS; v++)
            m[(size_t)v] = make_float2(sinf(0.3f * (float)v), cosf(0.7f * (float)v));
        must(cudaMemcpy(image, m.data(), VOXELS * sizeof *image, cudaMemcpyHostToDevice));
        must(cudaMemset(samples, 0xff, SAMPLES * sizeof *samples));
        must(cudaMemset(back, 0xff, VOXELS * sizeof *back));
    }
    ~vectors()
    {
        for (float2 *memory : {image, samples, back}) (void)cudaFree(memory);
    }
    std::vector<float> result() const
    {
        std::vector<float> host(2 * VOXELS);
        must(cudaDeviceSynchronize());
        must(cudaMemcpy(host.data(), back, VOXELS * sizeof *back, cudaMemcpyDeviceToHost));
        return host;
    }
};

/* Samples of this scan; a plan of deterministic engines. */
struct setting {
    ndft_device *device = nullptr;
    ndft_problem *problem = nullptr;
    ndft_plan *plan = nullptr;
    std::vector<float> k[2];
    ndft_problem_desc desc = {};

    explicit setting(float turn = 0)
    {
        must(ndft_device_open("cuda", nullptr, &device));
        for (int d = 0; d < 2; d++) k[d].resize(SAMPLES);
        scan(turn);
        desc.struct_size = sizeof desc;
        desc.dim = 2;
        desc.n[0] = desc.n[1] = N;
        desc.n_samples = SAMPLES;
        for (int d = 0; d < 2; d++) desc.k[d] = k[d].data();
        must(ndft_problem_create(device, &desc, &problem));
        plan = make();
    }
    ~setting()
    {
        ndft_plan_destroy(plan);
        ndft_problem_destroy(problem);
        ndft_device_close(device);
    }
    void scan(float turn)
    {
        for (int j = 0; j < SAMPLES; j++) {
            const float r = 30 * sqrtf((float)j / SAMPLES), angle = 2.4f * (float)j + turn;
            k[0][(size_t)j] = r * cosf(angle);
            k[1][(size_t)j] = r * sinf(angle);
        }
    }
    ndft_plan *make() const
    {
        ndft_plan *made = nullptr;
        ndft_plan_options o = {};
        o.struct_size = sizeof o;
        o.deterministic = true;
        must(ndft_plan_create(problem, NDFT_FORWARD | NDFT_ADJOINT, &o, &made));
        return made;
    }
    std::vector<float> alone() const
    {
        vectors v;
        must(cudaDeviceSynchronize());
        must(ndft_execute(plan, NDFT_FORWARD, v.image, v.samples));
        must(ndft_execute(plan, NDFT_ADJOINT, v.samples, v.back));
        return v.result();
    }
};

static void both_on(const setting &s, const vectors &v, cudaStream_t first, cudaStream_t second,
                    const std::function<void()> &between)
{
    must(ndft_execute_on(s.plan, first, NDFT_FORWARD, v.image, v.samples));
    between();
    must(ndft_execute_on(s.plan, second, NDFT_ADJOINT, v.samples, v.back));
}

static void two_streams()
{
    setting s;
    stream a, b;
    cudaEvent_t event;
    const std::vector<float> wanted = s.alone();
    must(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    vectors v, w, u;
    must(cudaDeviceSynchronize());
    both_on(s, v, a.on, b.on, [&] {
        must(cudaEventRecord(event, a.on));
        must(cudaStreamWaitEvent(b.on, event, 0));
    });
    expect(v.result() == wanted, "two streams with an event");
    both_on(s, w, a.on, b.on, [&] { must(cudaStreamSynchronize(a.on)); });
    expect(w.result() == wanted, "two streams, waited for");
    both_on(s, u, cudaStreamLegacy, cudaStreamLegacy, [] {});
    expect(u.result() == wanted, "the default stream");
    must(cudaEventDestroy(event));
}

static std::vector<float> replayed(const setting &s, const std::function<void()> &meanwhile)
{
    stream on;
    vectors v;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    must(cudaDeviceSynchronize());
    must(cudaStreamBeginCapture(on.on, cudaStreamCaptureModeGlobal));
    both_on(s, v, on.on, on.on, meanwhile);
    must(cudaStreamEndCapture(on.on, &graph));
    must(cudaGraphInstantiate(&ready, graph, 0));
    must(cudaGraphLaunch(ready, on.on));
    const std::vector<float> result = v.result();
    must(cudaGraphExecDestroy(ready));
    must(cudaGraphDestroy(graph));
    return result;
}

static void captured_on_a_foreign_stream()
{
    setting s;
    expect(replayed(s, [] {}) == s.alone(), "a replay of what was captured on a foreign stream");
}

/* Products with maps are queued where the engine is. */
static void captured_with_coil_maps()
{
    setting s;
    std::vector<float> maps(2 * VOXELS);
    for (size_t i = 0; i < maps.size(); i++) maps[i] = cosf(0.37f * (float)i);
    const std::vector<float> without = s.alone();
    ndft_plan_destroy(s.plan);
    ndft_problem_destroy(s.problem);
    s.desc.maps = maps.data();
    must(ndft_problem_create(s.device, &s.desc, &s.problem));
    s.plan = s.make();
    expect(s.alone() != without, "an image with coil maps");
    expect(replayed(s, [] {}) == s.alone(), "a replay with coil maps");
}

/* Plans of others allocate and wait, which a capture in global mode forbids to everybody. */
static void captured_beside_plans()
{
    enum { PLANNERS = 3, PLANS = 4 };
    setting s;
    std::atomic<int> failed{0};
    const std::vector<float> wanted = s.alone();
    const auto plan_often = [&] {
        for (int i = 0; i < PLANS; i++) {
            ndft_plan *plan = nullptr;
            ndft_plan_options o = {};
            o.struct_size = sizeof o;
            failed += ndft_plan_create(s.problem, NDFT_FORWARD, &o, &plan) != NDFT_OK;
            ndft_plan_destroy(plan);
        }
    };
    const std::vector<float> found = replayed(s, [&] {
        std::vector<std::thread> planners;
        for (int i = 0; i < PLANNERS; i++) planners.emplace_back(plan_often);
        for (std::thread &planner : planners) planner.join();
    });
    expect(found == wanted, "a capture beside threads that plan");
    expect(failed == 0, "plans beside a capture");
}

/* Graphs are captured anew after new values: those before are not of them. */
static void captured_anew_after_new_values()
{
    setting s, other(1);
    (void)replayed(s, [] {});
    s.scan(1);
    must(ndft_plan_set_samples(s.plan, SAMPLES, s.desc.k, nullptr));
    expect(replayed(s, [] {}) == other.alone(), "a capture after new samples");
    const std::vector<float> field(VOXELS, 40.f), t(SAMPLES, 1e-3f);
    must(ndft_plan_set_samples(s.plan, SAMPLES, s.desc.k, t.data()));
    must(ndft_plan_set_field(s.plan, field.data()));
    expect(replayed(s, [] {}) == s.alone(), "a capture after a new field");
    std::vector<unsigned char> mask(VOXELS, 1);
    for (int v = 0; v < VOXELS; v += 3) mask[(size_t)v] = 0;
    must(ndft_plan_set_mask(s.plan, mask.data()));
    expect(s.alone().size() == 2 * VOXELS, "an execution after a new mask");
}

static void a_thread_is_as_it_was()
{
    int device = -1;
    must(cudaGetDevice(&device));
    const bool failed = cudaSetDevice(-1) != cudaSuccess; /* an error that nobody has asked for */
    expect(failed, "a device that there is not");
    const cudaError_t own = cudaPeekAtLastError();
    {
        setting s;
        ndft_plan *refused;
        ndft_plan_options o = {};
        o.struct_size = sizeof o;
        o.memory_limit = 1;
        o.variant = "tiled.cuda";
        expect(ndft_plan_create(s.problem, NDFT_FORWARD, &o, &refused) == NDFT_ENOMEM, "no memory");
        std::vector<float2> image(VOXELS, make_float2(1, 0)), samples(SAMPLES);
        expect(ndft_execute_host(s.plan, NDFT_FORWARD, image.data(), samples.data()) == NDFT_OK,
               "an execution beside an error of the caller's");
    }
    int after = -2;
    expect(cudaPeekAtLastError() == own && own != cudaSuccess, "the caller's last error");
    (void)cudaGetLastError();
    expect(cudaGetDevice(&after) == cudaSuccess && after == device, "the current device");
}

static void arrays_on_the_device()
{
    setting s;
    ndft_problem_desc d = s.desc;
    float *k[2];
    ndft_problem *problem;
    const std::vector<float> wanted = s.alone();
    for (int axis = 0; axis < 2; axis++) {
        must(cudaMalloc(&k[axis], SAMPLES * sizeof **k));
        must(cudaMemcpy(k[axis], s.k[axis].data(), SAMPLES * sizeof **k, cudaMemcpyHostToDevice));
        d.k[axis] = k[axis];
    }
    must(ndft_problem_create(s.device, &d, &problem));
    ndft_problem_destroy(s.problem);
    s.problem = problem;
    ndft_plan_destroy(s.plan);
    s.plan = s.make();
    expect(s.alone() == wanted, "a description with arrays on the device");
    must(ndft_plan_set_samples(s.plan, SAMPLES, d.k, nullptr));
    expect(s.alone() == wanted, "new samples on the device");
    for (float *memory : k) must(cudaFree(memory));
}

int main()
{
    if (no_device()) return 77;
    two_streams();
    captured_on_a_foreign_stream();
    captured_with_coil_maps();
    captured_beside_plans();
    captured_anew_after_new_values();
    a_thread_is_as_it_was();
    arrays_on_the_device();
    printf("%d faults\n", faults);
    return faults ? 1 : 0;
}
