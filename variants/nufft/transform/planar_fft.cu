/* SPDX-License-Identifier: Apache-2.0 */
#include "planar_fft.cuh"

#include "core/early.cuh"
#include "planar_lines.cuh"

struct ndft_nufft_planar {
    ndft_nufft_lines lines;
    void *sums; /* NULL: the grid's cells */
    bool left;  /* a launch failed after samples were spread: sums are not zeros */
};

namespace
{

/* Lines along y or z, `beside` of them side by side. */
template <class R> struct axis_work {
    int voxels;              /* along the axis */
    int outer_voxels, outer; /* planes: with voxels, which are transformed, of all; or 1 of 1 */
    int64_t beside;
    ndft_complex<R> *from, *to; /* the same, or from has zeros left */
};

/* Block = some rows (x) of a column (y). */
template <class Line, class R>
__global__ void __launch_bounds__(Line::THREADS, Line::BLOCKS)
    rows_forward(const __grid_constant__ row_work<R> w, Line line, const ndft_complex<R> *image)
{
    const image_row row = row_of(w.image, (int)blockIdx.x * line.lines() + (int)threadIdx.x);
    const pass_column column = column_of(w.pass, blockIdx.y);
    const int coil = w.pass.coil + column.coil, term = w.pass.term + column.term;
    const ndft_complex<R> *map = ndft_map_of<R>(w.image, coil);
    ndft_complex<R> *to = w.to + first_cell(w, row, column);
    image += coil * w.image.strides.coil;
    const auto turns = line.template fetch<-1>();
    ndft_complex<R> v[Line::FIRST], out[Line::LAST];
    ndft_wait_for_kernel_before();
#pragma unroll
    for (int i = 0; i < Line::FIRST; i++) {
        const row_voxel voxel = voxel_of<Line>(w, row, line.template cell<Line::FIRST>(i));
        v[i] = {0, 0};
        if (voxel.at < 0) continue;
        const ndft_complex<R> value = image[voxel.at * w.image.strides.element];
        if constexpr (Line::SHORT)
            v[i] = deapodised(w, row, voxel.x, value);
        else
            ndft_rotate(v[i], weight_in_row(w.image, w.rank, row, voxel.x, voxel.at, term),
                        ndft_seen(map, voxel.at, value));
    }
    line.template transform<-1>(turns, v, out);
#pragma unroll
    for (int i = 0; i < Line::LAST; i++) {
        const int cell = line.template cell<Line::LAST>(i);
        if (row.inside && cell < line.n()) to[cell] = out[i];
    }
}

/* Writes a voxel of the one column that has it. */
template <class Line, class R>
__device__ __forceinline__ void crop_voxel(const row_work<R> &w, const image_row &row, int cell,
                                           ndft_complex<R> value, ndft_complex<R> *image)
{
    const row_voxel voxel = voxel_of<Line>(w, row, cell);
    if (voxel.at < 0) return;
    ndft_complex<R> &out = image[voxel.at * w.image.strides.element];
    if constexpr (Line::SHORT) {
        out = deapodised(w, row, voxel.x, value);
    } else {
        const ndft_complex<R> weight =
            weight_in_row(w.image, w.rank, row, voxel.x, voxel.at, w.pass.term);
        ndft_complex<R> sum = {0, 0};
        if (w.pass.joins) sum = out;
        ndft_accumulate(sum, weight.re, -weight.im, value);
        out = sum;
    }
}

template <class Line, class R>
__global__ void __launch_bounds__(Line::THREADS, Line::BLOCKS)
    rows_adjoint(const __grid_constant__ row_work<R> w, Line line, ndft_complex<R> *image)
{
    const image_row row = row_of(w.image, (int)blockIdx.x * line.lines() + (int)threadIdx.x);
    const pass_column column = column_of(w.pass, blockIdx.y);
    ndft_complex<R> *from = w.from + first_cell(w, row, column);
    ndft_complex<R> *to = w.to + first_cell(w, row, column);
    image += (w.pass.coil + column.coil) * w.image.strides.coil;
    const auto turns = line.template fetch<+1>();
    ndft_complex<R> v[Line::FIRST], out[Line::LAST];
    ndft_wait_for_kernel_before();
#pragma unroll
    for (int i = 0; i < Line::FIRST; i++) {
        const int cell = line.template cell<Line::FIRST>(i);
        v[i] = {0, 0};
        if (row.inside && cell < line.n()) v[i] = from[cell];
    }
    line.template transform<+1>(turns, v, out);
    if (!row.inside) return;
#pragma unroll
    for (int i = 0; i < Line::FIRST; i++) {
        const int cell = line.template cell<Line::FIRST>(i);
        if (w.from != w.to && cell < line.n()) from[cell] = {0, 0};
    }
#pragma unroll
    for (int i = 0; i < Line::LAST; i++) {
        const int cell = line.template cell<Line::LAST>(i);
        if (w.crops)
            crop_voxel<Line>(w, row, cell, out[i], image);
        else if (cell < line.n() && ndft_voxel_at(cell, w.n[0], w.image.n[0]) >= 0)
            to[cell] = out[i];
    }
}

/* Block = lines side by side (x) of a plane (y) of a column (z). Of whole lines only voxels are
 * read, or the other way only voxels are written. */
template <int SIGN, class Line, class R>
__global__ void __launch_bounds__(Line::THREADS, Line::BLOCKS)
    axis_lines(const __grid_constant__ axis_work<R> w, Line line)
{
    const int64_t at = blockIdx.x * (int64_t)line.lines() + threadIdx.x;
    const int64_t plane = ndft_grid_cell((int)blockIdx.y - w.outer_voxels / 2, w.outer);
    const bool inside = at < w.beside;
    const int64_t first = (blockIdx.z * w.outer + plane) * line.n() * w.beside + at;
    ndft_complex<R> *from = w.from + first, *to = w.to + first;
    const auto turns = line.template fetch<SIGN>();
    ndft_complex<R> v[Line::FIRST], out[Line::LAST];
    ndft_wait_for_kernel_before();
#pragma unroll
    for (int i = 0; i < Line::FIRST; i++) {
        const int cell = line.template cell<Line::FIRST>(i);
        const bool has = SIGN > 0 || ndft_voxel_at(cell, line.n(), w.voxels) >= 0;
        v[i] = {0, 0};
        if (inside && cell < line.n() && has) v[i] = from[cell * w.beside];
    }
    line.template transform<SIGN>(turns, v, out);
    if (!inside) return;
#pragma unroll
    for (int i = 0; i < Line::LAST; i++) {
        const int cell = line.template cell<Line::LAST>(i);
        const bool has = SIGN < 0 || ndft_voxel_at(cell, line.n(), w.voxels) >= 0;
        if (cell < line.n() && has) to[cell * w.beside] = out[i];
    }
    if constexpr (SIGN > 0) {
#pragma unroll
        for (int i = 0; i < Line::FIRST; i++) {
            const int cell = line.template cell<Line::FIRST>(i);
            if (w.from != w.to && cell < line.n()) from[cell * w.beside] = {0, 0};
        }
    }
}

void *sums_of(const ndft_nufft_plan *plan)
{
    return plan->planar->sums ? plan->planar->sums : plan->grid.cells;
}

/* Whether rows' voxels have what kernels of short lines know: all are in use, with no weights. */
bool rows_are_plain(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass)
{
    const ndft_nufft_image &image = plan->image;
    return !plan->rank.place && !image.inside && !image.maps && !pass->joins;
}

template <class Line, class R, class Image>
ndft_status run_rows(const ndft_nufft_plan *plan, const Line &line, const ndft_nufft_pass *pass,
                     void (*kernel)(row_work<R>, Line, Image *), void *from, bool crops,
                     Image *image)
{
    ndft_exec *exec = plan->arrays.exec;
    const int rows = plan->image.n[1] * plan->image.n[2], columns = pass->terms * pass->coils;
    const dim3 threads = line.block(&exec->device, (int64_t)rows * columns);
    row_work<R> w = {plan->image, *pass, ndft_rank_of<R>(plan->rank)};
    for (int d = 0; d < 3; d++) w.n[d] = plan->grid.n[d];
    w.from = (ndft_complex<R> *)from;
    w.to = (ndft_complex<R> *)plan->grid.cells;
    w.crops = crops;
    const dim3 blocks(ndft_blocks(rows, threads.x), (unsigned)columns);
    return ndft_launch_early(exec, blocks, threads, Line::bytes(threads), kernel, w, line, image);
}

template <int SIGN, class R, class Line>
ndft_status run_axis(const ndft_nufft_plan *plan, const Line &line, int axis,
                     const ndft_nufft_pass *pass, void *from)
{
    ndft_exec *exec = plan->arrays.exec;
    const bool planes = axis == 1;
    const int columns = pass->terms * pass->coils;
    int64_t beside = 1;
    for (int d = 0; d < axis; d++) beside *= plan->grid.n[d];
    const axis_work<R> w = {plan->image.n[axis],          planes ? plan->image.n[2] : 1,
                            planes ? plan->grid.n[2] : 1, beside,
                            (ndft_complex<R> *)from,      (ndft_complex<R> *)plan->grid.cells};
    const dim3 threads = line.block(&exec->device, beside * w.outer_voxels * columns);
    const dim3 blocks(ndft_blocks(beside, threads.x), (unsigned)w.outer_voxels, (unsigned)columns);
    return ndft_launch_early(exec, blocks, threads, Line::bytes(threads), axis_lines<SIGN, Line, R>,
                             w, line);
}

template <class R>
ndft_status run_forward(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    const ndft_nufft_line *axis = plan->planar->lines.axis;
    void *cells = plan->grid.cells;
    ndft_status status = NDFT_OK;
    by_planar_line<R, true>(axis[0], rows_are_plain(plan, pass), [&](auto line) {
        status = run_rows<decltype(line), R>(plan, line, pass, rows_forward<decltype(line), R>,
                                             cells, false, (const ndft_complex<R> *)in);
    });
    for (int d = 1; d < plan->shape.dim && status == NDFT_OK; d++)
        by_planar_line<R, false>(axis[d], true, [&](auto line) {
            status = run_axis<-1, R>(plan, line, d, pass, cells);
        });
    return status;
}

template <class R>
ndft_status run_adjoint(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, void *out)
{
    const ndft_nufft_line *axis = plan->planar->lines.axis;
    void *cells = sums_of(plan);
    const bool crops = pass->terms == 1 && !plan->image.maps;
    ndft_status status = NDFT_OK;
    for (int d = plan->shape.dim - 1; d > 0 && status == NDFT_OK; d--) {
        by_planar_line<R, false>(axis[d], true, [&](auto line) {
            status = run_axis<+1, R>(plan, line, d, pass, cells);
        });
        cells = plan->grid.cells;
    }
    if (status != NDFT_OK) return status;
    by_planar_line<R, true>(axis[0], rows_are_plain(plan, pass), [&](auto line) {
        status = run_rows<decltype(line), R>(plan, line, pass, rows_adjoint<decltype(line), R>,
                                             cells, crops, (ndft_complex<R> *)out);
    });
    if (status != NDFT_OK || crops) return status;
    return ndft_nufft_crop(plan->arrays.exec, &plan->image, &plan->rank, &plan->grid, pass, out);
}

template <class R> ndft_status make_lines(ndft_nufft_plan *plan, ndft_nufft_lines *lines)
{
    ndft_exec *exec = plan->arrays.exec;
    for (int d = 0; d < plan->shape.dim; d++)
        NDFT_TRY(make_line<R>(&plan->arrays, plan->grid.n[d], &lines->axis[d]));
    ndft_status status = NDFT_OK;
    for (int plain = 0; plain < 2 && status == NDFT_OK; plain++)
        by_planar_line<R, true>(lines->axis[0], plain, [&](auto line) {
            using Line = decltype(line);
            status = allow_blocks(exec, line, rows_forward<Line, R>, rows_adjoint<Line, R>);
        });
    for (int d = 1; d < plan->shape.dim && status == NDFT_OK; d++)
        by_planar_line<R, false>(lines->axis[d], true, [&](auto line) {
            using Line = decltype(line);
            status = allow_blocks(exec, line, axis_lines<-1, Line, R>, axis_lines<+1, Line, R>);
        });
    return status;
}

} // namespace

