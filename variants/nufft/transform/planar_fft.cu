/* SPDX-License-Identifier: Apache-2.0 */
#include "planar_fft.cuh"

#include "core/early.cuh"
#include "planar_cluster.cuh"
#include "planar_lines.cuh"

struct ndft_nufft_planar {
    ndft_nufft_lines lines;
    bool known, many; /* lines are those of planar_lines.cuh, in f32; there are many of them */
    bool clusters;    /* or known as those of planar_cluster.cuh */
    void *sums;       /* NULL: the grid's cells */
    bool left;        /* a launch failed after samples were spread: sums are not zeros */
};

namespace
{

/* Lines along y or z, `beside` of them side by side. */
struct axis_work {
    int voxels;              /* along the axis */
    int outer_voxels, outer; /* planes: with voxels, which are transformed, of all; or 1 of 1 */
    int64_t beside;
    ndft_complex<float> *from, *to; /* the same, or from has zeros left */
};

/* Block = some rows (x) of a coil (y). */
template <class Line>
__global__ void __launch_bounds__(Line::THREADS, Line::BLOCKS)
    rows_forward(const __grid_constant__ row_work w, Line line, const ndft_complex<float> *image)
{
    const image_row row = row_of(w.image, (int)blockIdx.x * line.lines() + line.line());
    ndft_complex<float> *to = w.to + first_cell(w, row);
    image += (w.coil + blockIdx.y) * w.image.strides.coil;
    const auto turns = line.template fetch<-1>();
    float scale[Line::FIRST];
    ndft_complex<float> v[Line::FIRST], out[Line::LAST];
    if constexpr (Line::EARLY) fetch_scale(w, row, line, scale);
    ndft_wait_for_kernel_before();
    if constexpr (!Line::EARLY) fetch_scale(w, row, line, scale);
#pragma unroll
    for (int i = 0; i < Line::FIRST; i++) {
        const int x = voxel_of(w, row, line.template cell<Line::FIRST>(i));
        v[i] = {0, 0};
        if (x >= 0) v[i] = scaled(scale[i], image[(row.first + x) * w.image.strides.element]);
    }
    line.template transform<-1>(turns, v, out);
#pragma unroll
    for (int i = 0; i < Line::LAST; i++) {
        const int cell = line.template cell<Line::LAST>(i);
        if (row.inside && cell < line.n()) to[cell] = out[i];
    }
}

template <class Line>
__global__ void __launch_bounds__(Line::THREADS, Line::BLOCKS)
    rows_adjoint(const __grid_constant__ row_work w, Line line, ndft_complex<float> *image)
{
    const image_row row = row_of(w.image, (int)blockIdx.x * line.lines() + line.line());
    ndft_complex<float> *from = w.from + first_cell(w, row);
    image += (w.coil + blockIdx.y) * w.image.strides.coil;
    const auto turns = line.template fetch<+1>();
    float scale[Line::LAST];
    ndft_complex<float> v[Line::FIRST], out[Line::LAST];
    if constexpr (Line::EARLY) fetch_scale(w, row, line, scale);
    ndft_wait_for_kernel_before();
#pragma unroll
    for (int i = 0; i < Line::FIRST; i++) {
        const int cell = line.template cell<Line::FIRST>(i);
        v[i] = {0, 0};
        if (row.inside && cell < line.n()) v[i] = from[cell];
    }
    line.template transform<+1>(turns, v, out);
    if (!row.inside) return;
    if constexpr (!Line::EARLY) fetch_scale(w, row, line, scale);
#pragma unroll
    for (int i = 0; i < Line::FIRST; i++) {
        const int cell = line.template cell<Line::FIRST>(i);
        if (w.from != w.to && cell < line.n()) from[cell] = {0, 0};
    }
#pragma unroll
    for (int i = 0; i < Line::LAST; i++) {
        const int x = voxel_of(w, row, line.template cell<Line::LAST>(i));
        if (x >= 0) image[(row.first + x) * w.image.strides.element] = scaled(scale[i], out[i]);
    }
}

/* Block = lines side by side (x) of a plane (y) of a coil (z). Of whole lines only voxels are read,
 * or the other way only voxels are written. */
template <int SIGN, class Line>
__global__ void __launch_bounds__(Line::THREADS, Line::BLOCKS)
    axis_lines(const __grid_constant__ axis_work w, Line line)
{
    const int64_t at = blockIdx.x * (int64_t)line.lines() + line.line();
    const int64_t plane = ndft_grid_cell((int)blockIdx.y - w.outer_voxels / 2, w.outer);
    const bool inside = at < w.beside;
    const int64_t first = (blockIdx.z * w.outer + plane) * line.n() * w.beside + at;
    ndft_complex<float> *from = w.from + first, *to = w.to + first;
    const auto turns = line.template fetch<SIGN>();
    ndft_complex<float> v[Line::FIRST], out[Line::LAST];
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

/* Known lines do not read through maps, which a plan is given once it is made. */
bool runs_known(const ndft_nufft_plan *plan) { return plan->planar->known && !plan->image.maps; }

void *sums_of(const ndft_nufft_plan *plan)
{
    return runs_known(plan) && plan->planar->sums ? plan->planar->sums : plan->grid.cells;
}

template <class Line, class Image>
ndft_status run_rows(const ndft_nufft_plan *plan, const Line &line, const ndft_nufft_pass *pass,
                     void (*kernel)(row_work, Line, Image *), void *from, Image *image)
{
    const int rows = plan->image.n[1] * plan->image.n[2];
    row_work w = {plan->image, pass->coil};
    for (int d = 0; d < 3; d++) w.n[d] = plan->grid.n[d];
    w.from = (ndft_complex<float> *)from;
    w.to = (ndft_complex<float> *)plan->grid.cells;
    const dim3 blocks(ndft_blocks(rows, Line::lines()), (unsigned)pass->coils);
    return ndft_launch_early(plan->arrays.exec, blocks, Line::block(), Line::BYTES, kernel, w, line,
                             image);
}

template <int SIGN>
ndft_status run_axis(const ndft_nufft_plan *plan, int axis, const ndft_nufft_pass *pass, void *from)
{
    const bool planes = axis == 1;
    int64_t beside = 1;
    for (int d = 0; d < axis; d++) beside *= plan->grid.n[d];
    const axis_work w = {plan->image.n[axis],          planes ? plan->image.n[2] : 1,
                         planes ? plan->grid.n[2] : 1, beside,
                         (ndft_complex<float> *)from,  (ndft_complex<float> *)plan->grid.cells};
    ndft_status status = NDFT_OK;
    by_planar_line<false>(plan->planar->lines.axis[axis], plan->planar->many, [&](auto line) {
        using Line = decltype(line);
        const dim3 blocks(ndft_blocks(beside, Line::lines()), (unsigned)w.outer_voxels,
                          (unsigned)pass->coils);
        status = ndft_launch_early(plan->arrays.exec, blocks, Line::block(), Line::BYTES,
                                   axis_lines<SIGN, Line>, w, line);
    });
    return status;
}

ndft_status run_forward(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    const ndft_nufft_planar *planar = plan->planar;
    if (planar->clusters)
        return ndft_nufft_cluster_forward(plan, planar->lines.axis[0].turns, pass, in);
    void *cells = plan->grid.cells;
    ndft_status status = NDFT_OK;
    by_planar_line<true>(planar->lines.axis[0], planar->many, [&](auto line) {
        status = run_rows<decltype(line)>(plan, line, pass, rows_forward<decltype(line)>, cells,
                                          (const ndft_complex<float> *)in);
    });
    for (int d = 1; d < plan->shape.dim && status == NDFT_OK; d++)
        status = run_axis<-1>(plan, d, pass, cells);
    return status;
}

ndft_status run_adjoint(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, void *out)
{
    const ndft_nufft_planar *planar = plan->planar;
    void *cells = sums_of(plan);
    if (planar->clusters)
        return ndft_nufft_cluster_adjoint(plan, planar->lines.axis[0].turns, pass, cells, out);
    for (int d = plan->shape.dim - 1; d > 0; d--) {
        NDFT_TRY(run_axis<+1>(plan, d, pass, cells));
        cells = plan->grid.cells;
    }
    ndft_status status = NDFT_OK;
    by_planar_line<true>(planar->lines.axis[0], planar->many, [&](auto line) {
        status = run_rows<decltype(line)>(plan, line, pass, rows_adjoint<decltype(line)>, cells,
                                          (ndft_complex<float> *)out);
    });
    return status;
}

/* Whether an axis' lines are known; its kernels are allowed what a block of them has. */
template <bool ROWS>
bool allow(ndft_exec *exec, unsigned ops, const ndft_nufft_line &axis, bool many,
           ndft_status *status)
{
    return by_planar_line<ROWS>(axis, many, [&](auto line) {
        using Line = decltype(line);
        const void *kernels[2];
        if constexpr (ROWS) {
            kernels[0] = (const void *)rows_forward<Line>;
            kernels[1] = (const void *)rows_adjoint<Line>;
        } else {
            kernels[0] = (const void *)axis_lines<-1, Line>;
            kernels[1] = (const void *)axis_lines<+1, Line>;
        }
        for (int way = 0; way < 2; way++)
            if (*status == NDFT_OK && (ops & (way ? NDFT_ADJOINT : NDFT_FORWARD)))
                *status = ndft_allow_shared(exec, kernels[way], Line::BYTES);
    });
}

/* Whether the lines of all axes are. */
bool are_known(const ndft_nufft_plan *plan, const ndft_nufft_planar *planar, bool many,
               ndft_status *status)
{
    ndft_exec *exec = plan->arrays.exec;
    bool known = allow<true>(exec, plan->ops, planar->lines.axis[0], many, status);
    for (int d = 1; d < plan->shape.dim; d++)
        known = known && allow<false>(exec, plan->ops, planar->lines.axis[d], many, status);
    return known;
}

/* Kernels of known lines serve images of which all voxels are in use, weighed by deapodisation
 * alone. */
ndft_status take_known(const ndft_nufft_plan *plan, ndft_nufft_planar *planar)
{
    enum { MANY = 4096 }; /* rows from which those for many are the faster ones */
    const ndft_nufft_image &image = plan->image;
    if (plan->rank.place || image.inside) return NDFT_OK;
    planar->clusters = planar->known =
        plan->shape.dim == 1 && ndft_nufft_cluster_serves(plan->arrays.exec, plan->grid.n[0]);
    if (planar->clusters) return ndft_nufft_cluster_allow(plan);
    if (plan->prec != NDFT_F32) return NDFT_OK;
    const int64_t rows = (int64_t)image.n[1] * image.n[2] * plan->shape.chunk;
    ndft_status status = NDFT_OK;
    planar->many = rows >= MANY && are_known(plan, planar, true, &status);
    planar->known = planar->many || are_known(plan, planar, false, &status);
    return status;
}

/* Planar grids are interleaved ones of a lane. */
ndft_nufft_lanes one_lane(const ndft_nufft_pass *pass)
{
    return {1, 1, pass->coils, pass->terms, 1, pass->coils * pass->terms};
}

} // namespace

ndft_status ndft_nufft_planar_allow_any(const ndft_nufft_plan *plan,
                                        const ndft_nufft_planar *planar)
{
    ndft_exec *exec = plan->arrays.exec;
    const int dim = plan->shape.dim, *n = plan->grid.n;
    if (plan->ops & NDFT_FORWARD)
        NDFT_TRY(ndft_nufft_lines_allow_forward(exec, plan->prec, dim, n, &planar->lines));
    if (plan->ops & NDFT_ADJOINT)
        NDFT_TRY(ndft_nufft_lines_allow_adjoint(exec, plan->prec, dim, n, &planar->lines));
    return NDFT_OK;
}

ndft_status ndft_nufft_planar_make(ndft_nufft_plan *plan, bool sums, ndft_nufft_planar **out)
{
    ndft_nufft_planar *planar = (ndft_nufft_planar *)calloc(1, sizeof *planar);
    ndft_exec *exec = plan->arrays.exec;
    const int dim = plan->shape.dim, *n = plan->grid.n;
    *out = planar;
    if (!planar) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a plan");
    plan->grid.row = n[0];
    plan->grid.plane = plan->grid.row * n[1];
    plan->grid.column = plan->grid.plane * n[2];
    NDFT_TRY(ndft_nufft_lines_make(&plan->arrays, plan->prec, dim, n, &planar->lines));
    NDFT_TRY(take_known(plan, planar));
    if (!planar->known) NDFT_TRY(ndft_nufft_planar_allow_any(plan, planar));
    if (!sums || !planar->known || planar->many) return NDFT_OK;
    unsigned char *cells = nullptr;
    NDFT_TRY(ndft_reserve_zeros(&plan->arrays, "sums of samples",
                                (int64_t)plan->shape.column_bytes * plan->shape.chunk, &cells));
    planar->sums = cells;
    return NDFT_OK;
}

void ndft_nufft_planar_destroy(ndft_nufft_planar *planar) { free(planar); }

ndft_status ndft_nufft_planar_sums(const ndft_nufft_plan *plan, void **sums)
{
    ndft_nufft_planar *planar = plan->planar;
    ndft_exec *exec = plan->arrays.exec;
    const size_t bytes = plan->shape.column_bytes * (size_t)plan->shape.chunk;
    *sums = sums_of(plan);
    if (*sums == planar->sums ? planar->left : !plan->stage->overwrites)
        NDFT_TRY(ndft_checked(exec, cudaMemsetAsync(*sums, 0, bytes, ndft_stream(exec)),
                              "zeroing sums"));
    planar->left = true;
    return NDFT_OK;
}

ndft_status ndft_nufft_planar_forward(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                                      const void *image)
{
    return runs_known(plan)
               ? run_forward(plan, pass, image)
               : ndft_nufft_lines_run(plan, &plan->planar->lines, pass, one_lane(pass), image);
}

ndft_status ndft_nufft_planar_adjoint(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                                      void *image)
{
    ndft_nufft_planar *planar = plan->planar;
    NDFT_TRY(runs_known(plan)
                 ? run_adjoint(plan, pass, image)
                 : ndft_nufft_lines_adjoint(plan, &planar->lines, pass, one_lane(pass), image));
    planar->left = false;
    return NDFT_OK;
}
