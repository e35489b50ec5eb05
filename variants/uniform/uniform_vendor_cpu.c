/* SPDX-License-Identifier: Apache-2.0 */
#include "core/chosen.h"
#include "fft/fft_fftw.h"
#include "uniform/callback/callback_pass.h"
#include "uniform_cost.h"

/*
 * FFTW as its user would call it: one guru plan that takes the strides as they are. Threads share
 * out the longer of the two batches in chunks that keep the arrays' alignment; a lone transform has
 * one thread. Real transforms in place read from a copy, since those of different batches would
 * overwrite each other's numbers. Load and store functions have passes of their own, for which FFTW
 * has no place. Its ceiling is FFTW's own.
 */

enum { MEASURE, ESTIMATE, AUTO };
enum { SMALL = 1 << 14 }; /* elements that are done before other threads have begun */

static const double most_seconds = 5; /* of trying out, where the context has no other bound */

static const char *const rigors[] = {"measure", "estimate", "auto", NULL};

static const ndft_knob vendor_knobs[] = {
    NDFT_KNOB_WORDS(
        "rigor", "how FFTW chooses: by timing in plan, by a guess, or by timing for several axes",
        rigors, AUTO, (MEASURE, ESTIMATE)),
};

typedef struct vendor_plan {
    ndft_arena arena;
    ndft_fft whole[2], rest[2]; /* of a chunk of the batch, and of what is left; for any arrays */
    int64_t chunks;             /* whole ones */
    size_t in_step, out_step;   /* bytes from chunk to chunk */
    ndft_callback_passes passes;
} vendor_plan;

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *knobs)
{
    (void)device;
    (void)knobs;
    return ndft_unsupported_callbacks_c(p);
}

static size_t step_of(const ndft_tensor *t, ndft_prec prec, int mode, int64_t chunk)
{
    return (size_t)(chunk * t->stride[mode]) * (t->real ? 1 : 2) * ndft_real_size(prec);
}

/* A chunk of the batch for each thread, of as many as keep reals aligned; small batches are one. */
static int64_t chunk_of(const ndft_transform *t, int64_t count, int threads)
{
    const int64_t unit = NDFT_FFT_ALIGN / (int64_t)ndft_real_size(t->prec);
    if (ndft_tensor_size(&t->in) < SMALL) threads = 1;
    const int64_t even = (count + threads - 1) / threads, chunk = (even + unit - 1) / unit * unit;
    return chunk < count ? chunk : count;
}

static ndft_fft_mode mode_of(const ndft_transform *t, int mode)
{
    return (ndft_fft_mode){t->shape[mode], t->in.stride[mode], t->out.stride[mode]};
}

static ndft_fft_shape shape_of(const ndft_transform *t, bool unaligned)
{
    ndft_fft_shape s = {.prec = t->prec,
                        .domain = t->domain,
                        .sign = t->sign,
                        .unaligned = unaligned,
                        .axes = t->dim};
    for (int d = 0; d < t->dim; d++) s.axis[d] = mode_of(t, t->dim - d);
    if (t->shape[NDFT_MODE_K] > 1) s.batch[s.batches++] = mode_of(t, NDFT_MODE_K);
    if (t->shape[NDFT_MODE_M] > 1) s.batch[s.batches++] = mode_of(t, NDFT_MODE_M);
    return s;
}

static size_t bytes_of(const ndft_tensor *t, ndft_prec prec)
{
    return (size_t)ndft_tensor_room(t) * 2 * ndft_real_size(prec);
}

/* Arrays to plan on; a guess touches none, and needs only two places. */
static ndft_status take_arrays(ndft_exec *exec, const ndft_transform *t, bool measured,
                               void *array[2])
{
    const size_t in = measured ? bytes_of(&t->in, t->prec) : NDFT_FFT_ALIGN;
    const size_t out = measured ? bytes_of(&t->out, t->prec) : NDFT_FFT_ALIGN;
    const size_t both = in > out ? in : out;
    NDFT_TRY(exec->alloc(exec, "an array to plan on", t->in_place ? both : in, &array[0]));
    if (t->in_place) {
        array[1] = array[0];
        return NDFT_OK;
    }
    ndft_status status = exec->alloc(exec, "an array to plan on", out, &array[1]);
    if (status != NDFT_OK) exec->release(exec, array[0]);
    return status;
}

/* Of so many of a mode: for arrays that are aligned as FFTW's own, and, by a guess, for any. */
static ndft_status plan_batch(const vendor_plan *plan, ndft_transform t, int mode, int64_t count,
                              bool measured, ndft_fft fft[2])
{
    ndft_exec *exec = plan->arena.exec;
    void *array[2] = {NULL, NULL};
    t.shape[mode] = t.in.shape[mode] = t.out.shape[mode] = count;
    const ndft_fft_shape aligned = shape_of(&t, false), any = shape_of(&t, true);
    NDFT_TRY(take_arrays(exec, &t, measured, array));
    const double seconds = measured ? ndft_patience(exec, most_seconds) : 0;
    ndft_status status = ndft_fft_make(exec->error, &aligned, seconds, array[0], array[1], &fft[0]);
    if (status == NDFT_OK)
        status = ndft_fft_make(exec->error, &any, seconds, array[0], array[1], &fft[1]);
    if (status != NDFT_OK) ndft_fft_destroy_pair(fft);
    exec->release(exec, array[0]);
    if (!t.in_place) exec->release(exec, array[1]);
    return status;
}

