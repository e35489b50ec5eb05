/* SPDX-License-Identifier: Apache-2.0 */
#include "finufft.h"

#include "base/peer.h"

#include <pthread.h>

/*
 * FINUFFT on the processor, through its C interface: a plan with its points set for each operation,
 * coils as transforms. execute is its execute, and with a field map the weighing by its terms
 * (field.h). Knobs have its names and defaults.
 */

enum { EPS, UPSAMPFAC, SPREAD_SORT, SPREAD_THREAD, MAXBATCHSIZE, NTHREADS, FFTW };

static const char *const thread_words[] = {"auto", "1", "all", NULL};
static const char *const fftw_words[] = {"estimate", "measure", NULL};

static const ndft_knob knobs[] = {
    [EPS] = PEER_EPS_KNOB,
    [UPSAMPFAC] = PEER_UPSAMPFAC_KNOB,
    [SPREAD_SORT] =
        NDFT_KNOB("spread_sort", "", "points sorted: 0 never, 1 always, 2 where it expects to gain",
                  2, (0, 1, 2)),
    [SPREAD_THREAD] = NDFT_KNOB("spread_thread", "",
                                "threads over transforms: 0 its choice, 1 one after the other, "
                                "2 a transform each",
                                0, (0, 1, 2)),
    [MAXBATCHSIZE] = NDFT_KNOB("maxbatchsize", "transforms", "transforms at a time, 0: its choice",
                               0, (0, 1, 2, 4, 8, 16)),
    [NTHREADS] =
        NDFT_KNOB_WORDS("nthreads", "threads, auto: its choice, one for each physical core",
                        thread_words, 0, (0, 1, 2)),
    [FFTW] = NDFT_KNOB_WORDS("fftw", "how FFTW plans for it", fftw_words, 0, (0, 1)),
};

/* finufft_opts as releases 2.4 and 2.5 have it (finufft_opts.h). */
typedef struct finufft_opts {
    int modeord, spreadinterponly, debug, spread_debug, showwarn, nthreads, fftw, spread_sort;
    int spread_kerevalmeth, spread_kerpad;
    double upsampfac;
    int spread_thread, maxbatchsize, spread_nthr_atomic, spread_max_sp_size, spread_kerformula;
    void (*fftw_lock_fun)(void *);
    void (*fftw_unlock_fun)(void *);
    void *fftw_lock_data;
    char later[256]; /* what a release of the same series may add */
} finufft_opts;

/* Constant once loaded. */
static peer_calls loaded;

static void load(void)
{
    peer_calls_load(&loaded, "finufft", "FINUFFT version ", &peer_weigher_cpu);
}

static const peer_calls *calls(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return &loaded;
}

/* Of release 2.5, tolerances of 1e-1 to 1e-13; by upsampfac, and in 3D, where 1.25 reaches less in
 * f32. Left the choice in f64, it takes 1.25 only where that reaches the tolerance. */
static const peer_accuracy *accuracy(const ndft_problem *p, const int *values)
{
    static const peer_accuracy all[2][3] = {
        {{2.3, {3.2e-5, 0}, 1.8}, {2, {0, 0}, 0.6}, {2.3, {3.2e-5, 4e-10}, 1.8}},
        {{3, {1.6e-4, 0}, 1.8}, {2, {0, 0}, 0.6}, {3, {1.6e-4, 4e-10}, 1.8}}};
    return &all[p->dim == 3][values[UPSAMPFAC]];
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
    if (values[SPREAD_SORT] > 2) return "spread_sort is 0, 1 or 2";
    if (values[SPREAD_THREAD] > 2) return "spread_thread is 0, 1 or 2";
    return peer_finufft_unsupported(p, accuracy(p, values), values[EPS]);
}

/* 0 leaves it to them. */
static int threads_of(const int *values, int all)
{
    const int threads[] = {0, 1, all};
    return threads[values[NTHREADS]];
}

static int fftw_flag(const int *values)
{
    enum { FFTW_MEASURE = 0, FFTW_ESTIMATE = 64 }; /* fftw3.h */
    return values[FFTW] ? FFTW_MEASURE : FFTW_ESTIMATE;
}

static ndft_status plan(const ndft_problem *p, const int *values, unsigned ops, ndft_exec *exec,
                        void **state)
{
    finufft_opts opts;
    calls()->default_opts(&opts);
    opts.showwarn = 0;
    opts.upsampfac = peer_upsampling(values[UPSAMPFAC]);
    opts.spread_sort = values[SPREAD_SORT];
    opts.spread_thread = values[SPREAD_THREAD];
    opts.maxbatchsize = values[MAXBATCHSIZE];
    opts.nthreads = threads_of(values, exec->threads);
    opts.fftw = fftw_flag(values);
    const peer_tolerance tol = peer_tolerance_of(p, accuracy(p, values), values[EPS]);
    const void *const opts_of[] = {[NDFT_FORWARD] = &opts, [NDFT_ADJOINT] = &opts};
    return peer_plan_make(calls(), opts_of, p, tol, ops, exec, state);
}

const ndft_variant ndft_finufft_cpu = {
    .name = "finufft",
    .backend = "cpu",
    .summary = "FINUFFT's type 2 and type 1",
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
    const peer_tolerance tol = peer_tolerance_of(p, accuracy(p, values), values[EPS]);
    ndft_text line = peer_plan_alone(tol, text, size);
    ndft_text_add(
        &line, "upsampfac=%g spread_sort=%d spread_thread=%d maxbatchsize=%d nthreads=%d fftw=%d",
        peer_upsampling(values[UPSAMPFAC]), values[SPREAD_SORT], values[SPREAD_THREAD],
        values[MAXBATCHSIZE], threads_of(values, threads), fftw_flag(values));
}

static const char *missing(void) { return peer_missing(&calls()->library); }

static const char *version(void) { return calls()->library.version; }

static const char *built(void) { return calls()->library.built; }

const ndft_peer ndft_finufft_cpu_peer = {
    .variant = &ndft_finufft_cpu,
    .who = "FINUFFT, Flatiron Institute",
    .missing = missing,
    .version = version,
    .built = built,
    .seconds = peer_plan_seconds,
    .alone = alone,
};
