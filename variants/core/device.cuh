/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DEVICE_CUH
#define NDFT_DEVICE_CUH

#include "base/launched.cuh"
#include "base/problem.h"
#include "base/retained.h"

#include <cstdlib>
#include <cuda_runtime.h>

/* What every CUDA variant's host code does the same way: device arrays of a plan, and launches. */

/* The arrays that a plan owns, and what it has of what exec retains, released together. */
struct ndft_arrays {
    ndft_exec *exec;
    int size;
    void **memory;
    int holds;
    ndft_retained **held;
};

inline void ndft_arrays_release(ndft_arrays *arrays)
{
    for (int i = 0; i < arrays->size; i++) arrays->exec->release(arrays->exec, arrays->memory[i]);
    for (int i = 0; i < arrays->holds; i++) ndft_let_go(arrays->exec, arrays->held[i]);
    free(arrays->memory);
    free(arrays->held);
}

/* Of which it is a user. */
inline ndft_status ndft_hold(ndft_arrays *arrays, ndft_retained *retained)
{
    const size_t holds = (size_t)arrays->holds + 1;
    ndft_retained **longer = (ndft_retained **)realloc(arrays->held, holds * sizeof *longer);
    if (!longer) {
        ndft_let_go(arrays->exec, retained);
        return ndft_fail(arrays->exec->error, NDFT_ENOMEM, "no memory for a plan");
    }
    arrays->held = longer;
    arrays->held[arrays->holds++] = retained;
    return NDFT_OK;
}

/* Uninitialised device memory of count elements that the plan owns. */
template <class T>
ndft_status ndft_reserve(ndft_arrays *arrays, const char *what, int64_t count, T **device)
{
    const size_t size = (size_t)arrays->size + 1;
    void **longer = (void **)realloc(arrays->memory, size * sizeof *longer);
    if (!longer) return ndft_fail(arrays->exec->error, NDFT_ENOMEM, "no memory for a plan");
    arrays->memory = longer;
    void *memory = nullptr;
    NDFT_TRY(arrays->exec->alloc(arrays->exec, what, (size_t)count * sizeof(T), &memory));
    arrays->memory[arrays->size++] = memory;
    *device = (T *)memory;
    return NDFT_OK;
}

/* What a call of CUDA says, as a status. */
inline ndft_status ndft_checked(const ndft_exec *exec, cudaError_t error, const char *what)
{
    if (error == cudaSuccess) return NDFT_OK;
    (void)cudaGetLastError();
    return ndft_fail(exec->error, NDFT_EDEVICE, "%s: %s", what, cudaGetErrorString(error));
}

inline cudaStream_t ndft_stream(const ndft_exec *exec) { return (cudaStream_t)exec->stream; }

/* Of an array of the problem, which outlives the plan: nobody waits for it, and what is queued
 * behind finds the copy. */
inline ndft_status ndft_queue_upload(const ndft_exec *exec, void *device, const void *host,
                                     size_t bytes)
{
    return ndft_checked(
        exec, cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, ndft_stream(exec)),
        "an upload");
}

/* Gives back what was needed meanwhile, when it is done with: other memory may be given its place.
 * Where exec keeps it, whoever takes it is queued behind. */
inline ndft_status ndft_release_meanwhile(ndft_arrays *meanwhile, ndft_status status)
{
    const ndft_exec *exec = meanwhile->exec;
    const cudaError_t done = exec->keeps ? cudaSuccess : cudaStreamSynchronize(ndft_stream(exec));
    if (status == NDFT_OK) status = ndft_checked(exec, done, "a plan's preparation");
    ndft_arrays_release(meanwhile);
    return status;
}

/* The last of a kind that exec keeps and for which same() holds; NULL: there is none. */
template <class T, class Same>
T *ndft_find_retained(const ndft_exec *exec, void (*kind)(ndft_retained *), Same same)
{
    for (ndft_retained *kept = exec->keeps ? exec->kept : nullptr; kept; kept = kept->next)
        if (kept->free == kind && same(*(const T *)kept)) return (T *)kept;
    return nullptr;
}

/* One that has arrays of its own: `ndft_retained retained`, first, and `ndft_arrays arrays`. */
template <class T> void ndft_free_retained(ndft_retained *retained)
{
    T *object = (T *)retained;
    ndft_arrays_release(&object->arrays);
    free(object);
}

/* One that is retained and for which same() holds, or else another that fill() makes, of the memory
 * of those that nobody has any more; either way it has a user more. */
