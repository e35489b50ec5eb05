/* SPDX-License-Identifier: Apache-2.0 */
#include "spread_interleaved.cuh"

#include "arranged_samples.cuh"
#include "core/shares.cuh"
#include "nufft/transform/interleaved_grids.cuh"

namespace
{

enum { MOST = 128 }; /* samples of a tile that a warp takes */

/* Columns of a warp, and what it takes for them by its products and the weights for these. */
struct warp_columns {
    int count;
    double time;
};

const warp_columns choices_f32[] = {{8, 0.4}, {16, 0.6}, {32, 1}};
const warp_columns choices_f64[] = {{8, 0.6}, {16, 1}};

/* f of each choice. */
template <class R, class F> void each_choice(F f)
{
    if constexpr (sizeof(R) == sizeof(float))
        for (const warp_columns &choice : choices_f32) f(choice);
    else
        for (const warp_columns &choice : choices_f64) f(choice);
}

template <class R> int warp_columns_for(int64_t columns)
{
    int best = 0;
    double least = 0;
    each_choice<R>([&](const warp_columns &choice) {
        const double time = (double)((columns + choice.count - 1) / choice.count) * choice.time;
        if (best && time >= least) return;
        best = choice.count;
        least = time;
    });
    return best;
}

/* f of a warp's reals of a load and loads as constants. */
template <class R, class F> auto by_columns(int of_warp, F f)
{
    using two = std::integral_constant<int, 2>;
    using one = std::integral_constant<int, 1>;
    if constexpr (sizeof(R) == sizeof(float)) {
        if (of_warp == 32) return f(std::integral_constant<int, 4>(), two());
        if (of_warp == 16) return f(std::integral_constant<int, 4>(), one());
    } else if (of_warp == 16) {
        return f(two(), two());
    }
    return f(two(), one());
}

/* Rows of weights, room for a window before and behind an axis' cells; such that lanes of a
 * fragment, four rows and as many cells of each, read all banks. */
template <int DIM, class R>
void lay_rows(const ndft_nufft_plan *plan, ndft_nufft_product<DIM, R> *p)
{
    const int room = plan->shape.window.width - 1;
    int at = 0;
    for (int d = 0; d < DIM; d++) {
        p->axis[d] = at + room;
        at += room + ndft_product_edge(DIM, d) + room;
    }
    const auto apart = [](int stride) {
        for (int k = 1; k < 4; k++)
            if (k * stride % 32 < 4 || k * stride % 32 > 28) return false;
        return true;
    };
    p->stride = at | 1;
    while (!apart(p->stride)) p->stride += 2;
}

/* Whether each term has groups of its own, for which products turn the samples of coils, instead
 * of those of all terms in the buffer: where the columns of one fill a warp. */
bool terms_apart(const ndft_nufft_plan *plan, const ndft_nufft_lanes &lanes)
{
    const int fill = plan->prec == NDFT_F32 ? choices_f32[2].count : choices_f64[1].count;
    return plan->rank.place && lanes.terms == 1 && lanes.coil_groups * lanes.count >= fill;
}

template <int DIM, class R>
ndft_nufft_product<DIM, R> product_of(const ndft_nufft_plan *plan, const ndft_nufft_lanes &lanes,
                                      int term)
{
    const ndft_nufft_products &own = ((const ndft_nufft_interleaved *)plan->own)->products;
    ndft_nufft_product<DIM, R> p = {own.lists, (const ndft_product_tile *)own.tile,
                                    (const ndft_product_visit<DIM, R> *)own.visit};
    const bool apart = terms_apart(plan, lanes);
    if (apart) p.rank = ndft_rank_of<R>(plan->rank);
    for (int d = 0; d < 3; d++) p.n[d] = plan->grid.n[d];
    lay_rows(plan, &p);
    p.terms = apart ? lanes.term_groups : 1;
    p.term = term;
    p.columns = lanes.groups / p.terms * lanes.count;
    p.log_lanes = ndft_log2(lanes.count);
    const int of_warp = warp_columns_for<R>(p.columns);
    p.chunks = (p.columns + of_warp - 1) / of_warp;
    p.pitch = p.chunks * of_warp;
    p.value = (const ndft_complex<R> *)own.buffer;
    p.cells = (ndft_complex<R> *)plan->grid.cells;
    p.part = (ndft_complex<R> *)own.part;
    return p;
}

template <class R>
ndft_status run_fill(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                     const ndft_nufft_lanes &lanes, int64_t pitch, const void *in)
{
    const ndft_nufft_products &own = ((const ndft_nufft_interleaved *)plan->own)->products;
    fill_work<R> w = {*pass,
                      lanes,
                      {},
                      plan->data,
                      plan->samples.count,
                      pitch,
                      ndft_log2(lanes.coils),
                      ndft_log2(lanes.terms),
                      (ndft_complex<R> *)own.buffer};
    if (terms_apart(plan, lanes))
        w.pass.terms = w.lanes.term_groups = 1;
    else
        w.rank = ndft_rank_of<R>(plan->rank);
    const dim3 blocks(ndft_blocks(w.samples, FILL),
                      ndft_blocks((int64_t)lanes.coil_groups * lanes.coils, FILL));
    return ndft_launch_early(plan->arrays.exec, blocks, dim3(FILL, FILL_ROWS), 0, fill<R>, w,
                             (const ndft_complex<R> *)in);
}

template <int DIM, class R> size_t shared_of(const ndft_nufft_product<DIM, R> &p)
{
    return NDFT_PRODUCT_WARPS * (size_t)32 * p.stride * sizeof(R);
}

/* f of the kernel that serves a plan's window, and of the window's weights for it: one for each
 * width in two dimensions and f32, else one for all. */
template <class R, int DIM, class F>
ndft_status by_kernel_of(const ndft_nufft_plan *plan, int of_warp, F f)
{
    return by_columns<R>(of_warp, [&](auto reals, auto loads) {
        const auto with = [&](auto width) {
            constexpr int P = decltype(reals)::value, NB = decltype(loads)::value;
            constexpr int W = decltype(width)::value;
            return f(spread_products<DIM, P, NB, R, W>, ndft_weights_of<R, W>(plan));
        };
        if constexpr (DIM == 2 && sizeof(R) == sizeof(float))
            return ndft_by_width<R>(&plan->shape.window, with);
        else
            return with(std::integral_constant<int, NDFT_MAX_WIDTH>());
    });
}

template <class R, int DIM>
ndft_status run(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    ndft_exec *exec = plan->arrays.exec;
    const ndft_nufft_lanes lanes = ndft_nufft_interleaved_lanes(plan, pass->coils, pass->terms);
    const ndft_nufft_product<DIM, R> p = product_of<DIM, R>(plan, lanes, pass->term);
    NDFT_TRY(run_fill<R>(plan, pass, lanes, p.pitch, in));
    const int threads = 32 * NDFT_PRODUCT_WARPS;
    const size_t shared = shared_of(p);
    NDFT_TRY((by_kernel_of<R, DIM>(plan, (int)(p.pitch / p.chunks), [&](auto kernel, auto weights) {
        const unsigned all = ndft_blocks(p.lists.n_units, NDFT_PRODUCT_WARPS);
        const unsigned beside = (unsigned)(p.terms * p.chunks);
        const unsigned most =
            ndft_blocks(ndft_wave((const void *)kernel, threads, shared, exec), beside);
        return ndft_launch_early(exec, dim3(all < most ? all : most, beside), threads, shared,
                                 kernel, p, weights);
    })));
    if (p.lists.n_joints == 0) return NDFT_OK;
    const unsigned blocks = ndft_blocks(NDFT_PRODUCT_CELLS * p.terms * p.pitch, threads);
    return ndft_launch_early(exec, dim3(p.lists.n_joints, blocks), threads, 0,
                             join_products<DIM, R>, p);
}

template <class R, int DIM> ndft_status allow(const ndft_nufft_plan *plan)
{
    const size_t shared = shared_of(product_of<DIM, R>(plan, {1, 1, 1, 1, 1, 1}, 0));
    ndft_status status = NDFT_OK;
    each_choice<R>([&](const warp_columns &choice) {
        if (status == NDFT_OK)
            status = by_kernel_of<R, DIM>(plan, choice.count, [&](auto kernel, auto) {
                return ndft_allow_shared(plan->arrays.exec, (const void *)kernel, shared);
            });
    });
    return status;
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

template <class R, int DIM> ndft_status make_visits(ndft_nufft_plan *plan, ndft_nufft_products *own)
{
    ndft_arrays *arrays = &plan->arrays;
    const ndft_exec *exec = arrays->exec;
    const ndft_nufft_lists &lists = own->lists;
    const int3 n = {plan->grid.n[0], plan->grid.n[1], plan->grid.n[2]};
    unsigned long long *counts = nullptr, all = 0; /* all visits; those that have room */
    ndft_product_tile *tile = nullptr;
    ndft_product_visit<DIM, R> *visit = nullptr;
    NDFT_TRY(ndft_reserve_zeros(arrays, "numbers of visits", 2, &counts));
    count_visits<<<ndft_blocks(lists.n_units, 128), 128, 0, ndft_stream(exec)>>>(lists, counts);
    NDFT_TRY(ndft_launched(exec, "numbers of visits"));
    NDFT_TRY(ndft_fetch(exec, counts, &all, "numbers of visits"));
    NDFT_TRY(ndft_reserve(arrays, "tiles", ndft_length_for_more(exec, lists.n_units), &tile));
    NDFT_TRY(ndft_reserve(arrays, "visits of tiles", ndft_length_for_more(exec, (int64_t)all + 1),
                          &visit));
    put_visits<DIM, R><<<ndft_blocks(lists.n_units, 4), 128, 0, ndft_stream(exec)>>>(
        lists, plan->samples, n, counts + 1, tile, visit);
    own->tile = tile;
    own->visit = visit;
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
    NDFT_TRY(ndft_nufft_lists_make(arrays, &plan->samples, &plan->shape, MOST, &own->lists));
    NDFT_TRY((make_visits<R, DIM>(plan, own)));
    NDFT_TRY(
        ndft_reserve_zeros(arrays, "arranged samples", plan->samples.count * columns, &buffer));
    NDFT_TRY(ndft_reserve(arrays, "parts of tiles",
                          1 + NDFT_PRODUCT_CELLS * sums *
                                  ndft_length_for_more(arrays->exec, own->lists.n_slots),
                          &part));
    own->buffer = buffer;
    own->part = part;
    return allow<R, DIM>(plan);
}

ndft_status spread(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    return by_dim(
        plan, [&](auto real, auto dim) { return run<decltype(real), dim.value>(plan, pass, in); });
}

ndft_status restore(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, void *out)
{
    return ndft_nufft_lines_adjoint(plan, &((const ndft_nufft_interleaved *)plan->own)->lines, pass,
                                    ndft_nufft_interleaved_lanes(plan, pass->coils, pass->terms),
                                    out);
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
};
