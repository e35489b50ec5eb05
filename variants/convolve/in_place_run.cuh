/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_IN_PLACE_RUN_CUH
#define NDFT_CONVOLVE_IN_PLACE_RUN_CUH

#include "filter_in_place.cuh"
#include "filter_run.cuh"

#include <type_traits>

/* Launches of filter_in_place.cuh. */

namespace
{

/* A line to a block. Many lines: two sums of a pass's ends a thread. */
template <int N, class R> filter_grid in_place_grid(const ndft_filter *f, unsigned lines)
{
    constexpr int sums = N / IN_PLACE_RADIX;
    const bool few = lines <= (unsigned)f->exec->device.units && sums <= in_place_threads<R>();
    const int threads = ((few ? sums : (sums + 1) / 2) + 31) & ~31;
    return {lines, dim3(threads), (size_t)skipping<16>(N) * sizeof(ndft_complex<R>)};
}

template <int N, class R, class Hook>
ndft_status load_in_place(const ndft_filter *f, unsigned lines, const Hook &hook, void *kept)
{
    return launch_filter(f, in_place_grid<N, R>(f, lines), in_place_load<N, R, Hook>,
                         (const turn_pair<R> *)f->row_turns, hook, (ndft_complex<R> *)kept);
}

template <int N, class R, class Hook>
ndft_status store_in_place(const ndft_filter *f, unsigned lines, const void *kept, const Hook &hook)
{
    return launch_filter(f, in_place_grid<N, R>(f, lines), in_place_store<N, R, Hook>,
                         (const turn_pair<R> *)f->row_turns, (const ndft_complex<R> *)f->spectrum,
                         (const ndft_complex<R> *)kept, hook);
}

/* Line after line, of signals that are one or matrices of them. */
template <int N, class R, class Load, class Store>
ndft_status filter_in_place(const ndft_filter *f, unsigned lines, const Load &load,
                            const Store &store)
{
    return launch_filter(f, in_place_grid<N, R>(f, lines), in_place_filter<N, R, Load, Store>,
                         (const turn_pair<R> *)f->row_turns, f->shape.column,
                         (const ndft_complex<R> *)f->spectrum, load, store);
}

/* f(constant) of a line's length, one that filter_shape.c has. */
template <class R, class F> ndft_status with_length(int n, F f)
{
    if constexpr (sizeof(R) == 4) {
        switch (n) {
        case 10240:
            return f(std::integral_constant<int, 10240>());
        case 12288:
            return f(std::integral_constant<int, 12288>());
        case 16384:
            return f(std::integral_constant<int, 16384>());
        case 20480:
            return f(std::integral_constant<int, 20480>());
        case 24576:
            return f(std::integral_constant<int, 24576>());
        }
    }
    switch (n) {
    case 4096:
        return f(std::integral_constant<int, 4096>());
    case 6400:
        return f(std::integral_constant<int, 6400>());
    case 8192:
        return f(std::integral_constant<int, 8192>());
    }
    return NDFT_EUNSUPPORTED; /* which filter_shape.c never has */
}

} // namespace

#endif
