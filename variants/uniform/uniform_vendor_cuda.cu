/* SPDX-License-Identifier: Apache-2.0 */
#include "uniform/callback/uniform_index.cuh"

#include "core/chosen.h"
#include "fft/fft_cufft.cuh"
#include "uniform/callback/callback_kernel.cuh"
#include "uniform/callback/callback_module.h"
#include "uniform/callback/uniform_vendor_info.cuh"
#include "uniform_cost.h"

/*
 * cuFFT as its user would call it: one plan on the caller's arrays where cuFFT's layouts reach
 * them. Where not (two batches, axes out of order, reals in place beside M), the input is packed
 * into lines first, transformed there, and the output unpacked. Load and store functions are linked
 * into cuFFT's kernels, which then read and write the caller's arrays through them whatever their
 * layout, and keep what lies between their passes in packed lines. Its ceiling is cuFFT's own.
 */

namespace
{

enum { THREADS = 256 };

/* A thread per element: to gets what from has, each at its own place. */
template <class T>
__global__ void repack(ndft_tensor from, ndft_tensor to, int64_t size, const T *in, T *out)
{
    const int64_t e = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (e >= size) return;
    int64_t index[NDFT_MODES];
    ndft_tensor_index(&from, e, index);
    out[ndft_tensor_offset(&to, index)] = in[ndft_tensor_offset(&from, index)];
}

template <class T>
void launch_repack(cudaStream_t stream, const ndft_tensor &from, const ndft_tensor &to,
                   const void *in, void *out)
{
    const int64_t size = ndft_tensor_size(&from);
    repack<T><<<ndft_blocks(size, THREADS), THREADS, 0, stream>>>(from, to, size, (const T *)in,
                                                                  (T *)out);
}

/* The mode that is the batch. */
int batch_mode(const ndft_transform *t)
{
    return t->shape[NDFT_MODE_K] > 1 ? NDFT_MODE_K : NDFT_MODE_M;
}

ndft_cufft_side side_of(const ndft_transform *t, const ndft_tensor *tensor)
{
    ndft_cufft_side side = {};
    const int64_t *stride = tensor->stride;
    side.embed[0] = tensor->shape[t->dim];
    for (int d = 1; d < t->dim; d++) side.embed[t->dim - d] = stride[d + 1] / stride[d];
    side.stride = stride[NDFT_MODE_N];
    side.distance = stride[batch_mode(t)];
    return side;
}

ndft_cufft_shape shape_of(const ndft_transform *t)
{
    ndft_cufft_shape shape = {};
    for (int d = 1; d <= t->dim; d++) shape.n[t->dim - d] = t->shape[d];
    shape.prec = t->prec;
    shape.domain = t->domain;
    shape.dim = t->dim;
    shape.in = side_of(t, &t->in);
    shape.out = side_of(t, &t->out);
    shape.batch = t->shape[batch_mode(t)];
    return shape;
}

bool embeds(const ndft_transform *t, const ndft_tensor *tensor)
{
    for (int d = 1; d < t->dim; d++) {
        const int64_t inner = tensor->stride[d], outer = tensor->stride[d + 1];
        if (outer % inner != 0 || outer / inner < tensor->shape[d]) return false;
    }
    return true;
}

/* Whether cuFFT's advanced layout can say where both tensors lie: one batch at most, every stride
 * a multiple of that of the axis before; real transforms in place in one piece along N1. */
bool reaches(const ndft_transform *t)
{
    const bool one_batch = t->shape[NDFT_MODE_M] == 1 || t->shape[NDFT_MODE_K] == 1;
    const bool beside = t->shape[NDFT_MODE_M] > 1 || t->in.stride[NDFT_MODE_N] > 1;
    const bool overlaid = t->in_place && t->domain != NDFT_C2C && beside;
    return one_batch && !overlaid && embeds(t, &t->in) && embeds(t, &t->out);
}

/* The same tensor with its axes one after the other, then M, then K. */
ndft_tensor packed(const ndft_tensor &t)
{
    static const int order[NDFT_MODES] = {1, 2, 3, NDFT_MODE_M, NDFT_MODE_K};
    ndft_tensor p = t;
    int64_t step = 1;
    for (int mode : order) {
        p.stride[mode] = step;
        step *= t.shape[mode];
    }
    return p;
}

/* The transform of packed tensors: all of the batch is K. */
ndft_transform packed_transform(const ndft_transform &t)
{
    ndft_transform lines = t;
    lines.in = packed(t.in);
    lines.out = packed(t.out);
    lines.in_place = false;
    lines.shape[NDFT_MODE_K] = ndft_transform_batch(&t);
    lines.shape[NDFT_MODE_M] = 1;
    for (ndft_tensor *side : {&lines.in, &lines.out}) {
        side->shape[NDFT_MODE_K] = lines.shape[NDFT_MODE_K];
        side->stride[NDFT_MODE_K] = side->stride[NDFT_MODE_M];
        side->shape[NDFT_MODE_M] = side->stride[NDFT_MODE_M] = 1;
    }
    return lines;
}

typedef ndft_vendor_info<ndft_called_data> called_info;

/* What callbacks read and write. */
__global__ void aim(called_info *info, const void *in, void *out)
{
    info->in = in;
    info->out = out;
}

struct vendor_plan : ndft_base_plan {
    ndft_transform transform;
    ndft_tensor lines_in, lines_out;
    char *work[2];     /* packed input and output; null: the caller's arrays are taken */
    called_info *info; /* on the device; null: no load or store functions */
    char *copy;        /* of the input, for those, in place; null: none */
    size_t bytes;
    ndft_cufft *fft;