/* FFTW's guess for several axes is up to ten times as slow as what it finds in a quarter of a
 * second, that for lines up to a third slower. */
static bool is_measured(const ndft_transform *t, int rigor)
{
    int axes = 0;
    for (int d = 0; d < t->dim; d++) axes += t->shape[t->dim - d] > 1;
    return rigor == MEASURE || (rigor == AUTO && axes > 1);
}

/* The chunks of a mode, and what is left. */
static ndft_status plan_chunks(vendor_plan *plan, const ndft_transform *t, int mode, int64_t chunk,
                               bool measured)
{
    const int64_t left = t->shape[mode] % chunk;
    NDFT_TRY(plan_batch(plan, *t, mode, chunk, measured, plan->whole));
    if (!left) return NDFT_OK;
    const ndft_status status = plan_batch(plan, *t, mode, left, measured, plan->rest);
    if (status != NDFT_OK) ndft_fft_destroy_pair(plan->whole);
    return status;
}

static bool is_copied(const ndft_transform *t) { return t->in_place && t->domain != NDFT_C2C; }

static ndft_status fill(void *state, const ndft_problem *p, const void *how, unsigned ops)
{
    (void)ops;
    vendor_plan *plan = state;
    const int *knobs = how;
    const bool copies = is_copied(ndft_transform_of(p));
    NDFT_TRY(ndft_callback_passes_make(&plan->arena, p, copies, &plan->passes));
    ndft_transform t = plan->passes.inner;
    if (copies) t.in_place = false;
    const int mode = t.shape[NDFT_MODE_K] >= t.shape[NDFT_MODE_M] ? NDFT_MODE_K : NDFT_MODE_M;
    const int64_t count = t.shape[mode], chunk = chunk_of(&t, count, plan->passes.threads);
    const bool measured = is_measured(&t, knobs[0]);
    plan->chunks = count / chunk;
    plan->in_step = step_of(&t.in, t.prec, mode, chunk);
    plan->out_step = step_of(&t.out, t.prec, mode, chunk);
    const ndft_status status = plan_chunks(plan, &t, mode, chunk, measured);
    if (status != NDFT_ENOMEM || knobs[0] != AUTO || !measured) return status;
    *plan->arena.exec->error = (ndft_error){.status = NDFT_OK}; /* a guess wants no arrays */
    return plan_chunks(plan, &t, mode, chunk, false);
}

static void destroy(void *state)
{
    vendor_plan *plan = state;
    ndft_fft_destroy_pair(plan->whole);
    ndft_fft_destroy_pair(plan->rest);
    ndft_arena_destroy(plan);
}

static ndft_status plan(const ndft_problem *p, const int *knobs, unsigned ops, ndft_exec *exec,
                        void **out)
{
    static const ndft_host_recipe recipe = {sizeof(vendor_plan), fill, destroy};
    return ndft_host_create(&recipe, p, knobs, ops, exec, out);
}

static int64_t pieces_of(const vendor_plan *plan)
{
    return plan->chunks + (plan->rest[0].plan != NULL);
}

/* FFTW's own signature: the input is written only where a transform is to reals. */
static ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    const vendor_plan *plan = state;
    (void)op;
    char *from = (char *)(uintptr_t)ndft_callback_load(&plan->passes, in);
    char *to = ndft_callback_result(&plan->passes, out);
    const int64_t pieces = pieces_of(plan);
    const int any = ((uintptr_t)from | (uintptr_t)to) % NDFT_FFT_ALIGN != 0;
#pragma omp parallel for num_threads(plan->passes.threads) schedule(static, 1) if (pieces > 1)
    for (int64_t i = 0; i < pieces; i++)
        ndft_fft_run(i < plan->chunks ? &plan->whole[any] : &plan->rest[any],
                     from + (size_t)i * plan->in_step, to + (size_t)i * plan->out_step);
    ndft_callback_store(&plan->passes, out);
    return NDFT_OK;
}

/* The pieces of the batch; FFTW's own choice is longer than a record has room for. */
static void chosen(const void *state, char *text, size_t size)
{
    text[0] = 0;
    ndft_chosen_one(text, size, "pieces", pieces_of(state));
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)op;
    (void)knobs;
    const ndft_transform *t = ndft_transform_of(p);
    return ndft_fft_cost(t, (t->load || is_copied(t) ? 1 : 0) + (t->store ? 1 : 0));
}

const ndft_variant ndft_uniform_vendor_cpu = {
    .name = "uniform_vendor",
    .backend = "cpu",
    .summary = "a uniform transform by FFTW",
    NDFT_KNOBS(vendor_knobs),
    .ops = NDFT_FORWARD,
    .claim = {.c = 1, NDFT_FFT_ERRORS, .overwrites_input = true},
    .unsupported = unsupported,
    .plan = plan,
    .execute = execute,
    .destroy = destroy,
    .cost = cost,
    .chosen = chosen,
    .tried = 1u << 0,
};
