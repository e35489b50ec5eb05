/* SPDX-License-Identifier: Apache-2.0 */
#include "bluestein_in_place.cuh"
#include "convolve/axis_lines.cuh"
#include "convolve/in_place_run.cuh"

template <class R>
ndft_status ndft_bluestein_in_place(const ndft_bluestein &b, const void *from, void *to, void *kept)
{
    const ndft_filter *f = &b.filter;
    const unsigned lines = (unsigned)b.pass.lines;
    const factored_side<R> load = factored<R>(b.chirp, b.pass, b.pass.in, from);
    const factored_side<R> store = factored<R>(b.chirp, b.pass, b.pass.out, to);
    return with_length<R>(f->shape.row, [&](auto n) {
        if (!kept) return filter_in_place<n.value, R>(f, lines, load, store);
        NDFT_TRY((load_in_place<n.value, R>(f, lines, load, kept)));
        return store_in_place<n.value, R>(f, lines, kept, store);
    });
}

template ndft_status ndft_bluestein_in_place<float>(const ndft_bluestein &, const void *, void *,
                                                    void *);
template ndft_status ndft_bluestein_in_place<double>(const ndft_bluestein &, const void *, void *,
                                                     void *);
