/* SPDX-License-Identifier: Apache-2.0 */
#include "finufft.h"

#include "base/peer.h"

#include <pthread.h>
#include <stdbool.h>

/*
 * cuFINUFFT on the first GPU, through its C interface: a plan with its points set for each
 * operation on the caller's stream, coils as transforms. execute is its execute, and with a field
 * map the weighing by its terms (field.h): copies, kernels and cuFFT on that stream, so that a
 * graph can hold it. Its own memory is not in plan_bytes. Knobs have its names and defaults.
 */

enum { EPS, METHOD, UPSAMPFAC, MAXBATCHSIZE, BINSIZE, MAXSUBPROBSIZE, NP, SORT };
enum { OUTPUT_DRIVEN = 3, BLOCK_GATHER }; /* of METHOD */

static const ndft_knob knobs[] = {
    [EPS] = PEER_EPS_KNOB,
    [METHOD] = NDFT_KNOB("gpu_method", "",
                         "0 its choice, 1 by points, 2 subproblems in shared memory; 3 output "
                         "driven, 4 in 3D block gather, which its forward does not have and takes "
                         "0 for",
                         0, (0, 1, 2, 3, 4)),
    [UPSAMPFAC] = PEER_UPSAMPFAC_KNOB,
    [MAXBATCHSIZE] = NDFT_KNOB("gpu_maxbatchsize", "transforms",
                               "transforms at a time, 0: its choice", 0, (0, 1, 2, 4, 8, 16, 32)),
    [BINSIZE] = NDFT_KNOB("gpu_binsize", "cells", "width of a bin along every axis, 0: its choice",
                          0, (0, 4, 8, 16, 32, 64)),
    [MAXSUBPROBSIZE] = NDFT_KNOB("gpu_maxsubprobsize", "points", "most points of a subproblem",
                                 1024, (256, 512, 1024, 2048, 4096)),
    [NP] = NDFT_KNOB("gpu_np", "points", "points of a batch, output driven; 0: its choice", 0,
                     (0, 16, 32, 64)),
    [SORT] = NDFT_KNOB("gpu_sort", "", "points sorted, by points: 0 no, 1 yes", 1, (0, 1)),
};

/* cufinufft_opts of release 2.5 (cufinufft_opts.h). */
typedef struct cufinufft_opts {
    double upsampfac;
    int gpu_method, gpu_sort;
    int gpu_binsizex, gpu_binsizey, gpu_binsizez;
    int gpu_obinsizex, gpu_obinsizey, gpu_obinsizez;
    int gpu_maxsubprobsize, gpu_kerevalmeth, gpu_spreadinterponly, gpu_maxbatchsize;
    int gpu_device_id;
    void *gpu_stream;
    int modeord, gpu_np, debug;
    char later[256]; /* what a release of the same series may add */
} cufinufft_opts;

/* Constant once loaded. */
static peer_calls loaded;

static void load(void) { peer_calls_load(&loaded, "cufinufft", NULL, &peer_weigher_cuda); }

static const peer_calls *calls(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return &loaded;
}

/* Of release 2.5, by dimension and upsampfac; left the choice, it takes 2. */
static const peer_accuracy *accuracy(const ndft_problem *p, const int *values)
{
    static const peer_accuracy two[] = {{1.1, {0, 0}, 0.6}, {1.2, {0, 0}, 0.6}, {1.4, {0, 0}, 0.6}};
    static const peer_accuracy one_and_a_quarter[] = {
        {2.3, {0, 4e-9}, 1.8}, {2.7, {0, 4e-9}, 1.8}, {3.8, {0, 4e-9}, 1.8}};
    const bool small = peer_upsampling(values[UPSAMPFAC]) == 1.25;
    return &(small ? one_and_a_quarter : two)[p->dim - 1];
}

static double typical_error(const ndft_problem *p, const int *values)
{
    return peer_typical(p, accuracy(p, values), values[EPS]);
}

