/* SPDX-License-Identifier: Apache-2.0 */
#include "core/chosen.h"
#include "fft/fft_cufft.cuh"
#include "line_convolve.cuh"
#include "line_samples.cuh"
#include "line_shape.h"

#include "core/dispatch.cuh"
#include "phase/worst_entry.h"

#include "base/variant.h"

/*
 * Uniform lines one by one: along a line a voxel's phase is linear in the sample's number, field
 * map and all, so that each line is a one-dimensional nonuniform FFT with a frequency per voxel
 * (line_shape.h). No rank, no segments: the only error is the window's. A voxel and a line cost two
 * phases, W weights and 2 W multiply-adds a coil, whatever the line's length: some hundred
 * instructions for hundreds of samples. Issue slots and shared memory bind.
 */

namespace
{

using complex = ndft_complex<float>;

const ndft_line_limits limits = {512, 4, 8};

const ndft_knob knobs[] = {NDFT_LINE_KNOB_ROWS};

struct line_plan;
using launch = void (*)(const line_plan *, complex *out);

/* A direction's kernel, and how it is launched. */
struct line_kernel {
    const void *address;
    launch run;
    int threads;
    size_t shared;
};

struct line_plan : ndft_base_plan {
    ndft_window window;
    ndft_cufft *fft;
    complex *grids; /* [coils at once][lines][cells] */
    int coils, at_once;
    ndft_line_ends ends;
    ndft_strides image;

    ndft_line_to to;
    line_kernel spread;
    const int32_t *order; /* [axes][padded] */
    complex *values;      /* [at_once][axes][padded] */

    ndft_line_from from;
    line_kernel interpolate;

    ndft_status prepare(const ndft_problem *p, const int *k, unsigned ops)
    {
        ndft_line_shape shape;
        NDFT_TRY(ndft_line_shape_make(p, k, &limits, arrays.exec->error, &shape));
        window = shape.along.window;
        const ndft_line_grid grid = ndft_line_grid_of((int)shape.along.grid[0], window.width);
        coils = p->coils;
        image = ndft_strides_of(p, p->n_voxels);
        NDFT_TRY(place_lines(p, shape));
        NDFT_TRY(place_grids(p, shape));
        from.grid = to.grid = grid;
        from.lines = to.lines = ends.lines;
        from.n_lines = to.n_lines = ends.n_lines;
        from.coils = to.coils = at_once;
        if (ops & NDFT_FORWARD) NDFT_TRY(prepare_forward(p));
        if (ops & NDFT_ADJOINT) NDFT_TRY(prepare_adjoint(p));
        return NDFT_OK;
    }

    ndft_status place_lines(const ndft_problem *p, const ndft_line_shape &shape)
    {
        ends.n_lines = (int)shape.lines;
        ends.cells = (int)shape.along.grid[0];
        ends.middle = shape.middle;
        ends.strides = ndft_strides_of(p, p->n_samples);
        float scale[512];
        ndft_nufft_put_deapodisation(&shape.along, 0, NDFT_F32, scale);
        NDFT_TRY(ndft_place(&arrays, "deapodisation", shape.cut.length, &ends.scale,
                            [&](int64_t i) { return scale[i]; }));
        int32_t *host = (int32_t *)malloc((size_t)shape.lines * (sizeof *host + 1));
        if (!host) return ndft_fail(arrays.exec->error, NDFT_ENOMEM, "no memory for a plan");
        unsigned char *axes = (unsigned char *)(host + shape.lines);
        ndft_order_lines(p, &shape.cut, shape.lines, host, axes);
        const ndft_status status = place_directions(p, shape, host, axes);
        free(host);
        return status;
    }

    ndft_status place_directions(const ndft_problem *p, const ndft_line_shape &shape,
                                 const int32_t *in_order, const unsigned char *axes)
    {
        NDFT_TRY(ndft_place(&arrays, "axes of lines", shape.lines, &to.axis,
                            [&](int64_t i) { return axes[i]; }));
        return ndft_place(&arrays, "lines", shape.lines, &ends.lines, [&](int64_t i) {
            const ndft_line line = ndft_line_at(p, &shape.cut, in_order[i], 1);
            ndft_line_direction direction = {{}, {}, line.first, line.length, line.before};
            for (int d = 0; d < 4; d++) {
                direction.middle[d] = line.middle[d];
                direction.step[d] = 2 * line.half_step[d];
            }
            return direction;
        });
    }

    /* As many coils at once as take a GiB, or a sixteenth of the room, in equal passes, of which
     * the last two may share coils. */
    ndft_status place_grids(const ndft_problem *p, const ndft_line_shape &shape)
    {
        const int64_t column = ends.n_lines * (int64_t)ends.cells;
        const int64_t most = (int64_t)(arrays.exec->room_bytes / 16), enough = 1 << 30;
        const int64_t fit = (most < enough ? most : enough) / (int64_t)sizeof *grids / column;
        const int passes = fit > 0 ? (int)((coils + fit - 1) / fit) : coils;
        at_once = (coils + passes - 1) / passes;
        NDFT_TRY(ndft_reserve(&arrays, "grids of lines", at_once * column, &grids));
        return ndft_cufft_make_grids(&arrays, p->prec, 1, shape.along.grid, at_once * ends.n_lines,
                                     &fft);
    }

