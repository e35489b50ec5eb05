/* SPDX-License-Identifier: Apache-2.0 */
#include "uniform_cufft.cuh"

#include <cufftXt.h>

struct ndft_uniform_cufft {
    ndft_exec *exec;
    bool made; /* the handle */
    cufftHandle handle;
    cufftType type;
    int direction;
};

namespace
{

ndft_status refused(ndft_exec *exec, const char *what, cufftResult result)
{
    return ndft_fail(exec->error, result == CUFFT_ALLOC_FAILED ? NDFT_ENOMEM : NDFT_EDEVICE,
                     "cuFFT: %s failed with code %d", what, (int)result);
}

/* A tensor in cuFFT's words: element (b, x) at b distance + ((x0 embed[1] + x1) embed[2] + x2)
 * stride, the slowest axis first. */
struct layout {
    long long embed[3], stride, distance;
};

/* The mode that is the batch. */
int batch_mode(const ndft_transform *t)
{
    return t->shape[NDFT_MODE_K] > 1 ? NDFT_MODE_K : NDFT_MODE_M;
}

layout layout_of(const ndft_transform *t, const ndft_tensor *tensor)
{
    layout l = {};
    const int64_t *stride = tensor->stride;
    l.embed[0] = tensor->shape[t->dim];
    for (int d = 1; d < t->dim; d++) l.embed[t->dim - d] = stride[d + 1] / stride[d];
    l.stride = stride[NDFT_MODE_N];
    l.distance = stride[batch_mode(t)];
    return l;
}

bool embeds(const ndft_transform *t, const ndft_tensor *tensor)
{
    for (int d = 1; d < t->dim; d++) {
        const int64_t inner = tensor->stride[d], outer = tensor->stride[d + 1];
        if (outer % inner != 0 || outer / inner < tensor->shape[d]) return false;
    }
    return true;
}

cufftType type_of(const ndft_transform *t)
{
    const bool f32 = t->prec == NDFT_F32;
    if (t->domain == NDFT_R2C) return f32 ? CUFFT_R2C : CUFFT_D2Z;
    if (t->domain == NDFT_C2R) return f32 ? CUFFT_C2R : CUFFT_Z2D;
    return f32 ? CUFFT_C2C : CUFFT_Z2Z;
}

cufftXtCallbackType load_type(cufftType type)
{
    switch (type) {
    case CUFFT_R2C:
        return CUFFT_CB_LD_REAL;
    case CUFFT_D2Z:
        return CUFFT_CB_LD_REAL_DOUBLE;
    case CUFFT_C2C:
    case CUFFT_C2R:
        return CUFFT_CB_LD_COMPLEX;
    default:
        return CUFFT_CB_LD_COMPLEX_DOUBLE;
    }
}

cufftXtCallbackType store_type(cufftType type)
{
    switch (type) {
    case CUFFT_C2R:
        return CUFFT_CB_ST_REAL;
    case CUFFT_Z2D:
        return CUFFT_CB_ST_REAL_DOUBLE;
    case CUFFT_C2C:
    case CUFFT_R2C:
        return CUFFT_CB_ST_COMPLEX;
    default:
        return CUFFT_CB_ST_COMPLEX_DOUBLE;
    }
}

ndft_status set_callbacks(ndft_uniform_cufft *fft, const ndft_cufft_callbacks *c)
{
    void *info = c->info;
    cufftResult result = cufftXtSetJITCallback(fft->handle, "ndft_fft_load", c->load.code,
                                               c->load.size, load_type(fft->type), &info);
    if (result == CUFFT_SUCCESS)
        result = cufftXtSetJITCallback(fft->handle, "ndft_fft_store", c->store.code, c->store.size,
                                       store_type(fft->type), &info);
    return result == CUFFT_SUCCESS ? NDFT_OK : refused(fft->exec, "taking callbacks", result);
}

ndft_status prepare(ndft_uniform_cufft *fft, ndft_arrays *arrays, const ndft_transform *t)
{
    long long n[3];
    for (int d = 1; d <= t->dim; d++) n[t->dim - d] = t->shape[d];
    layout in = layout_of(t, &t->in), out = layout_of(t, &t->out);
    size_t bytes = 0;
    cufftResult result = cufftSetAutoAllocation(fft->handle, 0);
    if (result != CUFFT_SUCCESS) return refused(fft->exec, "leaving memory to its user", result);
    result = cufftSetStream(fft->handle, ndft_stream(fft->exec));
    if (result != CUFFT_SUCCESS) return refused(fft->exec, "setting its stream", result);
    result =
        cufftMakePlanMany64(fft->handle, t->dim, n, in.embed, in.stride, in.distance, out.embed,
                            out.stride, out.distance, fft->type, t->shape[batch_mode(t)], &bytes);
    if (result != CUFFT_SUCCESS) return refused(fft->exec, "its plan", result);
    if (bytes == 0) return NDFT_OK;
    char *work = nullptr;
    NDFT_TRY(ndft_reserve(arrays, "the FFT's work area", (int64_t)bytes, &work));
    result = cufftSetWorkArea(fft->handle, work);
    return result == CUFFT_SUCCESS ? NDFT_OK : refused(fft->exec, "setting its work area", result);
}

} // namespace

