/* SPDX-License-Identifier: Apache-2.0 */
#include "grid_fft.cuh"

#include "fft/fft_cufft.cuh"

struct ndft_grid_fft {
    ndft_cufft *inner, *outermost; /* axes; or one for all, and null */
    int64_t back; /* bytes from the first range of the inner axes' transform to the second */
};

namespace
{

/* Bytes of a chunk from which the axes are transformed apart. */
const int64_t apart_from = 16 << 20;

/* The outermost axis by a plan of its own, [outermost][column][others]; one work area serves both.
 */
ndft_status make_apart(ndft_arrays *arrays, ndft_prec prec, int dim, const int64_t n[3],
                       const int64_t cells[3], int columns, ndft_grid_fft *fft)
{
    const int64_t inner = dim == 2 ? cells[0] : cells[0] * cells[1], last = cells[dim - 1];
    const int64_t range = (n[dim - 1] + 1) / 2, row = columns * inner;
    const ndft_cufft_shape ranges =
        ndft_cufft_grids(prec, dim - 1, cells, 1, inner, range * columns);
    const ndft_cufft_shape across = ndft_cufft_grids(prec, 1, &cells[dim - 1], row, 1, row);
    fft->back = (last - range) * row * 2 * (int64_t)ndft_real_size(prec);
    NDFT_TRY(ndft_cufft_make(arrays->exec, &ranges, nullptr, &fft->inner));
    NDFT_TRY(ndft_cufft_make(arrays->exec, &across, nullptr, &fft->outermost));
    ndft_cufft *const plans[] = {fft->inner, fft->outermost};
    return ndft_cufft_give_work(arrays, plans, 2);
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

/* The inner axes, where the outermost has voxels. */
ndft_status run_inner(const ndft_grid_fft *fft, int sign, void *cells)
{
    void *second = (char *)cells + fft->back;
    NDFT_TRY(ndft_cufft_run(fft->inner, sign, cells, cells));
    return ndft_cufft_run(fft->inner, sign, second, second);
}

} // namespace

ndft_status ndft_grid_fft_make(ndft_arrays *arrays, ndft_prec prec, int dim, const int64_t n[3],
                               int columns, ndft_nufft_grid *grid, ndft_grid_fft **out)
{
    ndft_grid_fft *fft = (ndft_grid_fft *)calloc(1, sizeof *fft);
    *out = fft;
    if (!fft) return ndft_fail(arrays->exec->error, NDFT_ENOMEM, "no memory for a plan");
    const int64_t cells[3] = {grid->n[0], grid->n[1], grid->n[2]};
    return place(dim, columns, prec, grid)
               ? make_apart(arrays, prec, dim, n, cells, columns, fft)
               : ndft_cufft_make_grids(arrays, prec, dim, cells, columns, &fft->inner);
}

ndft_status ndft_grid_fft_run(const ndft_grid_fft *fft, int sign, void *cells)
{
    if (!fft->outermost) return ndft_cufft_run(fft->inner, sign, cells, cells);
    if (sign < 0) NDFT_TRY(run_inner(fft, sign, cells));
    NDFT_TRY(ndft_cufft_run(fft->outermost, sign, cells, cells));
    return sign < 0 ? NDFT_OK : run_inner(fft, sign, cells);
}

void ndft_grid_fft_destroy(ndft_grid_fft *fft)
{
    if (!fft) return;
    ndft_cufft_destroy(fft->inner);
    ndft_cufft_destroy(fft->outermost);
    free(fft);
}
