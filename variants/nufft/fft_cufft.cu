/* SPDX-License-Identifier: Apache-2.0 */
#include "fft_cufft.cuh"

#include <cufft.h>

struct ndft_fft {
    cufftHandle handle;
    ndft_exec *exec;
    ndft_prec prec;
};

namespace
{

ndft_status refused(ndft_exec *exec, const char *what, cufftResult result)
{
    return ndft_fail(exec->error, result == CUFFT_ALLOC_FAILED ? NDFT_ENOMEM : NDFT_EDEVICE,
                     "cuFFT: %s failed with code %d", what, (int)result);
}

ndft_status prepare(ndft_fft *fft, ndft_arrays *arrays, int dim, const int64_t n[3], int columns)
{
    int slowest_first[3];
    int64_t cells = 1;
    for (int d = 0; d < dim; d++) {
        slowest_first[dim - 1 - d] = (int)n[d];
        cells *= n[d];
    }
    cufftResult result = cufftSetAutoAllocation(fft->handle, 0);
    if (result != CUFFT_SUCCESS) return refused(fft->exec, "giving its memory", result);
    result = cufftSetStream(fft->handle, ndft_stream(fft->exec));
    if (result != CUFFT_SUCCESS) return refused(fft->exec, "setting its stream", result);
    size_t bytes = 0;
    result = cufftMakePlanMany(fft->handle, dim, slowest_first, slowest_first, 1, (int)cells,
                               slowest_first, 1, (int)cells,
                               fft->prec == NDFT_F32 ? CUFFT_C2C : CUFFT_Z2Z, columns, &bytes);
    if (result != CUFFT_SUCCESS) return refused(fft->exec, "its plan", result);
    if (bytes == 0) return NDFT_OK;
    char *work = nullptr;
    NDFT_TRY(ndft_reserve(arrays, "the FFT's work area", (int64_t)bytes, &work));
    result = cufftSetWorkArea(fft->handle, work);
    return result == CUFFT_SUCCESS ? NDFT_OK : refused(fft->exec, "setting its work area", result);
}

} // namespace

ndft_status ndft_fft_make(ndft_arrays *arrays, ndft_prec prec, int dim, const int64_t n[3],
                          int columns, ndft_fft **out)
{
    ndft_fft *fft = (ndft_fft *)calloc(1, sizeof *fft);
    if (!fft) return ndft_fail(arrays->exec->error, NDFT_ENOMEM, "no memory for a plan");
    fft->exec = arrays->exec;
    fft->prec = prec;
    const cufftResult result = cufftCreate(&fft->handle);
    if (result != CUFFT_SUCCESS) {
        free(fft);
        return refused(arrays->exec, "its handle", result);
    }
    const ndft_status status = prepare(fft, arrays, dim, n, columns);
    if (status != NDFT_OK) {
        ndft_fft_destroy(fft);
        return status;
    }
    *out = fft;
    return NDFT_OK;
}

ndft_status ndft_fft_run(const ndft_fft *fft, int sign, void *cells)
{
    const int direction = sign < 0 ? CUFFT_FORWARD : CUFFT_INVERSE;
    const cufftResult result =
        fft->prec == NDFT_F32
            ? cufftExecC2C(fft->handle, (cufftComplex *)cells, (cufftComplex *)cells, direction)
            : cufftExecZ2Z(fft->handle, (cufftDoubleComplex *)cells, (cufftDoubleComplex *)cells,
                           direction);
    return result == CUFFT_SUCCESS ? NDFT_OK : refused(fft->exec, "a transform", result);
}

void ndft_fft_destroy(ndft_fft *fft)
{
    if (!fft) return;
    cufftDestroy(fft->handle);
    free(fft);
}