    ndft_status prepare_forward(const ndft_problem *p)
    {
        to.axes = p->dim;
        to.padded = (int64_t)ndft_blocks(p->n_voxels, NDFT_LINE_STEP) * NDFT_LINE_STEP;
        NDFT_TRY(place_orders(p));
        NDFT_TRY(ndft_reserve(&arrays, "voxels in order", at_once * to.axes * to.padded, &values));
        to.values = values;
        return prepare_spread();
    }

    ndft_status place_orders(const ndft_problem *p)
    {
        const int64_t count = to.axes * to.padded;
        int32_t *host = (int32_t *)malloc((size_t)count * sizeof *host);
        bool made = host;
        for (int axis = 0; made && axis < to.axes; axis++)
            made = ndft_order_voxels(p, axis, 32, NDFT_LINE_STRIDE, to.padded,
                                     host + axis * to.padded);
        ndft_status status = NDFT_OK;
        if (!made) status = ndft_fail(arrays.exec->error, NDFT_ENOMEM, "no memory for a plan");
        if (made)
            status = ndft_place(&arrays, "orders of voxels", count, &order,
                                [&](int64_t i) { return host[i]; });
        if (status == NDFT_OK)
            status = ndft_place(&arrays, "voxels", count, &to.voxels,
                                [&](int64_t i) { return ndft_line_voxel_at(p, host[i]); });
        free(host);
        return status;
    }

    ndft_status prepare_spread()
    {
        const int together = at_once > 1 ? 2 : 1;
        const int most = together > 1 ? ndft_line_warps<2> : ndft_line_warps<1>;
        const size_t own = together * ndft_line_room(to.grid) * sizeof *grids;
        const size_t fit = arrays.exec->device.shared_bytes / own;
        const int warps = fit < (size_t)most ? (int)fit : most;
        NDFT_TRY(choose<true>(together > 1, 32 * warps, (size_t)warps * own, &spread));
        const int64_t column = ends.n_lines * (int64_t)ends.cells;
        const ndft_outputs outputs = {
            nullptr,  column, ndft_blocks(ends.n_lines, warps), warps * ends.cells, {1, column},
            together, at_once};
        return ndft_split_make(&arrays, spread.address, spread.threads, spread.shared,
                               ndft_blocks(at_once, outputs.columns),
                               (int)(to.padded / NDFT_LINE_STEP), outputs, false, &to.split);
    }

    ndft_status prepare_adjoint(const ndft_problem *p)
    {
        const int together = at_once > 1 ? 4 : 1, block = NDFT_LINE_TEAM * NDFT_LINE_OWN;
        const size_t stage =
            sizeof(ndft_line_direction) + together * ndft_line_stage(from.grid) * sizeof *grids;
        NDFT_TRY(choose<false>(together > 1, NDFT_LINE_TEAM, 2 * stage, &interpolate));
        from.grids = grids;
        from.n_voxels = p->n_voxels;
        NDFT_TRY(ndft_place(&arrays, "voxels", p->n_voxels, &from.voxels,
                            [&](int64_t v) { return ndft_line_voxel_at(p, v); }));
        const ndft_outputs outputs = {
            nullptr, p->n_voxels, ndft_blocks(p->n_voxels, block), block, image, together, at_once};
        return ndft_split_make(&arrays, interpolate.address, interpolate.threads,
                               interpolate.shared, ndft_blocks(at_once, together), from.n_lines,
                               outputs, false, &from.split);
    }

    /* The kernel of a direction for the window, for one coil or several. */
    template <bool FORWARD>
    ndft_status choose(bool several, int threads, size_t shared, line_kernel *kernel)
    {
        *kernel = {nullptr, nullptr, threads, shared};
        ndft_choose<4, 5, 6, 7, 8>(window.width, [&](auto w) -> const void * {
            constexpr int W = decltype(w)::value;
            if (!ndft_serves<W>(&window)) return nullptr;
            if constexpr (FORWARD) {
                kernel->run = several ? launch_spread<W, 2> : launch_spread<W, 1>;
                kernel->address = several ? (const void *)ndft_line_to_grids<W, 2>
                                          : (const void *)ndft_line_to_grids<W, 1>;
            } else {
                kernel->run = several ? launch_interpolate<W, 4> : launch_interpolate<W, 1>;
                kernel->address = several ? (const void *)ndft_line_to_voxels<W, 4>
                                          : (const void *)ndft_line_to_voxels<W, 1>;
            }
            return kernel->address;
        });
        if (kernel->address) return NDFT_OK;
        return ndft_fail(arrays.exec->error, NDFT_EUNSUPPORTED,
                         "it is built for windows of 4 to 8 cells, and no polynomials of degree %d",
                         window.degree);
    }

    template <int W> ndft_weights<float, W> weights() const
    {
        return ndft_weights_make<float, W>(&window, 0, nullptr);
    }

