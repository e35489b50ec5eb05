/* SPDX-License-Identifier: Apache-2.0 */
#include "axis.h"
#include "chirp_z_cost.h"
#include "convolve/axis_cost.h"
#include "convolve/axis_lines.cuh"
#include "convolve/filter_run.cuh"
#include "core/chosen.h"
#include "places.cuh"

#include "base/variant.h"

/*
 * Samples that are equispaced along the axes of the grid, at any spacing, as Cartesian and
 * echo-planar ones without a field map: the sum is a chirp-z transform along each axis, exact but
 * for rounding. An axis is a convolution of all its lines by filter_lines.cuh, with the factors of
 * voxels and samples in its loads and stores; a kernel more fetches the samples from the lattice,
 * or sums them into it, and likewise the voxels of a mask. Memory is the ceiling.
 */

namespace
{

const double most_bytes = 1 << 30; /* of padded lines, nor a quarter of the memory */

/* The filter as it lies, in place of its spectrum. */
template <class R> struct laid_filter {
    const ndft_complex<R> *cells;

    __device__ int64_t start(unsigned) const { return 0; }
    __device__ ndft_complex<R> load(int64_t, int cell) const { return cells[cell]; }
};

/* One axis on the device. */
struct chirp_z_pass {
    ndft_pass pass;
    ndft_filter filter;
    const void *before, *after; /* factors of inputs and of outputs */

    template <class R> ndft_status run(int64_t lines, const void *from, void *to, void *kept) const
    {
        return ndft_filter_run<R>(&filter, (unsigned)lines, lines_beside(pass),
                                  factored<R>(before, pass, pass.in, from),
                                  factored<R>(after, pass, pass.out, to), kept);
    }
};

/* The shortest convolution of an axis; false: there is none. */
bool shape_of(const ndft_pass &pass, ndft_filter_shape *shape)
{
    ndft_filter_shape shapes[NDFT_FILTER_SHAPES];
    if (ndft_filter_shapes(pass.in.count + pass.out.count - 1, shapes) == 0) return false;
    *shape = shapes[0];
    return true;
}

template <class R>
ndft_status upload_factors(ndft_arrays *arrays, const ndft_chirp_z_axis &axis, chirp_z_pass *pass)
{
    const int64_t in = axis.pass.in.count, out = axis.pass.out.count;
    ndft_complex<R> *host = (ndft_complex<R> *)malloc((size_t)(in + out) * sizeof *host);
    if (!host) return ndft_fail(arrays->exec->error, NDFT_ENOMEM, "no memory for factors");
    const ndft_complex<R> *placed = nullptr;
    ndft_chirp_z_factors(&axis, sizeof(R) == 4 ? NDFT_F32 : NDFT_F64, host, host + in);
    const ndft_status status =
        ndft_place(arrays, "factors", in + out, &placed, [host](int64_t i) { return host[i]; });
    free(host);
    pass->before = placed;
    pass->after = placed + in;
    return status;
}

template <class R>
ndft_status set_filter(ndft_arrays *arrays, const ndft_chirp_z_axis &axis, const ndft_filter *f)
{
    const int64_t cells = f->shape.cells;
    double *filter = (double *)malloc((size_t)cells * 2 * sizeof *filter);
    ndft_complex<R> *host = (ndft_complex<R> *)malloc((size_t)cells * sizeof *host);
    ndft_status status = NDFT_OK;
    if (filter && host) {
        ndft_chirp_z_filter(&axis, cells, filter);
        for (int64_t i = 0; i < cells; i++)
            host[i] = {(R)(filter[2 * i] / (double)cells), (R)(filter[2 * i + 1] / (double)cells)};
        status =
            arrays->exec->upload(arrays->exec, f->spectrum, host, (size_t)cells * sizeof *host);
    } else {
        status = ndft_fail(arrays->exec->error, NDFT_ENOMEM, "no memory for a chirp");
    }
    free(filter);
    free(host);
    NDFT_TRY(status);
    return ndft_filter_set<R>(f, laid_filter<R>{(const ndft_complex<R> *)f->spectrum});
}

/* Lets the kernels of both have their shared memory. */
template <class R> ndft_status run_dry(chirp_z_pass pass)
{
    pass.filter.dry = true;
    NDFT_TRY(ndft_filter_set<R>(&pass.filter, laid_filter<R>{}));
    return pass.run<R>(1, nullptr, nullptr, nullptr);
}

struct direction {
    int count;
    chirp_z_pass pass[3];
};

struct chirp_z_plan : ndft_base_plan {
    const ndft_problem *problem;
    int chunk; /* coils at a time */
    direction directions[2];
    ndft_device_places voxels, samples; /* voxels: of a mask */
    char *grid, *lattice;               /* [chunk] of each coil; grid with a mask only */
    char *work[2], *kept;               /* between passes; padded lines */

