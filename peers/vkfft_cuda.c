/* SPDX-License-Identifier: Apache-2.0 */
#include "base/now.h"
#include "library.h"
#include "vkfft_alone.h"
#include "vkfft_layout.h"

#include "base/peer.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * VkFFT on the first GPU, through the shared library that vkfft_module.c makes of its headers: a
 * plan compiles its kernels with NVRTC, execute launches them on the caller's stream and does
 * nothing else, so that a graph can hold it. Its own memory is not in plan_bytes. Knobs have its
 * names and defaults.
 */

enum { COALESCED, THREADS, LUT, REGISTERS, BANDWIDTH, RADER_MULT, RADER_FFT, RADIX };

static const char *const lut_words[] = {"auto", "on", "off", NULL};

static const ndft_knob knobs[] = {
    [COALESCED] = NDFT_KNOB("coalescedMemory", "bytes",
                            "that are read and written at a time along strided axes, 0: 32", 0,
                            (0, 16, 64, 128)),
    [THREADS] = NDFT_KNOB("aimThreads", "", "threads of a block that it aims at, 0: 128", 0,
                          (0, 32, 64, 256, 512)),
    [LUT] = NDFT_KNOB_WORDS("useLUT", "factors from tables; auto: in f64", lut_words, 0, (0, 1, 2)),
    [REGISTERS] = NDFT_KNOB("registerBoost", "",
                            "how many times shared memory registers hold, 0: 1", 0, (0, 2, 4)),
    [BANDWIDTH] = NDFT_KNOB("performBandwidthBoost", "",
                            "less coalescing for longer strided axes at once, 0: its choice", 0,
                            (0, 1, 2, 4)),
    [RADER_MULT] =
        NDFT_KNOB("fixMaxRaderPrimeMult", "", "primes from here on are not multiplied out, 0: 89",
                  0, (0, 17, 31, 47, 128)),
    [RADER_FFT] = NDFT_KNOB("fixMaxRaderPrimeFFT", "",
                            "primes from here on are Bluestein's, not Rader's, 0: 16384", 0,
                            (0, 17, 128, 1024, 4096)),
    [RADIX] = NDFT_KNOB("fixMaxRadixBluestein", "",
                        "largest prime in the length of Bluestein's convolution, 0: by its table",
                        0, (0, 2, 3, 5, 7, 13)),
};

typedef struct vkfft_calls {
    peer_library library;
    int (*plan)(const vkfft_request *, void *stream, void **plan);
    int (*execute)(void *plan, void *in, void *out);
    void (*destroy)(void *plan);
    const char *(*error)(int result);
} vkfft_calls;

typedef struct peer_vkfft_plan {
    ndft_exec *exec;
    void *theirs;
    double plan_s;
} peer_vkfft_plan;

/* Constant once loaded. */
static vkfft_calls loaded;

static void load(void)
{
    const peer_symbol symbols[] = {{"ndft_vkfft_plan", &loaded.plan},
                                   {"ndft_vkfft_execute", &loaded.execute},
                                   {"ndft_vkfft_destroy", &loaded.destroy},
                                   {"ndft_vkfft_error", &loaded.error}};
    peer_library_load(&loaded.library, "vkfft", NULL, symbols, sizeof symbols / sizeof *symbols);
}

static const vkfft_calls *calls(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return &loaded;
}

/* The growth of uniform_cost.h with a factor of its own: of release 1.3.4 in f32 at most 4.9 was
 * measured, over primes of 7 to 1000003. */
static double typical_error(const ndft_problem *p, const int *values)
{
    (void)values;
    return ndft_roundoff(p->prec) * 6 *
           sqrt(log2(2 * (double)ndft_transform_length(ndft_transform_of(p))));
}

/* Roundings taken as independent of each other: four standard deviations. */
static double worst_entry(const ndft_problem *p, ndft_op op, const int *values)
{
    (void)op;
    return 4 * typical_error(p, values);
}

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *values)
{
    (void)device, (void)values;
    return peer_vkfft_unsupported(p);
}

static vkfft_request request_of(const ndft_problem *p, const int *values)
{
    static const int lut[] = {0, 1, -1};
    vkfft_request r = peer_vkfft_request(ndft_transform_of(p));
    r.coalescedMemory = values[COALESCED];
    r.aimThreads = values[THREADS];
    r.useLUT = lut[values[LUT]];
    r.registerBoost = values[REGISTERS];
    r.performBandwidthBoost = values[BANDWIDTH];
    r.fixMaxRaderPrimeMult = values[RADER_MULT];
    r.fixMaxRaderPrimeFFT = values[RADER_FFT];
    r.fixMaxRadixBluestein = values[RADIX];
    return r;
}