    template <int W, int G> static void launch_spread(const line_plan *p, complex *out)
    {
        ndft_line_to_grids<W, G>
            <<<(unsigned)p->to.split.shares.blocks, p->spread.threads, p->spread.shared,
               ndft_stream(p->arrays.exec)>>>(p->to, p->weights<W>(), out);
    }

    template <int W, int C> static void launch_interpolate(const line_plan *p, complex *out)
    {
        ndft_line_to_voxels<W, C>
            <<<(unsigned)p->from.split.shares.blocks, p->interpolate.threads, p->interpolate.shared,
               ndft_stream(p->arrays.exec)>>>(p->from, p->weights<W>(), out);
    }

    ndft_status run_forward(const complex *in, complex *out) const
    {
        ndft_exec *exec = arrays.exec;
        const cudaStream_t stream = ndft_stream(exec);
        const int64_t count = to.axes * to.padded;
        const dim3 blocks(ndft_blocks(count, 256), (unsigned)at_once);
        ndft_line_arrange<<<blocks, 256, 0, stream>>>(in, image, order, count, values);
        NDFT_TRY(ndft_launched(exec, "the ordering of voxels"));
        spread.run(this, grids);
        NDFT_TRY(ndft_launched(exec, "the spreading of voxels"));
        NDFT_TRY(ndft_join(exec, to.split, grids));
        NDFT_TRY(ndft_cufft_run(fft, -1, grids, grids));
        const dim3 lines((unsigned)ends.n_lines, (unsigned)at_once);
        ndft_line_crop<<<lines, 128, 0, stream>>>(ends, grids, out);
        return ndft_launched(exec, "the cropping of lines");
    }

    ndft_status run_adjoint(const complex *in, complex *out) const
    {
        ndft_exec *exec = arrays.exec;
        const cudaStream_t stream = ndft_stream(exec);
        const dim3 lines((unsigned)ends.n_lines, (unsigned)at_once);
        ndft_line_pad<<<lines, 128, 0, stream>>>(ends, in, grids);
        NDFT_TRY(ndft_launched(exec, "the padding of lines"));
        NDFT_TRY(ndft_cufft_run(fft, 1, grids, grids));
        interpolate.run(this, out);
        NDFT_TRY(ndft_launched(exec, "the interpolation at voxels"));
        return ndft_join(exec, from.split, out);
    }

    ndft_status run(ndft_op op, const void *from_data, void *to_data) const
    {
        const complex *in = (const complex *)from_data;
        complex *out = (complex *)to_data;
        const bool adjoint = op == NDFT_ADJOINT;
        for (int next = 0; next < coils; next += at_once) {
            const int coil = min(next, coils - at_once);
            const int64_t at_image = coil * image.coil, at_data = coil * ends.strides.coil;
            NDFT_TRY(adjoint ? run_adjoint(in + at_data, out + at_image)
                             : run_forward(in + at_image, out + at_data));
        }
        return NDFT_OK;
    }

    void chosen(char *text, size_t size) const
    {
        ndft_chosen_one(text, size, "width", window.width);
        ndft_chosen_one(text, size, "grid", ends.cells);
        ndft_chosen_one(text, size, "coils_of_pass", at_once);
    }

    void release() { ndft_cufft_destroy(fft); }
};

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (p->prec == NDFT_F64) return "32-bit turns are too short for f64";
    if (device->capability < 80) return "its reductions over a warp need compute capability 8.0";
    if (k[NDFT_LINE_WIDTH] &&
        (k[NDFT_LINE_WIDTH] < limits.narrowest || k[NDFT_LINE_WIDTH] > limits.widest))
        return "width must be 4 to 8, and 0 chooses";
    if (p->phi_max > ndft_two_pi * 0x1p19)
        return "its phases go beyond 2^19 turns, the most that it reduces";
    return ndft_line_unsupported(p, device, k, &limits);
}

double truncation(const ndft_problem *p, const int *k) { return ndft_line_error(p, k, &limits); }

double worst(const ndft_problem *p, ndft_op op, const int *k)
{
    return ndft_line_any(p, op, k, &limits);
}

/* In eps: a phase in turns of 2^-32 is off by 1.5 of them, per sample as often as a piece has
 * samples to its middle; the angle of half a turn is rounded twice. */
constexpr double fixed_turns = 10 + 7;

ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    return ndft_line_cost(p, op, k, limits);
}

} // namespace

extern "C" const ndft_variant ndft_nufft_line_cuda = {
    .name = "nufft_line",
    .backend = "cuda",
    .summary =
        "uniform lines as one-dimensional NUFFTs with a frequency per voxel, field map exact",
    NDFT_KNOBS(knobs),
    .claim = {.a = 0,
              .b = 0.03,
              .c = 8,
              .truncation = truncation,
              .any = {.a = 0,
                      .c = fixed_turns + NDFT_ANY_HARDWARE + NDFT_ANY_PRODUCT,
                      .chain = ndft_no_chain,
                      .truncation = worst},
              .deterministic = true},
    .unsupported = unsupported,
    NDFT_BASE_PLAN(line_plan),
    .cost = cost,
    .chosen = ndft_chosen_plan,
};
