/* SPDX-License-Identifier: Apache-2.0 */
#include "vkfft_module.h"

#include <vkFFT.h>

#include <stdbool.h>

/* Built where CMake is given vkFFT.h (cmake/vkfft.cmake), never into the program. */

typedef struct vkfft_plan {
    VkFFTApplication application;
    CUdevice device;
    cudaStream_t stream;
    void *buffer, *input; /* VkFFT keeps pointers to these, and to the sizes */
    pfUINT bytes, input_bytes;
    bool inverse, returns; /* returns: it reads the buffer and writes the input's place */
} vkfft_plan;

static void put_sides(vkfft_plan *plan, const vkfft_request *r, VkFFTConfiguration *c)
{
    c->buffer = &plan->buffer;
    c->bufferSize = &plan->bytes;
    for (int d = 0; d < VKFFT_AXES; d++) c->bufferStride[d] = (pfUINT)r->stride[d];
    if (r->in_place) return;
    c->isInputFormatted = 1;
    c->inverseReturnToInputBuffer = plan->returns;
    c->inputBuffer = &plan->input;
    c->inputBufferSize = &plan->input_bytes;
    for (int d = 0; d < VKFFT_AXES; d++) c->inputBufferStride[d] = (pfUINT)r->input_stride[d];
}

static void put_tuning(const vkfft_request *r, VkFFTConfiguration *c)
{
    c->coalescedMemory = (pfUINT)r->coalescedMemory;
    c->aimThreads = (pfUINT)r->aimThreads;
    c->useLUT = (pfINT)r->useLUT;
    c->registerBoost = (pfUINT)r->registerBoost;
    c->performBandwidthBoost = (int)r->performBandwidthBoost;
    c->fixMaxRaderPrimeMult = (pfUINT)r->fixMaxRaderPrimeMult;
    c->fixMaxRaderPrimeFFT = (pfUINT)r->fixMaxRaderPrimeFFT;
    c->fixMaxRadixBluestein = (pfUINT)r->fixMaxRadixBluestein;
}

/* Inverse transforms are not normalised unless asked for. */
static VkFFTConfiguration configuration_of(vkfft_plan *plan, const vkfft_request *r)
{
    VkFFTConfiguration c = {0};
    c.FFTdim = (pfUINT)r->dim;
    for (int d = 0; d < VKFFT_AXES; d++) c.size[d] = (pfUINT)r->size[d];
    c.numberBatches = (pfUINT)r->batches;
    c.omitDimension[0] = (pfUINT)r->omit;
    c.doublePrecision = (pfUINT)r->f64;
    c.performR2C = (pfUINT)r->real;
    c.makeForwardPlanOnly = !plan->inverse;
    c.makeInversePlanOnly = plan->inverse;
    c.device = &plan->device;
    c.stream = &plan->stream;
    c.num_streams = 1;
    put_sides(plan, r, &c);
    put_tuning(r, &c);
    return c;
}

static int make(vkfft_plan *plan, const vkfft_request *r, void *stream)
{
    plan->stream = stream;
    plan->bytes = (pfUINT)r->bytes;
    plan->input_bytes = (pfUINT)r->input_bytes;
    plan->inverse = r->inverse != 0;
    plan->returns = r->real && r->inverse && !r->in_place;
    if (cuCtxGetDevice(&plan->device) != CUDA_SUCCESS) return VKFFT_ERROR_INVALID_CONTEXT;
    const VkFFTConfiguration c = configuration_of(plan, r);
    const VkFFTResult result = initializeVkFFT(&plan->application, c);
    if (result != VKFFT_SUCCESS) return result; /* it has deleted what it had made */
    if (cudaStreamSynchronize(plan->stream) == cudaSuccess) return VKFFT_SUCCESS;
    deleteVkFFT(&plan->application);
    return VKFFT_ERROR_FAILED_TO_SYNCHRONIZE;
}

int ndft_vkfft_plan(const vkfft_request *r, void *stream, void **made)
{
    vkfft_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return VKFFT_ERROR_MALLOC_FAILED;
    const int result = make(plan, r, stream);
    if (result == VKFFT_SUCCESS)
        *made = plan;
    else
        free(plan);
    return result;
}

int ndft_vkfft_execute(void *state, void *in, void *out)
{
    vkfft_plan *plan = state;
    VkFFTLaunchParams none = {0}; /* where its sides are was said when the plan was made */
    plan->buffer = plan->returns ? in : out;
    plan->input = plan->returns ? out : in;
    return VkFFTAppend(&plan->application, plan->inverse ? 1 : -1, &none);
}

void ndft_vkfft_destroy(void *state)
{
    vkfft_plan *plan = state;
    deleteVkFFT(&plan->application);
    free(plan);
}

const char *ndft_vkfft_error(int result) { return getVkFFTErrorString((VkFFTResult)result); }
