/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_FILTER_RUN_CUH
#define NDFT_CONVOLVE_FILTER_RUN_CUH

#include "filter_in_place.cuh"
#include "filter_lines.cuh"

#include <type_traits>
#include <stdlib.h>

/* Plans and launches of filter_lines.cuh. */

namespace
{

/* exp(-2 pi i step j/cells), j < count */
template <class R>
ndft_status place_turns(ndft_arrays *arrays, int64_t count, int64_t step, int64_t cells,
                        const void **turns)
{
    const ndft_complex<R> *placed = nullptr;
    NDFT_TRY(ndft_place(arrays, "twiddle factors", count, &placed, [=](int64_t j) {
        const double angle = -2 * M_PI * (double)(step * j) / (double)cells;
        return ndft_complex<R>{(R)cos(angle), (R)sin(angle)};
    }));
    *turns = placed;
    return NDFT_OK;
}

/* The turns of a line that is transformed in place. */
template <class R>
ndft_status place_pairs(ndft_arrays *arrays, int n, const void **turns)
{
    const turn_pair<R> *placed = nullptr;
    NDFT_TRY(ndft_place(arrays, "twiddle factors", inner_turns(n) + 16, &placed, [=](int64_t i) {
        const int64_t first = i < outer_turns(n) ? 0 : i < inner_turns(n) ? outer_turns(n) : inner_turns(n);
        const int cells = i < outer_turns(n) ? n : i < inner_turns(n) ? n / 16 : 16 * inner_radix(n);
        const double angle = -2 * M_PI * (double)(i - first) / cells;
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
    if (shape.in_place)
        NDFT_TRY(place_pairs<R>(arrays, shape.row, &f->row_turns));
    else
        NDFT_TRY(place_turns<R>(arrays, shape.row, 1, shape.row, &f->row_turns));
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

/* Cells of a line in shared memory. */
inline int line_room(int n, int cells_of_thread)
{
    return is_power(cells_of_thread) ? skipping<16>(n) : skipping<12>(n);
}

/* Whether blocks of a device hold a shape's lines. */
inline bool ndft_filter_fits(const ndft_filter_shape &shape, ndft_prec prec,
                             const ndft_device *device)
{
    const size_t bytes = 2 * ndft_real_size(prec);
    if (shape.in_place && skipping<16>(shape.row) * bytes > device->shared_bytes) return false;
    for (int n : {shape.row, shape.column})
        if (n > 1 && !(n == shape.row && shape.in_place) && (size_t)line_room(n, ndft_line_passes_of(n, shape.share).cells) * bytes >
                         device->shared_bytes)
            return false;
    return true;
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
    int lines = (getenv("NDFT_LANES") ? 8 * atoi(getenv("NDFT_LANES")) : 128) /
                (int)sizeof(ndft_complex<R>);
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
template <class R> filter_stage<R> signal_stage(const ndft_filter *f, unsigned signals, bool across, unsigned first = 0)
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
            (const ndft_complex<R> *)f->steps,
            first};
}

template <class R> filter_stage<R> row_stage(const ndft_filter *f, unsigned signals)
{
    const int n = f->shape.row;
    return {n,
            ndft_line_passes_of(n, f->shape.share),
            signals * f->shape.column,
            1,
            false,
            (const ndft_complex<R> *)f->row_turns,
            nullptr,
            nullptr,
            nullptr,
            0};
}

/* Launches a kernel that may take more shared memory than all have, and begins early. */
template <class... Formal, class... Actual>
void launch_filter(const ndft_filter *f, const filter_grid &grid, void (*kernel)(Formal...),
                   Actual... arguments)
{
    if (grid.bytes > 48 << 10)
        (void)cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   (int)grid.bytes);
    ndft_launch_early(f->exec, grid.blocks, grid.block, grid.bytes, kernel, arguments...);
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

/* A line to a block. Many lines: two sums of a pass's ends a thread. */
template <class R> filter_grid in_place_grid(const ndft_filter *f, unsigned lines)
{
    const int sums = f->shape.row / IN_PLACE_RADIX;
    const bool few = lines <= (unsigned)f->exec->device.units && sums <= in_place_threads<R>();
    const int threads = ((few ? sums : (sums + 1) / 2) + 31) & ~31;
    return {lines, dim3(threads), (size_t)skipping<16>(f->shape.row) * sizeof(ndft_complex<R>)};
}

/* f(constant), of a line's length. */
template <class R, class F> void with_length(int n, F f)
{
    if constexpr (sizeof(R) == 4) {
        switch (n) {
        case 16384: return f(std::integral_constant<int, 16384>());
        case 20480: return f(std::integral_constant<int, 20480>());
        case 24576: return f(std::integral_constant<int, 24576>());
        }
    }
    switch (n) {
    case 4096: return f(std::integral_constant<int, 4096>());
    case 6400: return f(std::integral_constant<int, 6400>());
    case 8192: return f(std::integral_constant<int, 8192>());
    case 10240: return f(std::integral_constant<int, 10240>());
    case 12288: return f(std::integral_constant<int, 12288>());
    }
}

template <class R, class Hook>
void load_in_place(const ndft_filter *f, unsigned lines, const Hook &hook, void *kept)
{
    with_length<R>(f->shape.row, [&](auto n) {
        launch_filter(f, in_place_grid<R>(f, lines), in_place_load<n.value, R, Hook>,
                      (const turn_pair<R> *)f->row_turns, hook, (ndft_complex<R> *)kept);
    });
}

template <class R, class Hook>
void store_in_place(const ndft_filter *f, unsigned lines, const void *kept, const Hook &hook)
{
    with_length<R>(f->shape.row, [&](auto n) {
        launch_filter(f, in_place_grid<R>(f, lines), in_place_store<n.value, R, Hook>,
                      (const turn_pair<R> *)f->row_turns, (const ndft_complex<R> *)f->spectrum,
                      (const ndft_complex<R> *)kept, hook);
    });
}

template <class R, class Load, class Store>
void filter_in_place(const ndft_filter *f, unsigned lines, const Load &load, const Store &store)
{
    with_length<R>(f->shape.row, [&](auto n) {
        launch_filter(f, in_place_grid<R>(f, lines), in_place_filter<n.value, R, Load, Store>,
                      (const turn_pair<R> *)f->row_turns, 1, (const ndft_complex<R> *)f->spectrum,
                      load, store);
    });
}

template <bool BACK, int N, class R>
void rows_in_place(const ndft_filter *f, unsigned signals, void *kept)
{
    const kept_lines<N, R> hook = {(ndft_complex<R> *)kept};
    const filter_grid grid = in_place_grid<R>(f, signals * f->shape.column);
    if constexpr (BACK)
        launch_filter(f, grid, in_place_filter<N, R, kept_lines<N, R>, kept_lines<N, R>>,
                      (const turn_pair<R> *)f->row_turns, f->shape.column,
                      (const ndft_complex<R> *)f->spectrum, hook, hook);
    else
        launch_filter(f, grid, in_place_load<N, R, kept_lines<N, R>>,
                      (const turn_pair<R> *)f->row_turns, hook, (ndft_complex<R> *)kept);
}

template <class R, class Hook>
void run_load(const ndft_filter *f, unsigned signals, bool across, const Hook &hook, void *kept, unsigned first = 0)
{
    if (f->shape.column == 1 && f->shape.in_place) {
        load_in_place<R>(f, signals, hook, kept);
        return;
    }
    const filter_stage<R> stage = signal_stage<R>(f, signals, across, first);
    launch_filter(f, grid_for(f, stage), load_kernel<R, Hook>(stage.passes.cells), stage, hook,
                  (ndft_complex<R> *)kept);
}

template <bool BACK, class R> void run_rows(const ndft_filter *f, unsigned signals, void *kept)
{
    if (f->shape.in_place) {
        if (f->shape.row == 4096) rows_in_place<BACK, 4096, R>(f, signals, kept);
        if (f->shape.row == 8192) rows_in_place<BACK, 8192, R>(f, signals, kept);
        return;
    }
    const filter_stage<R> stage = row_stage<R>(f, signals);
    const auto kernel =
        stage.passes.cells == 8 ? filter_rows<8, BACK, R> : filter_rows<16, BACK, R>;
    launch_filter(f, grid_for(f, stage), kernel, stage, f->shape.column,
                  (const ndft_complex<R> *)f->spectrum, (ndft_complex<R> *)kept);
}

/* Sets the spectrum; the hook's one signal is the filter over cells. */
template <class R, class Hook> ndft_status ndft_filter_set(const ndft_filter *f, const Hook &hook)
{
    run_load<R>(f, 1, false, hook, f->spectrum);
    if (f->shape.column > 1) run_rows<false, R>(f, 1, f->spectrum);
    return ndft_launched(f->exec, "a filter's transform");
}

/* Convolves; kept: [signals][cells]. across: signals are side by side rather than in one piece. */
template <class R, class Load, class Store>
ndft_status ndft_filter_run(const ndft_filter *f, unsigned signals, bool across, const Load &load,
                            const Store &store, void *kept)
{
    if (f->shape.column == 1 && f->shape.in_place) {
        load_in_place<R>(f, signals, load, kept);
        store_in_place<R>(f, signals, kept, store);
        return ndft_launched(f->exec, "a convolution");
    }
    const unsigned chunk =
        f->shape.column > 1 && getenv("NDFT_CHUNK") ? (unsigned)atoi(getenv("NDFT_CHUNK")) : signals;
    for (unsigned first = 0; first < signals; first += chunk) {
        const unsigned some = signals - first < chunk ? signals - first : chunk;
        run_load<R>(f, some, across, load, kept, first);
        if (f->shape.column > 1) run_rows<true, R>(f, some, kept);
        const filter_stage<R> stage = signal_stage<R>(f, some, across, first);
        launch_filter(f, grid_for(f, stage), store_kernel<R, Store>(stage.passes.cells), stage,
                      (const ndft_complex<R> *)f->spectrum, (const ndft_complex<R> *)kept, store);
    }
    return ndft_launched(f->exec, "a convolution");
}

/* The same in one kernel, where a signal is one line. */
template <class R, class Load, class Store>
ndft_status ndft_filter_run_line(const ndft_filter *f, unsigned signals, bool across,
                                 const Load &load, const Store &store)
{
    if (f->shape.in_place) {
        filter_in_place<R>(f, signals, load, store);
        return ndft_launched(f->exec, "a convolution in one kernel");
    }
    const filter_stage<R> stage = signal_stage<R>(f, signals, across);
    launch_filter(f, grid_for(f, stage), line_kernel<R, Load, Store>(stage.passes.cells), stage,
                  (const ndft_complex<R> *)f->spectrum, load, store);
    return ndft_launched(f->exec, "a convolution in one kernel");
}

} // namespace

#endif
