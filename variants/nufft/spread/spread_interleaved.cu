/* SPDX-License-Identifier: Apache-2.0 */
#include "product_warp.cuh"

#include "arranged_samples.cuh"
#include "core/shares.cuh"
#include "nufft/transform/interleaved_grids.cuh"

#include <algorithm>

namespace
{

/* Samples of a tile that a warp takes. */
constexpr int most_visits(int dim) { return 8 * ndft_product_cells(dim); }

/* Columns of a warp, and what it takes for them beside the most that it has. */
struct warp_columns {
    int count;
    double time;
};

template <int N> using constant = std::integral_constant<int, N>;

/* f of each choice, and of a warp's reals of a load and loads as constants: its sums fill its
 * registers. */
template <class R, int DIM, class F> void each_choice(F f)
{
    constexpr bool SINGLE = sizeof(R) == sizeof(float);
    if constexpr (SINGLE && DIM < 3) {
        f(warp_columns{8, 0.4}, constant<2>(), constant<1>());
        f(warp_columns{16, 0.6}, constant<4>(), constant<1>());
        f(warp_columns{32, 1}, constant<4>(), constant<2>());
    } else if constexpr (SINGLE) {
        f(warp_columns{8, 0.6}, constant<2>(), constant<1>());
        f(warp_columns{16, 1}, constant<4>(), constant<1>());
    } else if constexpr (DIM < 3) {
        f(warp_columns{8, 0.6}, constant<2>(), constant<1>());
        f(warp_columns{16, 1}, constant<2>(), constant<2>());
    } else {
        f(warp_columns{8, 1}, constant<2>(), constant<1>());
    }
}

template <int DIM, class R> int warp_columns_for(int64_t columns)
{
    int best = 0;
    double least = 0;
    each_choice<R, DIM>([&](const warp_columns &choice, auto, auto) {
        const double time = (double)((columns + choice.count - 1) / choice.count) * choice.time;
        if (best && time >= least) return;
        best = choice.count;
        least = time;
    });
    return best;
}

/* Whether each term has groups of its own, for which products turn the samples of coils, instead
 * of those of all terms in the buffer: where the columns of one fill a warp. */
bool terms_apart(const ndft_nufft_plan *plan, const ndft_nufft_lanes &lanes)
{
    const int fill = plan->prec == NDFT_F32 ? 32 : 16;
    return plan->rank.place && lanes.terms == 1 && lanes.coil_groups * lanes.count >= fill;
}

const ndft_nufft_products &own_of(const ndft_nufft_plan *plan)
{
    return ((const ndft_nufft_interleaved *)plan->own)->products;
}

template <int DIM, class R>
ndft_nufft_product<DIM, R> product_of(const ndft_nufft_plan *plan, const ndft_nufft_lanes &lanes,
                                      int term)
{
    const ndft_nufft_products &own = own_of(plan);
    ndft_nufft_product<DIM, R> p = {
        own.lists, own.streams, {(int32_t *)own.sample, (R *)own.weight}};
    const bool apart = terms_apart(plan, lanes);
    if (apart) p.rank = ndft_rank_of<R>(plan->rank);
    for (int d = 0; d < 3; d++) p.n[d] = plan->grid.n[d];
    p.terms = apart ? lanes.term_groups : 1;
    p.term = term;
    p.columns = lanes.groups / p.terms * lanes.count;
    p.log_lanes = ndft_log2(lanes.count);
    const int of_warp = warp_columns_for<DIM, R>(p.columns);
    p.chunks = (p.columns + of_warp - 1) / of_warp;
    p.pitch = p.chunks * of_warp;
    p.value = (const ndft_complex<R> *)own.buffer;
    p.cells = (ndft_complex<R> *)plan->grid.cells;
    p.part = (ndft_complex<R> *)own.part;
    return p;
}

/* f of the kernel that forms these products. */
template <int DIM, class R, class F>
ndft_status with_kernel(const ndft_nufft_product<DIM, R> &p, F f)
{
    ndft_status status = NDFT_OK;
    each_choice<R, DIM>([&](const warp_columns &choice, auto reals, auto loads) {
        constexpr int P = reals.value, NB = loads.value;
        if (choice.count != p.pitch / p.chunks) return;
        status = p.rank.place ? f(spread_products<DIM, P, NB, true, R>)
                              : f(spread_products<DIM, P, NB, false, R>);
    });
    return status;
}

/* Blocks side by side of a wave of a kernel that forms these products. */
template <int DIM, class R, class Kernel>
int64_t blocks_of_wave(const ndft_exec *exec, const ndft_nufft_product<DIM, R> &p, Kernel kernel)
{
    const int64_t wave = ndft_wave((const void *)kernel, 32 * NDFT_PRODUCT_WARPS, 0, exec);
    return std::max<int64_t>(1, wave / (p.terms * p.chunks));
}

template <class R>
ndft_status run_fill(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                     const ndft_nufft_lanes &lanes, int64_t pitch, const void *in)
{
    const int64_t coils = (int64_t)lanes.coil_groups * lanes.coils;
    int beside = FILL_LEAST;
    while (beside < FILL_MOST && 1 << beside < coils) beside++;
    fill_work<R> w = {*pass,
                      lanes,
                      {},
                      plan->data,
                      plan->samples.count,
                      pitch,
                      ndft_log2(lanes.coils),
                      ndft_log2(lanes.terms),
                      beside,
                      (ndft_complex<R> *)own_of(plan).buffer};
    if (terms_apart(plan, lanes))
        w.pass.terms = w.lanes.term_groups = 1;
    else
        w.rank = ndft_rank_of<R>(plan->rank);
    const dim3 blocks(ndft_blocks(w.samples, 1 << (FILL_LOG - beside)),
                      ndft_blocks(coils, 1 << beside));
    return ndft_launch_early(plan->arrays.exec, blocks, FILL_THREADS, 0, fill<R>, w,
                             (const ndft_complex<R> *)in);
}

template <class R, int DIM>
ndft_status run(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    ndft_exec *exec = plan->arrays.exec;
    const ndft_nufft_lanes lanes = ndft_nufft_interleaved_lanes(plan, pass->coils, pass->terms);
    const ndft_nufft_product<DIM, R> p = product_of<DIM, R>(plan, lanes, pass->term);
    NDFT_TRY(run_fill<R>(plan, pass, lanes, p.pitch, in));
    const int threads = 32 * NDFT_PRODUCT_WARPS;
    NDFT_TRY(with_kernel(p, [&](auto kernel) {
        const int64_t all = p.streams.count / NDFT_PRODUCT_WARPS;
        const dim3 blocks((unsigned)std::min(all, blocks_of_wave(exec, p, kernel)),
                          (unsigned)(p.terms * p.chunks));
        return ndft_launch_early(exec, blocks, threads, 0, kernel, p);
    }));
    if (p.lists.n_joints == 0) return NDFT_OK;
    const unsigned blocks = ndft_blocks(ndft_product_cells(DIM) * p.terms * p.pitch, threads);
    return ndft_launch_early(exec, dim3(p.lists.n_joints, blocks), threads, 0,
                             join_products<DIM, R>, p);
}

/* f of a number of the plan's precision, and of its dimension as a constant. */
template <class F> auto by_dim(const ndft_nufft_plan *plan, F f)
{
    const auto with = [&](auto real) {
        if (plan->shape.dim == 1) return f(real, std::integral_constant<int, 1>());
        if (plan->shape.dim == 2) return f(real, std::integral_constant<int, 2>());
        return f(real, std::integral_constant<int, 3>());
    };
    return plan->prec == NDFT_F32 ? with(float()) : with(double());
}

template <class R, int DIM>
ndft_status make_visits(ndft_nufft_plan *plan, int64_t blocks, ndft_nufft_products *own)
{
    ndft_arrays *arrays = &plan->arrays;
    const ndft_exec *exec = arrays->exec;
    const int3 n = {plan->grid.n[0], plan->grid.n[1], plan->grid.n[2]};
    int64_t all = 0;
    NDFT_TRY(ndft_product_streams_make(arrays, own->lists, blocks, DIM != 2, &own->streams, &all));
    const int64_t room = ndft_length_for_more(exec, all + 1);
    ndft_product_visits<R> visits = {};
    NDFT_TRY(ndft_reserve(arrays, "samples of visits", room, &visits.sample));
    NDFT_TRY(
        ndft_reserve(arrays, "weights of visits", room * ndft_product_edges(DIM), &visits.weight));
    const int64_t tiles = (int64_t)own->streams.layers * own->streams.count;
    put_visits<DIM, R><<<ndft_blocks(tiles, 4), 128, 0, ndft_stream(exec)>>>(
        own->lists, plan->samples, n, ndft_weights_of<R>(plan), own->streams, visits);
    own->sample = visits.sample;
    own->weight = visits.weight;
    return ndft_launched(exec, "visits of tiles");
}

template <class R, int DIM>
ndft_status make(ndft_nufft_plan *plan, const ndft_nufft_lanes passes[2], ndft_nufft_products *own)
{
    ndft_arrays *arrays = &plan->arrays;
    ndft_complex<R> *buffer = nullptr, *part = nullptr;
    int64_t columns = 0, sums = 0; /* of a sample in the buffer, of a cell in all terms */
    for (int i = 0; i < 2; i++) {
        const ndft_nufft_product<DIM, R> p = product_of<DIM, R>(plan, passes[i], 0);
        if (p.pitch > columns) columns = p.pitch;
        if (p.terms * p.pitch > sums) sums = p.terms * p.pitch;
    }
    NDFT_TRY(
        ndft_nufft_lists_make(arrays, &plan->samples, &plan->shape, most_visits(DIM), &own->lists));
    int64_t blocks = 1;
    const ndft_nufft_product<DIM, R> first = product_of<DIM, R>(plan, passes[0], 0);
    NDFT_TRY(with_kernel(first, [&](auto kernel) {
        blocks = blocks_of_wave(arrays->exec, first, kernel);
        return NDFT_OK;
    }));
    NDFT_TRY((make_visits<R, DIM>(plan, blocks, own)));
    NDFT_TRY(
        ndft_reserve_zeros(arrays, "arranged samples", plan->samples.count * columns, &buffer));
    NDFT_TRY(ndft_reserve(arrays, "parts of tiles",
                          1 + ndft_product_cells(DIM) * sums *
                                  ndft_length_for_more(arrays->exec, own->lists.n_slots),
                          &part));
    own->buffer = buffer;
    own->part = part;
    return NDFT_OK;
}

ndft_status spread(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    return by_dim(
        plan, [&](auto real, auto dim) { return run<decltype(real), dim.value>(plan, pass, in); });
}

ndft_status restore(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, void *out)
{
    const ndft_nufft_interleaved *own = (const ndft_nufft_interleaved *)plan->own;
    const ndft_nufft_lanes lanes = ndft_nufft_interleaved_lanes(plan, pass->coils, pass->terms);
    if (ndft_nufft_two_lines_serve(plan, &own->two_lines, lanes))
        return ndft_nufft_two_lines_adjoint(plan, {&own->lines, &own->two_lines, pass, lanes}, out);
    return ndft_nufft_lines_adjoint(plan, &own->lines, pass, lanes, out);
}

void tile(const ndft_nufft_shape *shape, const int *, int edge[3])
{
    for (int d = 0; d < 3; d++) edge[d] = ndft_product_edge(shape->dim, d);
}

double worst(const ndft_problem *p, ndft_op op, const int *k)
{
    return p->prec == NDFT_F32 ? ndft_nufft_any_by_tf32(p, op, k) : ndft_nufft_any(p, op, k);
}

} // namespace

ndft_status ndft_nufft_products_make(ndft_nufft_plan *plan, const ndft_nufft_lanes passes[2],
                                     ndft_nufft_products *own)
{
    return by_dim(plan, [&](auto real, auto dim) {
        return make<decltype(real), dim.value>(plan, passes, own);
    });
}

const ndft_nufft_stage ndft_spread_interleaved = {
    .summary = "nonuniform FFT; grids of several columns interleaved, spreading on tensor cores",
    .knobs = ndft_knob_bits(NDFT_INTERLEAVED_LANES, NDFT_INTERLEAVED_LANES),
    .c = 4,
    .worst = worst,
    .deterministic = true,
    .overwrites = true,
    .tile = tile,
    .own_bytes = sizeof(ndft_nufft_interleaved),
    .prepare = ndft_nufft_interleaved_prepare,
    .fit = ndft_nufft_fit_lines,
    .transform = ndft_nufft_interleaved_transform,
    .restore = restore,
    .spread = spread,
    .chosen = ndft_nufft_interleaved_chosen,
    .unsupported = ndft_nufft_interleaved_unsupported,
    .cost = ndft_nufft_interleaved_execution,
    .weighed = ndft_nufft_interleaved_weighed,
};
