/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_VIEW_CUH
#define NDFT_NUFFT_VIEW_CUH

#include "pipeline_cufft.cuh"

/* A plan as kernels see it during a pass, and what every convolution asks of it. */

template <class R, int W> struct ndft_nufft_view {
    ndft_nufft_samples samples;
    ndft_nufft_grid grid;
    ndft_nufft_pass pass;
    ndft_strides data;
    ndft_rank_view<R> rank;
    ndft_weights<R, W> weights;
};

template <class R, int W>
ndft_nufft_view<R, W> ndft_nufft_view_of(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass)
{
    return {plan->samples,
            plan->grid,
            *pass,
            plan->data,
            ndft_rank_of<R>(plan->rank),
            ndft_weights_of<R, W>(plan)};
}

/* f of a number of a plan's precision, and of its dimension and width as constants: from a plan to
 * the kernels that serve it. */
template <class R, class F> auto ndft_by_dim_and_width(const ndft_nufft_plan *plan, F f)
{
    return ndft_by_width<R>(&plan->shape.window, [&](auto width) {
        if (plan->shape.dim == 1) return f(R(), std::integral_constant<int, 1>{}, width);
        if (plan->shape.dim == 2) return f(R(), std::integral_constant<int, 2>{}, width);
        return f(R(), std::integral_constant<int, 3>{}, width);
    });
}

template <class F> auto ndft_by_kernel(const ndft_nufft_plan *plan, F f)
{
    return plan->prec == NDFT_F32 ? ndft_by_dim_and_width<float>(plan, f)
                                  : ndft_by_dim_and_width<double>(plan, f);
}

/* The cell behind the last is the first. */
__device__ __forceinline__ int ndft_wrapped(int cell, int n) { return cell < n ? cell : cell - n; }

/* Column of a pass' term and coil, both counted from the pass' first. */
template <class R, int W>
__device__ __forceinline__ ndft_complex<R> *ndft_column(const ndft_nufft_view<R, W> &view, int term,
                                                        int coil)
{
    return (ndft_complex<R> *)view.grid.cells +
           (int64_t)(term * view.pass.coils + coil) * view.grid.column;
}

/* Weight of sample j of the problem in a term of the pass. */
template <class R, int W>
__device__ __forceinline__ ndft_complex<R> ndft_sample_weight(const ndft_nufft_view<R, W> &view,
                                                              int64_t j, int term)
{
    if (!view.rank.place) return {1, 0};
    const int l = view.pass.term + term;
    return ndft_rank_sample(view.rank, j, l / view.rank.terms, l % view.rank.terms);
}

/* Where the datum of sample j of the problem is, coil counted from the pass' first. */
template <class R, int W>
__device__ __forceinline__ int64_t ndft_datum(const ndft_nufft_view<R, W> &view, int64_t j,
                                              int coil)
{
    return j * view.data.element + (view.pass.coil + coil) * view.data.coil;
}

/* Writes a sample's sum over the terms of a pass. */
template <class R, int W>
__device__ __forceinline__ void ndft_put_sample(const ndft_nufft_view<R, W> &view, int64_t j,
                                                int coil, ndft_complex<R> sum, ndft_complex<R> *out)
{
    ndft_complex<R> &to = out[ndft_datum(view, j, coil)];
    to = view.pass.joins ? ndft_complex<R>{to.re + sum.re, to.im + sum.im} : sum;
}

#endif