template <class T, class Same, class Fill>
ndft_status ndft_take_retained(ndft_exec *exec, T **out, Same same, Fill fill)
{
    if ((*out = ndft_find_retained<T>(exec, ndft_free_retained<T>, same))) {
        (*out)->retained.users++;
        return NDFT_OK;
    }
    ndft_forget(exec, ndft_free_retained<T>);
    T *made = (T *)calloc(1, sizeof *made);
    if (!made) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a plan");
    made->arrays.exec = exec;
    const ndft_status status = fill(made);
    if (status != NDFT_OK) {
        ndft_free_retained<T>(&made->retained);
        return status;
    }
    ndft_retain(exec, &made->retained, ndft_free_retained<T>);
    *out = made;
    return NDFT_OK;
}

/* A device array of count elements, all zeros at first. */
template <class T>
ndft_status ndft_reserve_zeros(ndft_arrays *arrays, const char *what, int64_t count, T **device)
{
    NDFT_TRY(ndft_reserve(arrays, what, count, device));
    return ndft_checked(
        arrays->exec,
        cudaMemsetAsync(*device, 0, (size_t)count * sizeof(T), ndft_stream(arrays->exec)), what);
}

/* A device array of count elements, which fill(host) writes. */
template <class T, class Fill>
ndft_status ndft_place_filled(ndft_arrays *arrays, const char *what, int64_t count,
                              const T **device, Fill fill)
{
    ndft_exec *exec = arrays->exec;
    const size_t bytes = (size_t)count * sizeof(T);
    T *memory = nullptr;
    NDFT_TRY(ndft_reserve(arrays, what, count, &memory));
    T *host = (T *)malloc(bytes);
    if (!host)
        return ndft_fail(exec->error, NDFT_ENOMEM, "%s needs %zu bytes of host memory", what,
                         bytes);
    fill(host);
    ndft_status status = exec->upload(exec, memory, host, bytes);
    free(host);
    *device = memory;
    return status;
}

/* The same with element i = value(i). */
template <class T, class Value>
ndft_status ndft_place(ndft_arrays *arrays, const char *what, int64_t count, const T **device,
                       Value value)
{
    return ndft_place_filled(arrays, what, count, device, [&](T *host) {
        for (int64_t i = 0; i < count; i++) host[i] = value(i);
    });
}

/* Reports a launch that could not start; what runs wrong later is found when the stream is waited
 * for. */
inline ndft_status ndft_launched(const ndft_exec *exec, const char *kernel)
{
    const cudaError_t error = ndft_launch_error();
    if (error == cudaSuccess) return NDFT_OK;
    return ndft_fail(exec->error, NDFT_EDEVICE, "launch of %s: %s", kernel,
                     cudaGetErrorString(error));
}

/* Unsupported where the registers do not suffice for this many threads of this kernel. */
inline ndft_status ndft_fits_block(ndft_exec *exec, const void *kernel, int threads)
{
    cudaFuncAttributes attributes;
    NDFT_TRY(
        ndft_checked(exec, cudaFuncGetAttributes(&attributes, kernel), "attributes of a kernel"));
    if (attributes.maxThreadsPerBlock >= threads) return NDFT_OK;
    return ndft_fail(exec->error, NDFT_EUNSUPPORTED,
                     "with this many outputs a block has registers for %d threads, not %d",
                     attributes.maxThreadsPerBlock, threads);
}

/*
 * Lets a kernel have all the dynamic shared memory that a block can; unsupported where it needs
 * more. The limit is the kernel's, whoever launches it: were it what one plan needs, a plan made
 * later could take from one that lives. So plans ask here, and nowhere else.
 */
inline ndft_status ndft_allow_shared(ndft_exec *exec, const void *kernel, size_t needed)
{
    cudaFuncAttributes attributes;
    NDFT_TRY(
        ndft_checked(exec, cudaFuncGetAttributes(&attributes, kernel), "attributes of a kernel"));
    const size_t most = exec->device.shared_bytes - attributes.sharedSizeBytes;
    if (needed > most)
        return ndft_fail(exec->error, NDFT_EUNSUPPORTED,
                         "its blocks need %zu bytes of shared memory and can have %zu", needed,
                         most);
    return ndft_checked(
        exec, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)most),
        "shared memory of a kernel");
}

