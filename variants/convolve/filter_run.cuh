/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_FILTER_RUN_CUH
#define NDFT_CONVOLVE_FILTER_RUN_CUH

#include "core/kept_table.cuh"
#include "fft/in_place_fft.cuh"
#include "filter_lines.cuh"
#include "filter_rows.cuh"

/* Plans and launches of filter_lines.cuh, but for lines in place (in_place_run.cuh). */

namespace
{

/* exp(-2 pi i step j/cells), j < count */
template <class R>
ndft_status place_turns(ndft_arrays *arrays, int64_t count, int64_t step, int64_t cells,
                        const void **turns)
{
    const ndft_complex<R> *placed = nullptr;
    const ndft_table_key key = {{sizeof(R), (double)count, (double)step, (double)cells}};
    NDFT_TRY(
        ndft_place_kept(arrays, "twiddle factors", key, count, &placed, [=](ndft_complex<R> *host) {
            for (int64_t j = 0; j < count; j++) {
                const double angle = -2 * M_PI * (double)(step * j) / (double)cells;
                host[j] = {(R)cos(angle), (R)sin(angle)};
            }
        }));
    *turns = placed;
    return NDFT_OK;
}

/* The same of a line in place: of sums of its first pass, of the outer and of the inner one. */
template <class R> ndft_status place_pairs(ndft_arrays *arrays, int n, const void **turns)
{
    const turn_pair<R> *placed = nullptr;
    const int outer = outer_turns(n), inner = inner_turns(n);
    NDFT_TRY(ndft_place(arrays, "twiddle factors", inner + 16, &placed, [=](int64_t i) {
        const int64_t j = i < outer ? i : i < inner ? i - outer : i - inner;
        const int cells = i < outer ? n : i < inner ? n / 16 : 16 * inner_radix(n);
        const double angle = -2 * M_PI * (double)j / cells;
        return turn_pair<R>{{(R)cos(angle), (R)sin(angle)}, {(R)cos(4 * angle), (R)sin(4 * angle)}};
    }));
    *turns = placed;
    return NDFT_OK;
}

/* Memory belongs to the arrays. The spectrum is not set. */
template <class R>
ndft_status ndft_filter_make(ndft_arrays *arrays, const ndft_filter_shape &shape, ndft_filter *f)
{
    ndft_complex<R> *spectrum = nullptr;
    *f = {};
    f->exec = arrays->exec;
    f->shape = shape;
    NDFT_TRY(ndft_reserve(arrays, "a filter's spectrum", shape.cells, &spectrum));
    f->spectrum = spectrum;
    NDFT_TRY(shape.in_place ? place_pairs<R>(arrays, shape.row, &f->row_turns)
                            : place_turns<R>(arrays, shape.row, 1, shape.row, &f->row_turns));
    if (shape.column == 1) return NDFT_OK;
    const int cells = ndft_line_passes_of(shape.column, shape.share).cells;
    const int64_t coarse = shape.cells / cells / FILTER_FINE + 1;
    NDFT_TRY(place_turns<R>(arrays, shape.column, 1, shape.column, &f->column_turns));
    NDFT_TRY(place_turns<R>(arrays, FILTER_FINE, 1, shape.cells, &f->fine));
    NDFT_TRY(place_turns<R>(arrays, coarse, FILTER_FINE, shape.cells, &f->coarse));
    return place_turns<R>(arrays, 4 * shape.row, 1, cells * (int64_t)shape.row, &f->steps);
}

/* A launch: blocks of whole lines. */
struct filter_grid {
    unsigned blocks;
    dim3 block;
    size_t bytes;
};

template <class R> int threads_of(const filter_stage<R> &stage)
{
    return stage.n / stage.passes.cells;
}

inline int room_of(int n, int share) { return line_room(n, ndft_line_passes_of(n, share).cells); }

/* Whether blocks of a device hold a shape's lines. */
inline bool ndft_filter_fits(const ndft_filter_shape &shape, ndft_prec prec,
                             const ndft_device *device)
{
    const size_t bytes = 2 * ndft_real_size(prec);
    const int row = shape.in_place ? skipping<16>(shape.row) : room_of(shape.row, shape.share);
    const int column = room_of(shape.column, shape.share);
    return (size_t)(row > column ? row : column) * bytes <= device->shared_bytes;
}

template <class R> filter_grid grid_of(const filter_stage<R> &stage, int lines)
{
    const int threads = threads_of(stage), room = line_room(stage.n, stage.passes.cells);
    return {ndft_blocks(stage.lines, lines),
            stage.across ? dim3(lines, threads) : dim3(threads, lines),
            (size_t)lines * (size_t)room * sizeof(ndft_complex<R>)};
}

/* Lines side by side in memory: 128 bytes, as far as a block has threads; few lines are spread over
 * more blocks. */
template <class R> filter_grid across_grid(const filter_stage<R> &stage, const ndft_device *device)
{
    int lines = 128 / (int)sizeof(ndft_complex<R>);
    const int most = filter_threads<R>(stage.passes.cells);
    while (lines > 1 && lines * threads_of(stage) > most) lines /= 2;
    while (lines > 4 && stage.lines / lines < (unsigned)device->units) lines /= 2;
    while (lines > 1 && grid_of(stage, lines).bytes > device->shared_bytes) lines /= 2;
    return grid_of(stage, lines);
}

/* Lines one after the other: short ones fill a few warps together. */
template <class R> filter_grid along_grid(const filter_stage<R> &stage)
{
    const int lines = 128 / threads_of(stage);
    return grid_of(stage, lines > 1 ? lines : 1);
}

template <class R> filter_grid grid_for(const ndft_filter *f, const filter_stage<R> &stage)
{
    return stage.across ? across_grid(stage, &f->exec->device) : along_grid(stage);
}

/* Whole signals, or columns of matrices. */
template <class R> filter_stage<R> signal_stage(const ndft_filter *f, unsigned signals, bool across)
{
    const ndft_filter_shape &shape = f->shape;
    const bool matrix = shape.column > 1;
    const int n = matrix ? shape.column : shape.row;
    return {n,
            ndft_line_passes_of(n, shape.share),
            matrix ? signals * shape.row : signals,
            matrix ? (unsigned)shape.row : 1,
            matrix || across,
            (const ndft_complex<R> *)(matrix ? f->column_turns : f->row_turns),
            (const ndft_complex<R> *)f->fine,
            (const ndft_complex<R> *)f->coarse,
            (const ndft_complex<R> *)f->steps};
}

/* Launches a kernel, which begins early; what a plan runs must have been run dry before. */
template <class... Formal, class... Actual>
ndft_status launch_filter(const ndft_filter *f, const filter_grid &grid, void (*kernel)(Formal...),
                          Actual... arguments)
{
    if (f->dry) return ndft_allow_shared(f->exec, (const void *)kernel, grid.bytes);
    return ndft_launch_early(f->exec, grid.blocks, grid.block, grid.bytes, kernel, arguments...);
}

/* The kernels for lines of which a thread has so many cells; rows are powers of two. */
template <class R, class Hook> auto load_kernel(int cells)
{
    return cells == 8    ? filter_load<8, R, Hook>
           : cells == 12 ? filter_load<12, R, Hook>
           : cells == 20 ? filter_load<20, R, Hook>
                         : filter_load<16, R, Hook>;
}

template <class R, class Hook> auto store_kernel(int cells)
{
    return cells == 8    ? filter_store<8, R, Hook>
           : cells == 12 ? filter_store<12, R, Hook>
           : cells == 20 ? filter_store<20, R, Hook>
                         : filter_store<16, R, Hook>;
}

template <class R, class Load, class Store> auto line_kernel(int cells)
{
    return cells == 8    ? filter_line<8, R, Load, Store>
           : cells == 12 ? filter_line<12, R, Load, Store>
           : cells == 20 ? filter_line<20, R, Load, Store>
                         : filter_line<16, R, Load, Store>;
}

template <class R, class Hook>
ndft_status run_load(const ndft_filter *f, unsigned signals, bool across, const Hook &hook,
                     void *kept)
{
    const filter_stage<R> stage = signal_stage<R>(f, signals, across);
    return launch_filter(f, grid_for(f, stage), load_kernel<R, Hook>(stage.passes.cells), stage,
                         hook, (ndft_complex<R> *)kept);
}

/* Sets the spectrum; the hook's one signal is the filter over cells. */
template <class R, class Hook> ndft_status ndft_filter_set(const ndft_filter *f, const Hook &hook)
{
    NDFT_TRY(run_load<R>(f, 1, false, hook, f->spectrum));
    return f->shape.column > 1 ? ndft_filter_rows<R>(f, false, 1, f->spectrum) : NDFT_OK;
}

/* Convolves; kept: [signals][cells]. across: signals are side by side rather than in one piece. */
template <class R, class Load, class Store>
ndft_status ndft_filter_run(const ndft_filter *f, unsigned signals, bool across, const Load &load,
                            const Store &store, void *kept)
{
    NDFT_TRY(run_load<R>(f, signals, across, load, kept));
    if (f->shape.column > 1) NDFT_TRY(ndft_filter_rows<R>(f, true, signals, kept));
    const filter_stage<R> stage = signal_stage<R>(f, signals, across);
    return launch_filter(f, grid_for(f, stage), store_kernel<R, Store>(stage.passes.cells), stage,
                         (const ndft_complex<R> *)f->spectrum, (const ndft_complex<R> *)kept,
                         store);
}

/* The same in one kernel, where a signal is one line. */
template <class R, class Load, class Store>
ndft_status ndft_filter_run_line(const ndft_filter *f, unsigned signals, bool across,
                                 const Load &load, const Store &store)
{
    const filter_stage<R> stage = signal_stage<R>(f, signals, across);
    return launch_filter(f, grid_for(f, stage), line_kernel<R, Load, Store>(stage.passes.cells),
                         stage, (const ndft_complex<R> *)f->spectrum, load, store);
}

} // namespace

#endif