ndft_status ndft_nufft_planar_make(ndft_nufft_plan *plan, bool sums, ndft_nufft_planar **out)
{
    ndft_nufft_planar *planar = (ndft_nufft_planar *)calloc(1, sizeof *planar);
    *out = planar;
    if (!planar) return ndft_fail(plan->arrays.exec->error, NDFT_ENOMEM, "no memory for a plan");
    plan->grid.row = plan->grid.n[0];
    plan->grid.plane = plan->grid.row * plan->grid.n[1];
    plan->grid.column = plan->grid.plane * plan->grid.n[2];
    if (sums) {
        unsigned char *cells = nullptr;
        NDFT_TRY(ndft_reserve_zeros(&plan->arrays, "sums of samples",
                                    (int64_t)plan->shape.column_bytes * plan->shape.chunk, &cells));
        planar->sums = cells;
    }
    return plan->prec == NDFT_F32 ? make_lines<float>(plan, &planar->lines)
                                  : make_lines<double>(plan, &planar->lines);
}

void ndft_nufft_planar_destroy(ndft_nufft_planar *planar) { free(planar); }

ndft_status ndft_nufft_planar_sums(const ndft_nufft_plan *plan, void **sums)
{
    ndft_nufft_planar *planar = plan->planar;
    ndft_exec *exec = plan->arrays.exec;
    const size_t bytes = plan->shape.column_bytes * (size_t)plan->shape.chunk;
    *sums = sums_of(plan);
    if (planar->left && planar->sums)
        NDFT_TRY(ndft_checked(exec, cudaMemsetAsync(*sums, 0, bytes, ndft_stream(exec)),
                              "zeroing sums"));
    planar->left = true;
    return NDFT_OK;
}

ndft_status ndft_nufft_planar_forward(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                                      const void *image)
{
    return plan->prec == NDFT_F32 ? run_forward<float>(plan, pass, image)
                                  : run_forward<double>(plan, pass, image);
}

ndft_status ndft_nufft_planar_adjoint(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                                      void *image)
{
    NDFT_TRY(plan->prec == NDFT_F32 ? run_adjoint<float>(plan, pass, image)
                                    : run_adjoint<double>(plan, pass, image));
    plan->planar->left = false;
    return NDFT_OK;
}