bool ndft_uniform_cufft_direct(const ndft_transform *t)
{
    const bool one_batch = t->shape[NDFT_MODE_M] == 1 || t->shape[NDFT_MODE_K] == 1;
    const bool beside = t->shape[NDFT_MODE_M] > 1 || t->in.stride[NDFT_MODE_N] > 1;
    const bool overlaid = t->in_place && t->domain != NDFT_C2C && beside;
    return one_batch && !overlaid && embeds(t, &t->in) && embeds(t, &t->out);
}

ndft_status ndft_uniform_cufft_make(ndft_arrays *arrays, const ndft_transform *t,
                                    const ndft_cufft_callbacks *callbacks, ndft_uniform_cufft **out)
{
    ndft_uniform_cufft *fft = (ndft_uniform_cufft *)calloc(1, sizeof *fft);
    *out = fft;
    if (!fft) return ndft_fail(arrays->exec->error, NDFT_ENOMEM, "no memory for a plan");
    fft->exec = arrays->exec;
    fft->type = type_of(t);
    fft->direction = t->sign < 0 ? CUFFT_FORWARD : CUFFT_INVERSE;
    const cufftResult result = cufftCreate(&fft->handle);
    if (result != CUFFT_SUCCESS) return refused(fft->exec, "its handle", result);
    fft->made = true;
    if (callbacks) NDFT_TRY(set_callbacks(fft, callbacks));
    return prepare(fft, arrays, t);
}

static cufftResult launch(const ndft_uniform_cufft *fft, void *in, void *out)
{
    switch (fft->type) {
    case CUFFT_R2C:
        return cufftExecR2C(fft->handle, (cufftReal *)in, (cufftComplex *)out);
    case CUFFT_D2Z:
        return cufftExecD2Z(fft->handle, (cufftDoubleReal *)in, (cufftDoubleComplex *)out);
    case CUFFT_C2R:
        return cufftExecC2R(fft->handle, (cufftComplex *)in, (cufftReal *)out);
    case CUFFT_Z2D:
        return cufftExecZ2D(fft->handle, (cufftDoubleComplex *)in, (cufftDoubleReal *)out);
    case CUFFT_C2C:
        return cufftExecC2C(fft->handle, (cufftComplex *)in, (cufftComplex *)out, fft->direction);
    default:
        return cufftExecZ2Z(fft->handle, (cufftDoubleComplex *)in, (cufftDoubleComplex *)out,
                            fft->direction);
    }
}

ndft_status ndft_uniform_cufft_run(const ndft_uniform_cufft *fft, void *in, void *out)
{
    const cufftResult result = launch(fft, in, out);
    return result == CUFFT_SUCCESS ? NDFT_OK : refused(fft->exec, "a transform", result);
}

void ndft_uniform_cufft_destroy(ndft_uniform_cufft *fft)
{
    if (fft && fft->made) cufftDestroy(fft->handle);
    free(fft);
}
