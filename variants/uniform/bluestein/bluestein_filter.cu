/* SPDX-License-Identifier: Apache-2.0 */
#include "bluestein_filter.cuh"

#include "convolve/in_place_run.cuh"

namespace
{

/* conj(chirp) over cells, as a hook. */
template <class R> struct chirp_filter {
    static constexpr bool HALF = false;
    const ndft_complex<R> *chirp;
    int n, cells;
    R factor;

    __device__ int64_t start(unsigned) const { return 0; }

    __device__ ndft_complex<R> load(int64_t, int cell) const
    {
        const int x = cell < n ? cell : cells - cell;
        if (x >= n) return {0, 0};
        return {chirp[x].re * factor, -chirp[x].im * factor};
    }

    template <int COUNT, int CELLS>
    __device__ void load_cells(int64_t line, int first, int step, ndft_complex<R> (&v)[CELLS]) const
    {
#pragma unroll
        for (int k = 0; k < COUNT; k++) v[k] = load(line, first + k * step);
    }
};

} // namespace

template <class R> ndft_status ndft_bluestein_set_filter(const ndft_bluestein &b)
{
    const ndft_filter &f = b.filter;
    const chirp_filter<R> hook = {(const ndft_complex<R> *)b.chirp, (int)b.pass.length,
                                  f.shape.cells, 1 / (R)f.shape.cells};
    if (!f.shape.in_place || f.shape.column > 1) return ndft_filter_set<R>(&f, hook);
    return with_length<R>(
        f.shape.row, [&](auto n) { return load_in_place<n.value, R>(&f, 1, hook, f.spectrum); });
}

template ndft_status ndft_bluestein_set_filter<float>(const ndft_bluestein &);
template ndft_status ndft_bluestein_set_filter<double>(const ndft_bluestein &);
