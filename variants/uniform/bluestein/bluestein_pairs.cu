/* SPDX-License-Identifier: Apache-2.0 */
#include "bluestein_pairs.cuh"
#include "convolve/in_place_run.cuh"
#include "convolve/pair_sizes.cuh"

namespace
{

/* Spectra are stored cell by cell where a line lies in several blocks. */
bool taken_apart(const ndft_bluestein &b) { return b.filter.shape.column > 1 && !b.pass.out.real; }

/* Pairs' spectra, one after the other. */
template <class R> factored_side<R> spectra_side(const ndft_bluestein &b)
{
    ndft_pass packed = {};
    packed.length = b.pass.length;
    packed.modes = 1;
    packed.shape[0] = b.lines();
    return factored<R>(b.chirp, packed, {false, b.pass.length, 1, {b.pass.length}},
                       b.pairs.spectra);
}

template <class R>
ndft_status run_whole(const ndft_bluestein &b, const pair_load<R> &load, const pair_store<R> &store)
{
    const ndft_filter *f = &b.filter;
    const unsigned lines = b.lines();
    if (!f->shape.in_place)
        return ndft_filter_run_line<R>(f, lines, lines_beside(b.pass), load, store);
    return with_length<R>(
        f->shape.row, [&](auto n) { return filter_in_place<n.value, R>(f, lines, load, store); });
}

template <class R>
ndft_status run_kept(const ndft_bluestein &b, const pair_load<R> &load, const pair_store<R> &store,
                     void *kept)
{
    const ndft_filter *f = &b.filter;
    const unsigned lines = b.lines();
    if (!f->shape.in_place || f->shape.column > 1)
        return ndft_filter_run<R>(f, lines, lines_beside(b.pass), load, store, kept);
    return with_length<R>(f->shape.row, [&](auto n) {
        NDFT_TRY((load_in_place<n.value, R>(f, lines, load, kept)));
        return store_in_place<n.value, R>(f, lines, kept, store);
    });
}

} // namespace

template <class R>
ndft_status ndft_bluestein_make_pairs(ndft_arrays *arrays, bool whole, ndft_bluestein *b)
{
    ndft_complex<R> *spectra = nullptr;
    b->pairs = {true, nullptr, 0, nullptr};
    if (whole) return NDFT_OK;
    NDFT_TRY(ndft_pairs_make(arrays, b->pass, &b->pairs));
    if (!taken_apart(*b)) return NDFT_OK;
    NDFT_TRY(
        ndft_reserve(arrays, "spectra of pairs", (int64_t)b->lines() * b->pass.length, &spectra));
    b->pairs.spectra = spectra;
    return NDFT_OK;
}

template <class R>
ndft_status ndft_bluestein_run_pairs(const ndft_bluestein &b, bool whole, const void *from,
                                     void *to, void *kept)
{
    const ndft_filter *f = &b.filter;
    const pair_load<R> load = {pair_side_of<R>(b.chirp, b.pass, b.pass.in, from, b.pairs)};
    const pair_store<R> store = {pair_side_of<R>(b.chirp, b.pass, b.pass.out, to, b.pairs)};
    if (whole) return run_whole(b, load, store);
    if (!f->dry) NDFT_TRY(ndft_pairs_measure(f->exec, load));
    if (!taken_apart(b)) return run_kept(b, load, store, kept);
    NDFT_TRY(
        (ndft_filter_run<R>(f, b.lines(), lines_beside(b.pass), load, spectra_side<R>(b), kept)));
    return f->dry ? NDFT_OK : ndft_pairs_take_apart(f->exec, store, b.pairs);
}

template ndft_status ndft_bluestein_make_pairs<float>(ndft_arrays *, bool, ndft_bluestein *);
template ndft_status ndft_bluestein_make_pairs<double>(ndft_arrays *, bool, ndft_bluestein *);
template ndft_status ndft_bluestein_run_pairs<float>(const ndft_bluestein &, bool, const void *,
                                                     void *, void *);
template ndft_status ndft_bluestein_run_pairs<double>(const ndft_bluestein &, bool, const void *,
                                                      void *, void *);