/* VkFFTResult of vkFFT_Structs.h. What its plan refuses, a kernel that does not compile too, is
 * another length's or knob's business. */
static ndft_status result_of(ndft_exec *exec, int result)
{
    enum { MALLOC_FAILED = 1, FAILED_TO_ALLOCATE = 4001, INVALID_CONTEXT = 1008 };
    enum { FAILED_TO_SYNCHRONIZE = 4028, FAILED_TO_COPY, FAILED_TO_LAUNCH = 4039 };
    ndft_status status = NDFT_EUNSUPPORTED;
    if (result == MALLOC_FAILED || result == FAILED_TO_ALLOCATE) status = NDFT_ENOMEM;
    if (result == INVALID_CONTEXT || result == FAILED_TO_SYNCHRONIZE || result == FAILED_TO_COPY ||
        result == FAILED_TO_LAUNCH)
        status = NDFT_EDEVICE;
    if (!result) return NDFT_OK;
    return ndft_fail(exec->error, status, "VkFFT says %s", calls()->error(result));
}

static ndft_status plan(const ndft_problem *p, const int *values, unsigned ops, ndft_exec *exec,
                        void **state)
{
    (void)ops;
    const vkfft_request request = request_of(p, values);
    peer_vkfft_plan *made = calloc(1, sizeof *made);
    if (!made) return ndft_fail(exec->error, NDFT_ENOMEM, "no host memory for a plan");
    made->exec = exec;
    const double start = ndft_now_s();
    const ndft_status status =
        result_of(exec, calls()->plan(&request, exec->stream, &made->theirs));
    made->plan_s = ndft_now_s() - start;
    if (status == NDFT_OK)
        *state = made;
    else
        free(made);
    return status;
}

/* A transform to reals may overwrite its input, as the claim says. */
static ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    const peer_vkfft_plan *made = state;
    (void)op;
    return result_of(made->exec, calls()->execute(made->theirs, (void *)(uintptr_t)in, out));
}

static void destroy(void *state)
{
    peer_vkfft_plan *made = state;
    calls()->destroy(made->theirs);
    free(made);
}

static double bytes(const ndft_transform *t, const ndft_tensor *side)
{
    return (double)ndft_tensor_size(side) * (side->real ? 1 : 2) * (double)ndft_real_size(t->prec);
}

/* What it executes is not known; every number is read or written once at least. */
static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *values)
{
    (void)op, (void)values;
    const ndft_transform *t = ndft_transform_of(p);
    return (ndft_cost){.dram_bytes = bytes(t, &t->in) + bytes(t, &t->out)};
}

const ndft_variant ndft_vkfft_cuda = {
    .name = "vkfft",
    .backend = "cuda",
    .summary = "a uniform transform by VkFFT",
    NDFT_KNOBS(knobs),
    .ops = NDFT_FORWARD,
    .claim = {.truncation = typical_error,
              .any = {.c = 1, .chain = ndft_no_chain, .truncation = worst_entry},
              .deterministic = true,
              .overwrites_input = true},
    .unsupported = unsupported,
    .plan = plan,
    .execute = execute,
    .destroy = destroy,
    .cost = cost,
};

static void seconds(const void *state, ndft_op op, double *plan_s, double *setpts_s)
{
    (void)op;
    *plan_s = ((const peer_vkfft_plan *)state)->plan_s;
    *setpts_s = 0;
}

static void alone(const ndft_problem *p, const int *values, int threads, char *text, size_t size)
{
    (void)threads;
    const vkfft_request request = request_of(p, values);
    peer_vkfft_alone(ndft_transform_of(p), &request, text, size);
}

static const char *missing(void) { return peer_missing(&calls()->library); }

static const char *version(void) { return calls()->library.version; }

static const char *built(void) { return calls()->library.built; }

const ndft_peer ndft_vkfft_cuda_peer = {
    .variant = &ndft_vkfft_cuda,
    .who = "VkFFT, D. Tolmachev",
    .missing = missing,
    .version = version,
    .built = built,
    .seconds = seconds,
    .alone = alone,
};