    int64_t complex_bytes() const { return 2 * (int64_t)ndft_real_size(prec); }

    /* Complex numbers of padded lines and between passes, of so many coils. */
    void sizes(const ndft_lattice &l, unsigned ops, int coils, int64_t *padded, int64_t *most) const
    {
        *padded = *most = 0;
        for (int adjoint = 0; adjoint < 2; adjoint++) {
            ndft_chirp_z_axis axes[3];
            int64_t between;
            if (!(ops & (adjoint ? NDFT_ADJOINT : NDFT_FORWARD))) continue;
            const ndft_chirp_z_ends at = ndft_chirp_z_ends_of(problem, &l, adjoint);
            const int count = ndft_chirp_z_axes(problem, &l, adjoint, coils, &at, axes, &between);
            for (int i = 0; i < count; i++) {
                ndft_filter_shape shape = {};
                (void)shape_of(axes[i].pass, &shape);
                const int64_t cells = axes[i].pass.lines * shape.cells;
                *padded = cells > *padded ? cells : *padded;
            }
            *most = between * coils > *most ? between * coils : *most;
        }
    }

    template <class R> ndft_status make_directions(const ndft_lattice &l, unsigned ops)
    {
        for (int adjoint = 0; adjoint < 2; adjoint++) {
            ndft_chirp_z_axis axes[3];
            int64_t between;
            direction &to = directions[adjoint];
            if (!(ops & (adjoint ? NDFT_ADJOINT : NDFT_FORWARD))) continue;
            const ndft_chirp_z_ends at = ndft_chirp_z_ends_of(problem, &l, adjoint);
            to.count = ndft_chirp_z_axes(problem, &l, adjoint, chunk, &at, axes, &between);
            for (int i = 0; i < to.count; i++) {
                ndft_filter_shape shape = {};
                (void)shape_of(axes[i].pass, &shape);
                to.pass[i].pass = axes[i].pass;
                NDFT_TRY(ndft_filter_make<R>(&arrays, shape, &to.pass[i].filter));
                NDFT_TRY(upload_factors<R>(&arrays, axes[i], &to.pass[i]));
                NDFT_TRY(run_dry<R>(to.pass[i]));
                NDFT_TRY(set_filter<R>(&arrays, axes[i], &to.pass[i].filter));
            }
        }
        return NDFT_OK;
    }

    ndft_status reserve(const char *what, int64_t numbers, char **memory)
    {
        return numbers == 0 ? NDFT_OK
                            : ndft_reserve(&arrays, what, numbers * complex_bytes(), memory);
    }