static double worst_entry(const ndft_problem *p, ndft_op op, const int *values)
{
    (void)op;
    return peer_worst(p, accuracy(p, values), values[EPS]);
}

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *values)
{
    (void)device;
    if (values[METHOD] > BLOCK_GATHER) return "gpu_method is 0, 1, 2, 3 or 4";
    if (values[METHOD] == BLOCK_GATHER && p->dim != 3)
        return "gpu_method=4, block gather, is of three dimensions; gpu_method=3 is of any";
    if (values[SORT] > 1) return "gpu_sort is 0 or 1";
    return peer_finufft_unsupported(p, accuracy(p, values), values[EPS]);
}

static ndft_status plan(const ndft_problem *p, const int *values, unsigned ops, ndft_exec *exec,
                        void **state)
{
    cufinufft_opts opts;
    calls()->default_opts(&opts);
    opts.upsampfac = peer_upsampling(values[UPSAMPFAC]);
    opts.gpu_method = values[METHOD];
    opts.gpu_sort = values[SORT];
    opts.gpu_maxbatchsize = values[MAXBATCHSIZE];
    opts.gpu_maxsubprobsize = values[MAXSUBPROBSIZE];
    if (values[BINSIZE]) {
        opts.gpu_binsizex = values[BINSIZE];
        opts.gpu_binsizey = p->dim > 1 ? values[BINSIZE] : 1;
        opts.gpu_binsizez = p->dim > 2 ? values[BINSIZE] : 1;
    }
    if (values[NP]) opts.gpu_np = values[NP];
    opts.gpu_stream = exec->stream;
    cufinufft_opts of_forward = opts;
    if (opts.gpu_method >= OUTPUT_DRIVEN) of_forward.gpu_method = 0;
    const peer_tolerance tol = peer_tolerance_of(p, accuracy(p, values), values[EPS]);
    const void *const opts_of[] = {[NDFT_FORWARD] = &of_forward, [NDFT_ADJOINT] = &opts};
    return peer_plan_make(calls(), opts_of, p, tol, ops, exec, state);
}

const ndft_variant ndft_cufinufft_cuda = {
    .name = "cufinufft",
    .backend = "cuda",
    .summary = "cuFINUFFT's type 2 and type 1",
    NDFT_KNOBS(knobs),
    .ops = NDFT_FORWARD | NDFT_ADJOINT,
    .claim = {.truncation = typical_error, .by_chance = true, .any = {.truncation = worst_entry}},
    .unsupported = unsupported,
    .plan = plan,
    .execute = peer_plan_execute,
    .destroy = peer_plan_destroy,
    .cost = peer_plan_cost,
    .chosen = peer_plan_chosen,
};

static void alone(const ndft_problem *p, const int *values, int threads, char *text, size_t size)
{
    (void)threads;
    const peer_tolerance tol = peer_tolerance_of(p, accuracy(p, values), values[EPS]);
    ndft_text line = peer_plan_alone(tol, text, size);
    ndft_text_add(&line,
                  "upsampfac=%g gpu_method=%d gpu_sort=%d gpu_maxbatchsize=%d "
                  "gpu_maxsubprobsize=%d",
                  peer_upsampling(values[UPSAMPFAC]), values[METHOD], values[SORT],
                  values[MAXBATCHSIZE], values[MAXSUBPROBSIZE]);
    if (values[BINSIZE])
        ndft_text_add(&line, " gpu_binsizex=%d gpu_binsizey=%d gpu_binsizez=%d", values[BINSIZE],
                      p->dim > 1 ? values[BINSIZE] : 1, p->dim > 2 ? values[BINSIZE] : 1);
    if (values[NP]) ndft_text_add(&line, " gpu_np=%d", values[NP]);
}

static const char *missing(void) { return peer_missing(&calls()->library); }

static const char *version(void) { return calls()->library.version; }

static const char *built(void) { return calls()->library.built; }

const ndft_peer ndft_cufinufft_cuda_peer = {
    .variant = &ndft_cufinufft_cuda,
    .who = "cuFINUFFT, Flatiron Institute",
    .missing = missing,
    .version = version,
    .built = built,
    .seconds = peer_plan_seconds,
    .alone = alone,
};
