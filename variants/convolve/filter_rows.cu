/* SPDX-License-Identifier: Apache-2.0 */
#include "filter_rows.cuh"

#include "in_place_run.cuh"

namespace
{

/* BACK: multiplied and transformed back. columns: rows of a matrix. */
template <int CELLS, bool BACK, class R>
__global__ void __launch_bounds__(filter_threads<R>(CELLS), filter_blocks<R>(CELLS))
    filter_rows(filter_stage<R> stage, int columns, const ndft_complex<R> *spectrum,
                ndft_complex<R> *kept)
{
    const filter_place<R, CELLS> place(stage);
    const int column = (int)(place.signal % (unsigned)columns);
    constexpr bool AHEAD = BACK && fetches_ahead<CELLS>;
    ndft_complex<R> v[CELLS], factors[AHEAD ? CELLS : 1];
    if constexpr (AHEAD) {
        const ndft_complex<R> *own = spectrum + (int64_t)column * place.part.n + place.part.t;
#pragma unroll
        for (int i = 0; i < CELLS; i++) factors[i] = own[i * (place.part.n / CELLS)];
    }
    ndft_wait_for_kernel_before();
    fetch_kept(place, kept, v);
    block_fft<-1>(place.part, v);
    if constexpr (BACK) {
        if constexpr (AHEAD) {
#pragma unroll
            for (int i = 0; i < CELLS; i++) v[i] = v[i] * factors[i];
        } else {
            multiply(place, spectrum, column, v);
        }
        block_fft<+1>(place.part, v);
    }
    keep(place, v, kept);
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
            nullptr};
}

template <bool BACK, class R>
ndft_status run_rows(const ndft_filter *f, unsigned signals, void *kept)
{
    const filter_stage<R> stage = row_stage<R>(f, signals);
    const auto kernel =
        stage.passes.cells == 8 ? filter_rows<8, BACK, R> : filter_rows<16, BACK, R>;
    return launch_filter(f, grid_for(f, stage), kernel, stage, f->shape.column,
                         (const ndft_complex<R> *)f->spectrum, (ndft_complex<R> *)kept);
}

template <bool BACK, int N, class R>
ndft_status run_in_place(const ndft_filter *f, unsigned signals, void *kept)
{
    const kept_lines<N, R> rows = {(ndft_complex<R> *)kept};
    if constexpr (BACK)
        return filter_in_place<N, R>(f, signals * f->shape.column, rows, rows);
    else
        return load_in_place<N, R>(f, signals * f->shape.column, rows, kept);
}

template <bool BACK, class R> ndft_status run(const ndft_filter *f, unsigned signals, void *kept)
{
    if (!f->shape.in_place) return run_rows<BACK, R>(f, signals, kept);
    return f->shape.row == NDFT_LINE_LONGEST
               ? run_in_place<BACK, NDFT_LINE_LONGEST, R>(f, signals, kept)
               : run_in_place<BACK, 4096, R>(f, signals, kept);
}

} // namespace

template <class R>
ndft_status ndft_filter_rows(const ndft_filter *f, bool back, unsigned signals, void *kept)
{
    return back ? run<true, R>(f, signals, kept) : run<false, R>(f, signals, kept);
}

template ndft_status ndft_filter_rows<float>(const ndft_filter *, bool, unsigned, void *);
template ndft_status ndft_filter_rows<double>(const ndft_filter *, bool, unsigned, void *);
