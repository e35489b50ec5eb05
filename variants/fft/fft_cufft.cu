/* SPDX-License-Identifier: Apache-2.0 */
#include "fft_cufft.cuh"

#include <cufft.h>

/* Bytes of a chunk from which the axes are transformed apart. */
static const int64_t apart_from = 16 << 20;

struct ndft_fft {
    ndft_exec *exec;
    ndft_prec prec;
    int plans;
    cufftHandle handle[2]; /* inner axes, outermost axis; or one for all */
    size_t work[2];
    int64_t
        back; /* bytes from the first range of the inner axes' transform to the second; 0: one */
};

namespace
{

ndft_status refused(ndft_exec *exec, const char *what, cufftResult result)
{
    return ndft_fail(exec->error, result == CUFFT_ALLOC_FAILED ? NDFT_ENOMEM : NDFT_EDEVICE,
                     "cuFFT: %s failed with code %d", what, (int)result);
}

/* Adds a plan for arrays of `dim` axes n, x first, `batch` of them `distance` apart. */
ndft_status add(ndft_fft *fft, int dim, const int *n, int64_t stride, int64_t distance,
                int64_t batch)
{
    long long slowest_first[3];
    for (int d = 0; d < dim; d++) slowest_first[dim - 1 - d] = n[d];
    const int i = fft->plans;
    cufftResult result = cufftCreate(&fft->handle[i]);
    if (result != CUFFT_SUCCESS) return refused(fft->exec, "its handle", result);
    fft->plans++;
    result = cufftSetAutoAllocation(fft->handle[i], 0);
    if (result != CUFFT_SUCCESS) return refused(fft->exec, "leaving memory to its user", result);
    result = cufftSetStream(fft->handle[i], ndft_stream(fft->exec));
    if (result != CUFFT_SUCCESS) return refused(fft->exec, "setting its stream", result);
    result = cufftMakePlanMany64(
        fft->handle[i], dim, slowest_first, slowest_first, stride, distance, slowest_first, stride,
        distance, fft->prec == NDFT_F32 ? CUFFT_C2C : CUFFT_Z2Z, batch, &fft->work[i]);
    return result == CUFFT_SUCCESS ? NDFT_OK : refused(fft->exec, "its plan", result);
}

/* One work area serves both plans. */
ndft_status give_work(ndft_fft *fft, ndft_arrays *arrays)
{
    const size_t bytes = fft->work[0] > fft->work[1] ? fft->work[0] : fft->work[1];
    if (bytes == 0) return NDFT_OK;
    char *work = nullptr;
    NDFT_TRY(ndft_reserve(arrays, "the FFT's work area", (int64_t)bytes, &work));
    for (int i = 0; i < fft->plans; i++) {
        const cufftResult result = cufftSetWorkArea(fft->handle[i], work);
        if (result != CUFFT_SUCCESS) return refused(fft->exec, "setting its work area", result);
    }
    return NDFT_OK;
}

/* All axes by one plan, grids one after the other. */
ndft_status prepare_together(ndft_fft *fft, ndft_arrays *arrays, int dim, const int64_t n[3],
                             int columns)
{
    int axes[3];
    int64_t cells = 1;
    for (int d = 0; d < dim; d++) {
        axes[d] = (int)n[d];
        cells *= n[d];
    }
    NDFT_TRY(add(fft, dim, axes, 1, cells, columns));
    return give_work(fft, arrays);
}

/* The outermost axis by a plan of its own, [outermost][column][others]. */
ndft_status prepare_apart(ndft_fft *fft, ndft_arrays *arrays, int dim, const int64_t n[3],
                          int columns, ndft_nufft_grid *grid)
{
    const int64_t inner = grid->column, range = (n[dim - 1] + 1) / 2;
    fft->back =
        (grid->n[dim - 1] - range) * columns * inner * 2 * (int64_t)ndft_real_size(fft->prec);
    NDFT_TRY(add(fft, dim - 1, grid->n, 1, inner, range * columns));
    NDFT_TRY(add(fft, 1, &grid->n[dim - 1], columns * inner, 1, columns * inner));
    return give_work(fft, arrays);
}

/* Whether the axes are worth two plans; sets the grid's strides. */
bool place(int dim, int columns, ndft_prec prec, ndft_nufft_grid *grid)
{
    const int64_t cells = (int64_t)grid->n[0] * grid->n[1] * grid->n[2];
    const bool apart = dim > 1 && cells * columns * 2 * (int64_t)ndft_real_size(prec) >= apart_from;
    grid->row = grid->n[0];
    grid->plane = (int64_t)grid->n[0] * grid->n[1];
    grid->column = cells;
    if (apart) {
        grid->column = cells / grid->n[dim - 1];
        (dim == 2 ? grid->row : grid->plane) = columns * grid->column;
    }
    return apart;
}

/* An empty one. */
ndft_status create(ndft_exec *exec, ndft_prec prec, ndft_fft **out)
{
    *out = (ndft_fft *)calloc(1, sizeof **out);
    if (!*out) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a plan");
    (*out)->exec = exec;
    (*out)->prec = prec;
    return NDFT_OK;
}

ndft_status run(const ndft_fft *fft, int i, int direction, void *cells)
{
    const cufftResult result =
        fft->prec == NDFT_F32
            ? cufftExecC2C(fft->handle[i], (cufftComplex *)cells, (cufftComplex *)cells, direction)
            : cufftExecZ2Z(fft->handle[i], (cufftDoubleComplex *)cells, (cufftDoubleComplex *)cells,
                           direction);
    return result == CUFFT_SUCCESS ? NDFT_OK : refused(fft->exec, "a transform", result);
}

/* The inner axes, where the outermost has voxels. */
ndft_status run_inner(const ndft_fft *fft, int direction, void *cells)
{
    NDFT_TRY(run(fft, 0, direction, cells));
    return run(fft, 0, direction, (char *)cells + fft->back);
}

} // namespace

ndft_status ndft_fft_make(ndft_arrays *arrays, ndft_prec prec, int dim, const int64_t n[3],
                          int columns, ndft_nufft_grid *grid, ndft_fft **out)
{
    NDFT_TRY(create(arrays->exec, prec, out));
    const int64_t all[3] = {grid->n[0], grid->n[1], grid->n[2]};
    return place(dim, columns, prec, grid) ? prepare_apart(*out, arrays, dim, n, columns, grid)
                                           : prepare_together(*out, arrays, dim, all, columns);
}

ndft_status ndft_fft_make(ndft_arrays *arrays, ndft_prec prec, int dim, const int64_t n[3],
                          int columns, ndft_fft **out)
{
    NDFT_TRY(create(arrays->exec, prec, out));
    return prepare_together(*out, arrays, dim, n, columns);
}

ndft_status ndft_fft_run(const ndft_fft *fft, int sign, void *cells)
{
    const int direction = sign < 0 ? CUFFT_FORWARD : CUFFT_INVERSE;
    if (fft->plans == 1) return run(fft, 0, direction, cells);
    if (sign < 0) NDFT_TRY(run_inner(fft, direction, cells));
    NDFT_TRY(run(fft, 1, direction, cells));
    return sign < 0 ? NDFT_OK : run_inner(fft, direction, cells);
}

void ndft_fft_destroy(ndft_fft *fft)
{
    if (!fft) return;
    for (int i = 0; i < fft->plans; i++) cufftDestroy(fft->handle[i]);
    free(fft);
}