    size_t element(const ndft_tensor &t) const { return (t.real ? 1 : 2) * ndft_real_size(prec); }

    ndft_status reserve(const char *what, const ndft_tensor &t, char **memory)
    {
        return ndft_reserve(&arrays, what, ndft_tensor_size(&t) * (int64_t)element(t), memory);
    }

    ndft_status prepare(const ndft_problem *p, const int *, unsigned)
    {
        transform = *ndft_transform_of(p);
        ndft_transform t = transform;
        const bool called = t.load || t.store;
        if (called || !reaches(&t)) {
            lines_in = packed(t.in);
            lines_out = packed(t.out);
            t = packed_transform(t);
            NDFT_TRY(reserve("packed input", t.in, &work[0]));
            NDFT_TRY(reserve("packed output", t.out, &work[1]));
        }
        return called ? prepare_called(p, t) : make_fft(t, nullptr);
    }

    void release() { ndft_cufft_destroy(fft); }

    ndft_status make_fft(const ndft_transform &t, const ndft_cufft_callbacks *callbacks)
    {
        const ndft_cufft_shape shape = shape_of(&t);
        NDFT_TRY(ndft_cufft_make(arrays.exec, &shape, callbacks, &fft));
        return ndft_cufft_give_work(&arrays, &fft, 1);
    }

    /* lines: the transform as cuFFT sees it. */
    ndft_status prepare_called(const ndft_problem *p, const ndft_transform &lines)
    {
        ndft_exec *exec = arrays.exec;
        called_info host = {};
        host.transform = transform;
        bytes = ndft_vector_bytes(p, p->n_voxels);
        if (transform.in_place)
            NDFT_TRY(ndft_reserve(&arrays, "a copy of the input", (int64_t)bytes, &copy));
        NDFT_TRY(ndft_called_upload(&arrays, &transform, &host.data));
        NDFT_TRY(ndft_reserve(&arrays, "what callbacks know", 1, &info));
        NDFT_TRY(exec->upload(exec, info, &host, sizeof host));
        ndft_cufft_callbacks callbacks = {};
        callbacks.info = info;
        ndft_status status = compile(&callbacks);
        if (status == NDFT_OK) status = make_fft(lines, &callbacks);
        free(callbacks.load.code);
        free(callbacks.store.code);
        return status;
    }