    ndft_status reserve_all(const ndft_lattice &l, unsigned ops)
    {
        int64_t padded, between;
        sizes(l, ops, 1, &padded, &between);
        const double room = fmin(most_bytes, (double)arrays.exec->room_bytes / 4);
        const double fitting = room / ((double)padded * (double)complex_bytes());
        chunk = fitting < 1 ? 1 : fitting < problem->coils ? (int)fitting : problem->coils;
        NDFT_TRY(reserve("padded lines", padded * chunk, &kept));
        NDFT_TRY(reserve("an array between axes", between * chunk, &work[0]));
        NDFT_TRY(reserve("an array between axes", between * chunk, &work[1]));
        NDFT_TRY(reserve("the lattice", l.places * chunk, &lattice));
        return reserve("the grid", problem->voxel ? ndft_grid_size(problem) * chunk : 0, &grid);
    }

    ndft_status prepare(const ndft_problem *p, const int *, unsigned ops)
    {
        ndft_lattice l;
        problem = p;
        const char *why = ndft_lattice_of(p, &l);
        if (why) return ndft_fail(arrays.exec->error, NDFT_EUNSUPPORTED, "%s", why);
        NDFT_TRY(reserve_all(l, ops));
        NDFT_TRY(make_places(
            &arrays, p->n_samples, l.places, ndft_strides_of(p, p->n_samples),
            [&](int64_t j) { return (int)ndft_lattice_place(p, &l, j); }, &samples));
        if (p->voxel)
            NDFT_TRY(make_places(
                &arrays, p->n_voxels, ndft_grid_size(p), ndft_strides_of(p, p->n_voxels),
                [p](int64_t v) { return (int)p->voxel[v]; }, &voxels));
        return prec == NDFT_F32 ? make_directions<float>(l, ops) : make_directions<double>(l, ops);
    }

    template <class R>
    void fetch(const ndft_device_places &places, int coils, const void *cells, void *points) const
    {
        fetch_points<R><<<dim3(ndft_blocks(places.points, PLACES_THREADS), coils), PLACES_THREADS,
                          0, ndft_stream(arrays.exec)>>>(places, (const ndft_complex<R> *)cells,
                                                         (ndft_complex<R> *)points);
    }

    template <class R>
    void sum(const ndft_device_places &places, int coils, const void *points, void *cells) const
    {
        sum_points<R><<<dim3(ndft_blocks(places.cells, PLACES_THREADS), coils), PLACES_THREADS, 0,
                        ndft_stream(arrays.exec)>>>(places, (const ndft_complex<R> *)points,
                                                    (ndft_complex<R> *)cells);
    }

    /* All axes of some coils. */
    template <class R>
    ndft_status run_passes(const direction &of, int coils, const void *in, void *out) const
    {
        for (int i = 0; i < of.count; i++)
            NDFT_TRY(of.pass[i].run<R>(of.pass[i].pass.lines / chunk * coils,
                                       i == 0 ? in : work[(i - 1) % 2],
                                       i == of.count - 1 ? out : work[i % 2], kept));
        return NDFT_OK;
    }

    /* Some coils, the first of which begins at the pointers. */
    template <class R> ndft_status forward(int coils, const void *in, void *out) const
    {
        if (grid) sum<R>(voxels, coils, in, grid);
        NDFT_TRY(run_passes<R>(directions[0], coils, grid ? grid : in, lattice));
        fetch<R>(samples, coils, lattice, out);
        return ndft_launched(arrays.exec, "chirp_z");
    }

    template <class R> ndft_status adjoint(int coils, const void *in, void *out) const
    {
        sum<R>(samples, coils, in, lattice);
        NDFT_TRY(run_passes<R>(directions[1], coils, lattice, grid ? grid : out));
        if (grid) fetch<R>(voxels, coils, grid, out);
        return ndft_launched(arrays.exec, "chirp_z");
    }

