/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DISPATCH_CUH
#define NDFT_DISPATCH_CUH

#include <type_traits>

/* From a run-time value to a template argument: f(integral_constant<int, V>) for the V among VALUES
 * that equals value, nullptr if there is none. f returns a kernel's address. */
template <int FIRST, int... REST, class F> auto ndft_choose(int value, F f)
{
    if (value == FIRST) return f(std::integral_constant<int, FIRST>{});
    if constexpr (sizeof...(REST) > 0)
        return ndft_choose<REST...>(value, f);
    else
        return decltype(f(std::integral_constant<int, FIRST>{})){};
}

/* What only sweeps want is built in 2D without gradients, and everywhere with -DNDFT_ALL=ON. */
constexpr bool ndft_built_for_sweeps(int dim, bool gradients)
{
    return NDFT_ALL || (dim == 2 && !gradients);
}

#endif