    ndft_status compile(ndft_cufft_callbacks *c) const
    {
        const ndft_exec *exec = arrays.exec;
        const int capability = exec->device.capability;
        NDFT_TRY(ndft_module_compile(&transform, "uniform_vendor_load.cuh", capability,
                                     NDFT_CODE_LTO, &c->load.code, &c->load.size, exec->error));
        return ndft_module_compile(&transform, "uniform_vendor_store.cuh", capability,
                                   NDFT_CODE_LTO, &c->store.code, &c->store.size, exec->error);
    }

    void move(const ndft_tensor &from, const ndft_tensor &to, const void *in, void *out) const
    {
        const cudaStream_t stream = ndft_stream(arrays.exec);
        switch (element(from)) {
        case 4:
            return launch_repack<float>(stream, from, to, in, out);
        case 8:
            return launch_repack<float2>(stream, from, to, in, out);
        default:
            return launch_repack<double2>(stream, from, to, in, out);
        }
    }

    ndft_status run_called(const void *in, void *out) const
    {
        const cudaStream_t stream = ndft_stream(arrays.exec);
        if (copy) NDFT_TRY(ndft_copy_input(arrays.exec, copy, in, bytes));
        aim<<<1, 1, 0, stream>>>(info, copy ? copy : in, out);
        NDFT_TRY(ndft_launched(arrays.exec, "aim"));
        return ndft_cufft_run(fft, transform.sign, work[0], work[1]);
    }

    /* cuFFT's own signature: the input is written only where a transform is to reals. */
    ndft_status run(ndft_op, const void *in, void *out) const
    {
        if (info) return run_called(in, out);
        if (!work[0]) return ndft_cufft_run(fft, transform.sign, (void *)(uintptr_t)in, out);
        move(transform.in, lines_in, in, work[0]);
        NDFT_TRY(ndft_cufft_run(fft, transform.sign, work[0], work[1]));
        move(lines_out, transform.out, work[1], out);
        return ndft_launched(arrays.exec, "repack");
    }

    /* Of its own choices cuFFT tells nothing. */
    void chosen(char *text, size_t size) const
    {
        ndft_chosen_one(text, size, "packed", work[0] != nullptr);
    }
};

const char *unsupported(const ndft_problem *p, const ndft_device *, const int *)
{
    return ndft_unsupported_callbacks_cuda(p);
}

/* Kernels that cuFFT 12 takes along an axis, as seen on an H200; each passes over the data. A block
 * holds lines of up to 4096 numbers of 8 bytes, convolved ones too; lines of odd many reals are
 * widened first. */
double kernels_along(const ndft_transform *t, int axis)
{
    const int64_t n = t->shape[NDFT_MODE_N + axis], most = t->prec == NDFT_F32 ? 4096 : 2048;
    const bool convolved = ndft_largest_prime(n) > 127;
    const double widened = axis == 0 && t->domain != NDFT_C2C && n % 2 ? 2 : 0;
    return widened + (convolved ? (n > most ? 10 : 3) : (n > most ? 3 : 1));
}

/* The kernels of all axes that have a length. Beside them a copy of the input and aim, or packing
 * and unpacking. */
ndft_cost cost(const ndft_problem *p, ndft_op, const int *)
{
    const ndft_transform *t = ndft_transform_of(p);
    double kernels = 0;
    for (int d = 0; d < t->dim; d++)
        if (t->shape[NDFT_MODE_N + d] > 1) kernels += kernels_along(t, d);
    const double passes = fmax(kernels, 1) - 1;
    if (!t->load && !t->store) return ndft_fft_cost(t, passes + (reaches(t) ? 0 : 2));
    ndft_cost called = ndft_fft_cost(t, passes + (t->in_place ? 1 : 0));
    called.launches++;
    return called;
}

} // namespace

extern "C" const ndft_variant ndft_uniform_vendor_cuda = {
    .name = "uniform_vendor",
    .backend = "cuda",
    .summary = "a uniform transform by cuFFT",
    .ops = NDFT_FORWARD,
    .claim = {.c = 1, NDFT_FFT_ERRORS, .deterministic = true, .overwrites_input = true},
    .unsupported = unsupported,
    NDFT_BASE_PLAN(vendor_plan),
    .cost = cost,
    .chosen = ndft_chosen_plan,
};