    template <class R> ndft_status run_in(ndft_op op, const void *in, void *out) const
    {
        const int64_t from = ndft_coil_stride(problem, ndft_input_length(problem, op));
        const int64_t to = ndft_coil_stride(problem, ndft_output_length(problem, op));
        for (int coil = 0; coil < problem->coils; coil += chunk) {
            const int coils = problem->coils - coil < chunk ? problem->coils - coil : chunk;
            const ndft_complex<R> *some = (const ndft_complex<R> *)in + coil * from;
            ndft_complex<R> *result = (ndft_complex<R> *)out + coil * to;
            NDFT_TRY(op == NDFT_FORWARD ? forward<R>(coils, some, result)
                                        : adjoint<R>(coils, some, result));
        }
        return NDFT_OK;
    }

    ndft_status run(ndft_op op, const void *in, void *out) const
    {
        return prec == NDFT_F32 ? run_in<float>(op, in, out) : run_in<double>(op, in, out);
    }

    /* An axis is as long in both directions. */
    void chosen(char *text, size_t size) const
    {
        const direction &of = directions[directions[0].count ? 0 : 1];
        int64_t cells[3], column[3];
        for (int i = 0; i < of.count; i++) {
            cells[i] = of.pass[i].filter.shape.cells;
            column[i] = of.pass[i].filter.shape.column;
        }
        ndft_chosen_add(text, size, "cells", cells, of.count);
        ndft_chosen_add(text, size, "column", column, of.count);
        ndft_chosen_one(text, size, "coils_of_pass", chunk);
    }
};

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *)
{
    ndft_lattice l;
    if (const char *why = ndft_chirp_z_unsupported(p, &l)) return why;
    for (int d = 0; d < p->dim; d++) {
        ndft_filter_shape shapes[NDFT_FILTER_SHAPES];
        if (ndft_filter_shapes(p->n[d] + l.count[d] - 1, shapes) == 0)
            return "an axis needs a convolution of more than 2^24 cells";
        if (!ndft_filter_fits(shapes[0], p->prec, device))
            return "an axis needs a convolution whose lines are longer than a block holds";
    }
    return nullptr;
}

/* All coils at once, and the kernels that fetch and sum at either end. */
ndft_cost cost(const ndft_problem *p, ndft_op op, const int *)
{
    ndft_lattice l;
    ndft_cost cost = {};
    if (ndft_lattice_of(p, &l)) return cost;
    const int64_t masked = p->voxel ? p->n_voxels + ndft_grid_size(p) : 0;
    cost.dram_bytes = 2. * (double)ndft_real_size(p->prec) * p->coils *
                      (double)(p->n_samples + l.places + masked);
    cost.launches = p->voxel ? 2 : 1;
    ndft_chirp_z_axis axes[3];
    int64_t between;
    const bool adjoint = op == NDFT_ADJOINT;
    const ndft_chirp_z_ends at = {1, adjoint ? l.places : ndft_grid_size(p), 1,
                                  adjoint ? ndft_grid_size(p) : l.places};
    const int count = ndft_chirp_z_axes(p, &l, adjoint, p->coils, &at, axes, &between);
    for (int i = 0; i < count; i++) {
        ndft_filter_shape shape;
        if (!shape_of(axes[i].pass, &shape)) continue;
        const int matrix = shape.column > 1;
        ndft_axis_cost(&axes[i].pass, p->prec, shape.cells, 2 + 2 * matrix, 2 + matrix, &cost);
    }
    return cost;
}

} // namespace

extern "C" const ndft_variant ndft_chirp_z_cuda = {
    .name = "chirp_z",
    .backend = "cuda",
    .summary = "equispaced samples: a chirp-z transform along each axis",
    .knobs = nullptr,
    .n_knobs = 0,
    .claim = {.a = 0,
              .b = 0,
              .c = 1,
              .truncation = ndft_chirp_z_truncation,
              .sums = ndft_chirp_z_sums,
              .any = {.a = 0, .c = 1, .chain = ndft_no_chain, .truncation = ndft_chirp_z_any},
              .deterministic = true},
    .unsupported = unsupported,
    NDFT_BASE_PLAN(chirp_z_plan),
    .cost = cost,
    .chosen = ndft_chosen_plan,
};