/*
 * Threads of a block: `most`, halved while this kernel has no registers for them, less what whole
 * blocks of them would have beyond `count`. Many threads keep the warps of a multiprocessor in
 * step, which would else run ahead one after the other and leave it half empty in the end.
 */
inline int ndft_block_threads(const void *kernel, int most, int64_t count)
{
    cudaFuncAttributes attributes = {};
    int threads = most;
    if (cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess)
        while (threads > attributes.maxThreadsPerBlock && threads % 64 == 0) threads /= 2;
    const int64_t blocks = (count + threads - 1) / threads, even = (count + blocks - 1) / blocks;
    return (int)(even + 31) / 32 * 32;
}

/* First of an execute whose kernels must not read the caller's array. */
inline ndft_status ndft_copy_input(const ndft_exec *exec, void *copy, const void *in, size_t bytes)
{
    return ndft_checked(
        exec, cudaMemcpyAsync(copy, in, bytes, cudaMemcpyDeviceToDevice, ndft_stream(exec)),
        "a copy of the input");
}

inline unsigned ndft_blocks(int64_t count, int64_t per_block)
{
    return (unsigned)((count + per_block - 1) / per_block);
}

/* Strides of one vector in complex elements: between elements, between coils. */
struct ndft_strides {
    int64_t element, coil;
};

inline ndft_strides ndft_strides_of(const ndft_problem *p, int64_t length)
{
    return {ndft_element_stride(p), ndft_coil_stride(p, length)};
}

/*
 * What every plan starts with. A Plan extends it by
 *
 *     ndft_status prepare(const ndft_problem *, const int *knobs, unsigned ops);
 *     ndft_status run(ndft_op, const void *in, void *out) const;
 *
 * and, where they have something to do, by its own chosen, which appends to the text what the plan
 * chose, and release, for what is not memory of the arrays; that is called after a failed prepare
 * as well. NDFT_BASE_PLAN(Plan) and ndft_chosen_plan are the descriptor's.
 */
struct ndft_base_plan {
    ndft_arrays arrays;
    ndft_prec prec;
    struct {
        ndft_status (*run)(const void *, ndft_op, const void *in, void *out);
        void (*chosen)(const void *, char *text, size_t size);
        void (*release)(void *);
    } calls; /* of the Plan's type */

    void chosen(char *, size_t) const {}
    void release() {}
};

inline void ndft_destroy_plan(void *state)
{
    ndft_base_plan *plan = (ndft_base_plan *)state;
    if (plan->calls.release) plan->calls.release(plan);
    ndft_arrays_release(&plan->arrays);
    free(plan);
}

/* On failure everything is released. */
template <class Plan>
ndft_status ndft_make_plan(const ndft_problem *p, const int *knobs, unsigned ops, ndft_exec *exec,
                           void **out)
{
    Plan *plan = (Plan *)calloc(1, sizeof(Plan));
    if (!plan) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a plan");
    plan->arrays.exec = exec;
    plan->prec = p->prec;
    plan->calls = {[](const void *state, ndft_op op, const void *in, void *to) {
                       return ((const Plan *)state)->run(op, in, to);
                   },
                   [](const void *state, char *text, size_t size) {
                       ((const Plan *)state)->chosen(text, size);
                   },
                   [](void *state) { ((Plan *)state)->release(); }};
    ndft_status status = plan->prepare(p, knobs, ops);
    if (status == NDFT_OK)
        *out = plan;
    else
        ndft_destroy_plan(plan);
    return status;
}

/* Of Plan<float> or Plan<double>, by the problem's precision. */
template <template <class> class Plan>
ndft_status ndft_make_plan(const ndft_problem *p, const int *knobs, unsigned ops, ndft_exec *exec,
                           void **out)
{
    return p->prec == NDFT_F32 ? ndft_make_plan<Plan<float>>(p, knobs, ops, exec, out)
                               : ndft_make_plan<Plan<double>>(p, knobs, ops, exec, out);
}

inline ndft_status ndft_run_plan(void *state, ndft_op op, const void *in, void *out)
{
    return ((const ndft_base_plan *)state)->calls.run(state, op, in, out);
}

#define NDFT_BASE_PLAN(...)                                                                        \
    .plan = ndft_make_plan<__VA_ARGS__>, .execute = ndft_run_plan, .destroy = ndft_destroy_plan

inline void ndft_chosen_plan(const void *state, char *text, size_t size)
{
    text[0] = 0;
    ((const ndft_base_plan *)state)->calls.chosen(state, text, size);
}

#endif
