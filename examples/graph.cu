/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An iteration as a CUDA graph: Landweber's x <- x + s A^H (y - A x) on a stream of ours, captured
 * once with both executions and our own kernels, replayed without any of the host's work.
 *
 *     nvcc graph.cu $(pkg-config --cflags --libs ndft) -o graph
 */
#include <ndft.h>

#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 64, VOXELS = N * N, SPOKES = 100, READOUT = 64, SAMPLES = SPOKES * READOUT };
enum { ITERATIONS = 200, THREADS = 256, SKIPPED = 77 };

static float kx[SAMPLES], ky[SAMPLES];

/* r <- y - r and x <- x + s g */
static __global__ void subtract(const float2 *y, float2 *r, int n)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < n) r[j] = make_float2(y[j].x - r[j].x, y[j].y - r[j].y);
}

static __global__ void add(float2 *x, float s, const float2 *g, int n)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) x[v] = make_float2(x[v].x + s * g[v].x, x[v].y + s * g[v].y);
}

static void check(ndft_status status)
{
    if (status == NDFT_OK) return;
    fprintf(stderr, "%s\n", ndft_message());
    exit(status == NDFT_EDEVICE ? SKIPPED : 1);
}

static void check(cudaError_t error)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(1);
}

static double norm(const float2 *on_device, int n)
{
    static float2 values[SAMPLES];
    double sum = 0;
    check(cudaMemcpy(values, on_device, n * sizeof *values, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        sum += (double)values[i].x * values[i].x + (double)values[i].y * values[i].y;
    return sqrt(sum);
}

/* The largest eigenvalue of A^H A is no larger than its largest sum of magnitudes in a row, here
 * estimated by a few steps of the power method on a point. */
static double largest_eigenvalue(ndft_plan *plan, ndft_device *device, float2 *x, float2 *g)
{
    double grown = 1;
    for (int i = 0; i < 20; i++) {
        check(ndft_execute(plan, NDFT_NORMAL, i % 2 ? g : x, i % 2 ? x : g));
        check(ndft_device_sync(device));
        const double before = norm(i % 2 ? g : x, VOXELS), after = norm(i % 2 ? x : g, VOXELS);
        grown = after / before;
        if (i % 2) { /* keeps numbers small */
            check(cudaMemset(g, 0, VOXELS * sizeof *g));
            add<<<(VOXELS + THREADS - 1) / THREADS, THREADS>>>(g, (float)(1 / after), x, VOXELS);
            check(cudaMemcpy(x, g, VOXELS * sizeof *x, cudaMemcpyDeviceToDevice));
        }
    }
    return grown;
}

static cudaGraphExec_t capture(ndft_plan *plan, cudaStream_t stream, const float2 *y, float2 *r,
                               float2 *g, float2 *x, float s)
{
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    check(ndft_execute(plan, NDFT_FORWARD, x, r));
    subtract<<<(SAMPLES + THREADS - 1) / THREADS, THREADS, 0, stream>>>(y, r, SAMPLES);
    check(ndft_execute(plan, NDFT_ADJOINT, r, g));
    add<<<(VOXELS + THREADS - 1) / THREADS, THREADS, 0, stream>>>(x, s, g, VOXELS);
    check(cudaStreamEndCapture(stream, &graph));
    check(cudaGraphInstantiate(&ready, graph, 0));
    check(cudaGraphDestroy(graph));
    return ready;
}

int main(void)
{
    const double pi = acos(-1.0);
    float2 *x, *g, *y, *r, point = {1, 0};
    for (int j = 0; j < SAMPLES; j++) {
        const double angle = pi * (j / READOUT) / SPOKES, at = j % READOUT - READOUT / 2;
        kx[j] = (float)(at * cos(angle));
        ky[j] = (float)(at * sin(angle));
    }
    ndft_device_options options = {};
    ndft_problem_desc desc = {};
    ndft_device *device;
    ndft_problem *problem;
    ndft_plan *plan;
    cudaStream_t stream;
    if (cudaStreamCreate(&stream) != cudaSuccess) {
        fprintf(stderr, "skipped: no CUDA device\n");
        return SKIPPED;
    }
    options.struct_size = sizeof options;
    options.stream = stream;
    desc.struct_size = sizeof desc;
    desc.dim = 2;
    desc.n[0] = desc.n[1] = N;
    desc.n_samples = SAMPLES;
    desc.k[0] = kx;
    desc.k[1] = ky;
    check(ndft_device_open("cuda", &options, &device));
    check(ndft_problem_create(device, &desc, &problem));
    check(ndft_plan_create(problem, NDFT_FORWARD | NDFT_ADJOINT | NDFT_NORMAL, NULL, &plan));
    for (float2 **image : {&x, &g}) check(cudaMalloc(image, VOXELS * sizeof point));
    for (float2 **samples : {&y, &r}) check(cudaMalloc(samples, SAMPLES * sizeof point));

    check(cudaMemset(x, 0, VOXELS * sizeof point));
    check(cudaMemcpy(x + N / 2 * N + N / 2 + 5, &point, sizeof point, cudaMemcpyHostToDevice));
    check(ndft_execute(plan, NDFT_FORWARD, x, y)); /* what is measured */
    const float s = (float)(1 / largest_eigenvalue(plan, device, x, g));
    check(cudaMemset(x, 0, VOXELS * sizeof point));

    cudaGraphExec_t iteration = capture(plan, stream, y, r, g, x, s);
    for (int i = 0; i < ITERATIONS; i++) check(cudaGraphLaunch(iteration, stream));
    check(ndft_device_sync(device));
    const double left = norm(r, SAMPLES) / norm(y, SAMPLES);
    printf("left of the samples after %d replays: %.3f\n", ITERATIONS, left);

    check(cudaGraphExecDestroy(iteration));
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
    ndft_device_close(device);
    for (float2 *memory : {x, g, y, r}) check(cudaFree(memory));
    check(cudaStreamDestroy(stream));
    return left < 0.2 ? 0 : 1;
}
