/* SPDX-License-Identifier: Apache-2.0 */
#include "uniform/callback/uniform_index.cuh"

#include "core/dispatch.cuh"
#include "core/shares.cuh"
#include "direct_cost.h"
#include "folded.h"
#include "gemm_lines.cuh"
#include "gemm_short.cuh"
#include "gemm_wgmma.cuh"
#include "phase/worst_entry.h"
#include "uniform/axis_plan.cuh"
#include "uniform/callback/callback_plan.cuh"
#include "uniform/uniform_cost.h"

/*
 * Short lines as products with folded DFT matrices on tensor cores, axis by axis. A wave of blocks
 * stays for all tiles of lines: while one tile is multiplied, the copies of the next are under way.
 * The matrices lie in shared memory in the order of operands, each warp folds its own lines into
 * the other operand and puts the outputs where the lines were, and a tile is read and written in
 * the order of global memory, whichever batch is the fastest. Each number is read once and written
 * once. Of odd primes up to 31, where that is mostly machinery, a pass can do without
 * (gemm_short.cuh); from 33 on wgmma multiplies where there is such (gemm_wgmma_kernel.cuh).
 */

namespace
{

enum { LONGEST = 127, MOST_STEPS = 4, MOST_LINES = 256 };
enum { MODE, TILE, UNIT }; /* knobs, in order */
enum { F16X3, TF32X3, F64 };
enum { AUTO, TENSOR, FMA, WGMMA };

const char *const mode_words[] = {"f16x3", "tf32x3", nullptr};
const char *const unit_words[] = {"auto", "tensor", "fma", "wgmma", nullptr};

const ndft_knob knobs[] = {
    NDFT_KNOB_WORDS("mode", "number format of tensor cores' products; f64 problems have their own",
                    mode_words, F16X3, (F16X3, TF32X3)),
    NDFT_KNOB("tile", "KiB", "memory of a tile of lines, of which there are two", 24, (12, 24, 48)),
    NDFT_KNOB_WORDS(
        "unit",
        "what multiplies: multiply-adds in registers or wgmma of four warps, where they serve an "
        "axis, or tensor cores warp by warp",
        unit_words, AUTO, (AUTO, TENSOR)),
};

int mode_of(const ndft_problem *p, const int *k) { return p->prec == NDFT_F64 ? F64 : k[MODE]; }

bool is_short(const ndft_pass &pass, ndft_prec prec, const int *k)
{
    return (k[UNIT] == AUTO || k[UNIT] == FMA) && ndft_short_launch::choose(pass, prec);
}

bool has_wgmma(const ndft_device *device) { return device->code == 90; }

/* By wgmma, where there is such. */
bool is_wide(const ndft_pass &pass, ndft_prec prec, const int *k)
{
    return (k[UNIT] == AUTO || k[UNIT] == WGMMA) && k[MODE] == F16X3 &&
           ndft_wgmma_launch::serves(pass, prec);
}

/* f(mode) as a type */
template <class F> auto with_mode(int mode, F f)
{
    switch (mode) {
    case TF32X3:
        return f(ndft_lines_tf32x3{});
    case F64:
        return f(ndft_lines_f64{});
    default:
        return f(ndft_lines_f16x3{});
    }
}

/* One pass as it is launched. */
template <class M> struct lines_launch {
    using R = typename M::R;
    void (*kernel)(ndft_gemm_lines, int64_t, const R *, R *);
    ndft_gemm_lines lines;
    int64_t tiles;
    unsigned blocks;
    size_t shared;
};

template <class M> auto choose_kernel(int domain, int steps)
{
    using kernel = decltype(lines_launch<M>::kernel);
    return ndft_choose<NDFT_C2C, NDFT_R2C, NDFT_C2R>(domain, [steps](auto d) -> kernel {
        const int tiles = steps > 2 ? MOST_STEPS : steps;
        return ndft_choose<1, 2, MOST_STEPS>(tiles, [](auto t) -> kernel {
            return ndft_multiply_lines<M, decltype(d)::value, decltype(t)::value>;
        });
    });
}

int steps_of(const ndft_pass &p) { return ((int)ndft_even_rows(p.length) + 15) / 16; }

/* Complex numbers that a line has room for: an odd number; of long lines 5 more than a multiple of
 * 8, which keeps the outputs of neighbouring lines apart, too. */
int pitch_of(const ndft_pass &p)
{
    const int own = p.domain == NDFT_C2C ? (int)p.length : (int)ndft_even_rows(p.length);
    return own <= 16 ? own | 1 : own + (5 - own % 8 + 8) % 8;
}

/* Lines of a tile, for all warps alike, and so few that all multiprocessors have tiles. */
template <class M> int lines_of(const ndft_pass &p, const ndft_device *device, const int *k)
{
    const int at_once = p.domain == NDFT_C2C ? 4 * M::COLUMN_TILES : 8;
    const int64_t even = at_once * NDFT_GEMM_THREADS / 32;
    const int64_t held = k[TILE] * 1024 / (2 * pitch_of(p) * (int)sizeof(typename M::R));
    const int64_t spread = p.lines / (2 * device->units);
    return (int)min(max(min(held, spread) / even, (int64_t)1) * even, (int64_t)MOST_LINES);
}

/* tiles: 2, or 1 where no block has a next one. */
template <class M> size_t shared_bytes(const ndft_pass &p, int lines, int tiles)
{
    return (size_t)ndft_matrix_vecs<M>(steps_of(p)) * sizeof(uint4) +
           4 * (size_t)lines * sizeof(int64_t) +
           (size_t)(tiles * lines * 2 * pitch_of(p)) * sizeof(typename M::R);
}

template <class M> struct gemm_plan : ndft_base_plan {
    using R = typename M::R;
    ndft_axes axes;
    lines_launch<M> launch[3];
    ndft_short_launch quick[3]; /* with a kernel: in place of launch */
    ndft_wgmma_launch wide[3];  /* likewise */

    ndft_status prepare(const ndft_problem *p, const int *k, unsigned)
    {
        axes = ndft_axes_of(ndft_transform_of(p), true);
        NDFT_TRY(ndft_axes_reserve(&arrays, prec, &axes));
        for (int i = 0; i < axes.passes; i++) {
            if (is_short(axes.pass[i], prec, k))
                quick[i] = ndft_short_launch::of(axes.pass[i], prec);
            else if (has_wgmma(&arrays.exec->device) && is_wide(axes.pass[i], prec, k))
                NDFT_TRY(wide[i].place(&arrays, axes.pass[i]));
            else
                NDFT_TRY(place(axes.pass[i], k, &launch[i]));
        }
        return NDFT_OK;
    }

    ndft_status place(const ndft_pass &pass, const int *k, lines_launch<M> *l)
    {
        const int steps = steps_of(pass), vecs = ndft_matrix_vecs<M>(steps);
        const cudaStream_t stream = ndft_stream(arrays.exec);
        uint4 *matrix = nullptr;
        NDFT_TRY(ndft_reserve(&arrays, "folded DFT matrices", vecs, &matrix));
        ndft_build_folded<M><<<ndft_blocks(steps * steps * 32, 128), 128, 0, stream>>>(
            (int)pass.length, steps, pass.domain == NDFT_C2R ? 2 : 1, matrix);
        NDFT_TRY(ndft_launched(arrays.exec, "the folded DFT matrices"));
        const int lines = lines_of<M>(pass, &arrays.exec->device, k);
        l->kernel = choose_kernel<M>(pass.domain, steps);
        l->lines = {pass,
                    matrix,
                    steps,
                    lines,
                    2 * pitch_of(pass),
                    ndft_tile_side::of(pass, pass.in, lines, 2 * pitch_of(pass)),
                    ndft_tile_side::of(pass, pass.out, lines, 2 * pitch_of(pass))};
        l->tiles = (pass.lines + lines - 1) / lines;
        NDFT_TRY(launch_with(l, shared_bytes<M>(pass, lines, 1)));
        return l->tiles <= l->blocks ? NDFT_OK : launch_with(l, shared_bytes<M>(pass, lines, 2));
    }

    /* At most a wave of blocks. */
    ndft_status launch_with(lines_launch<M> *l, size_t shared)
    {
        const auto *kernel = (const void *)l->kernel;
        NDFT_TRY(ndft_allow_shared(arrays.exec, kernel, shared));
        const int64_t wave = ndft_wave(kernel, NDFT_GEMM_THREADS, shared, arrays.exec);
        l->shared = shared;
        l->blocks = (unsigned)min(wave, l->tiles);
        return NDFT_OK;
    }

    ndft_status run(ndft_op, const void *in, void *out) const
    {
        const cudaStream_t stream = ndft_stream(arrays.exec);
        NDFT_TRY(ndft_axes_copy(arrays.exec, prec, axes, in));
        for (int i = 0; i < axes.passes; i++) {
            const void *from = ndft_pass_from(&axes, i, in);
            void *to = ndft_pass_to(&axes, i, out);
            if (quick[i].kernel || wide[i].kernel) {
                NDFT_TRY(quick[i].kernel ? quick[i].launch(arrays.exec, from, to)
                                         : wide[i].launch(arrays.exec, from, to));
                continue;
            }
            const lines_launch<M> &l = launch[i];
            ndft_gemm_lines lines = l.lines;
            lines.in.flat &= (uintptr_t)from % sizeof(uint4) == 0;
            lines.out.flat &= (uintptr_t)to % sizeof(uint4) == 0;
            l.kernel<<<l.blocks, NDFT_GEMM_THREADS, l.shared, stream>>>(lines, l.tiles,
                                                                        (const R *)from, (R *)to);
        }
        return ndft_launched(arrays.exec, "uniform_gemm");
    }

    void chosen(char *text, size_t size) const
    {
        int64_t tensor[3], wgmma[3], lines[3], blocks[3];
        for (int i = 0; i < axes.passes; i++) {
            tensor[i] = !quick[i].kernel;
            wgmma[i] = wide[i].kernel != nullptr;
            lines[i] = wgmma[i]    ? wide[i].lines.lines
                       : tensor[i] ? launch[i].lines.lines
                                   : quick[i].at_once();
            blocks[i] = wgmma[i]    ? wide[i].blocks
                        : tensor[i] ? launch[i].blocks
                                    : quick[i].blocks();
        }
        ndft_chosen_add(text, size, "tensor", tensor, axes.passes);
        ndft_chosen_add(text, size, "wgmma", wgmma, axes.passes);
        ndft_chosen_add(text, size, "lines", lines, axes.passes);
        ndft_chosen_add(text, size, "blocks", blocks, axes.passes);
    }
};

/* of(pass) for all of them */
template <class F> bool all_passes(const ndft_problem *p, F of)
{
    const ndft_axes axes = ndft_axes_of(ndft_transform_of(p), true);
    for (int i = 0; i < axes.passes; i++)
        if (!of(axes.pass[i])) return false;
    return true;
}

template <class M> bool fits_shared(const ndft_problem *p, const ndft_device *device, const int *k)
{
    return all_passes(p, [&](auto &pass) {
        return is_short(pass, p->prec, k) || (has_wgmma(device) && is_wide(pass, p->prec, k)) ||
               shared_bytes<M>(pass, lines_of<M>(pass, device, k), 2) <= device->shared_bytes;
    });
}

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    const int mode = mode_of(p, k);
    if (k[TILE] < 1 || k[TILE] > 96) return "tile must be from 1 to 96 KiB";
    if (device->capability < 80) return "its products need compute capability 8.0";
    if (ndft_axes_longest(ndft_transform_of(p)) > LONGEST)
        return "its matrices stay in shared memory: axes of 127 at most";
    if (k[UNIT] == FMA && !all_passes(p, [&](auto &pass) { return is_short(pass, p->prec, k); }))
        return "unit=fma serves lines in f32 whose lengths are odd primes up to 31";
    if (k[UNIT] == WGMMA && !(has_wgmma(device) &&
                              all_passes(p, [&](auto &pass) { return is_wide(pass, p->prec, k); })))
        return "unit=wgmma serves lines of 33 to 127 by mode=f16x3, in code built for "
               "compute capability 9.0";
    if (!with_mode(mode, [&](auto m) { return fits_shared<decltype(m)>(p, device, k); }))
        return "its matrices and two tiles of lines do not fit into shared memory";
    return nullptr;
}

ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec, void **out)
{
    return with_mode(mode_of(p, k), [&](auto m) {
        return ndft_make_plan<gemm_plan<decltype(m)>>(p, k, ops, exec, out);
    });
}

/* Of each pass, in units of roundoff. Of tf32 operands' last parts tensor cores leave out what does
 * not fit, and the product of two last parts is left out of both formats: where parts are cut off,
 * all of it has one sign. Sums in f32 on tensor cores are cut off at their last place, which is a
 * unit on average for each product of a step, were the sum as large as at last from the first step
 * on (a third of that for noise, on an H200); in double they are rounded. So are sums in registers,
 * to either side: half a unit for each step that the sum grew to, added as noise. */
double rounding(const ndft_problem *p, const int *k)
{
    static const double operands[] = {2, 6, 2}, sums[] = {3, 6, 0};
    const ndft_axes axes = ndft_axes_of(ndft_transform_of(p), true);
    const int mode = mode_of(p, k);
    double units = 0;
    for (int i = 0; i < axes.passes; i++)
        units += is_short(axes.pass[i], p->prec, k)
                     ? 1 + 0.5 * sqrt((double)axes.pass[i].length / 2)
                     : operands[mode] + sums[mode] * steps_of(axes.pass[i]);
    return units * ndft_roundoff(p->prec);
}

/* What floats in two parts of f16 lose in all passes, for any data. */
double split(const ndft_problem *p, ndft_op op, const int *k)
{
    (void)op;
    (void)k;
    return p->prec == NDFT_F32 ? 3 * NDFT_ANY_SPLIT * 0x1p-24 : 0;
}

/* Tiles that are not full count whole, as blocks that share the work; each takes the matrices. */
ndft_cost cost(const ndft_problem *p, ndft_op, const int *k)
{
    const ndft_transform *t = ndft_transform_of(p);
    const ndft_axes axes = ndft_axes_of(t, true);
    const int mode = mode_of(p, k);
    const double products = mode == F64 ? 1 : mode == TF32X3 ? 6 : 3; /* tf32 has half the rate */
    double spared = 0; /* of what passes shared memory */
    ndft_cost cost = {};
    for (int i = 0; i < axes.passes; i++) {
        const ndft_pass &pass = axes.pass[i];
        if (is_short(pass, p->prec, k)) {
            ndft_add_short_cost(pass, &cost);
            continue;
        }
        if (is_wide(pass, p->prec, k)) { /* a cost knows of no device that has none */
            spared += 2 * ndft_add_wgmma_cost(pass, &cost);
            continue;
        }
        const bool real = pass.domain != NDFT_C2C;
        const double lines = (mode == F64 && !real ? 1 : 2) * NDFT_GEMM_THREADS / 8.;
        const double columns = real ? lines : 2 * lines;
        const double blocks = ceil((double)pass.lines / lines), rows = 16. * steps_of(pass);
        const double inputs = blocks * columns * rows;
        cost.tensor += products * 2 * rows * inputs;
        cost.fma += 3 * inputs;
        cost.add += 4 * inputs;
        cost.integer += 4 * inputs;
        cost.issue_slots += 24 * inputs;
        cost.l2_bytes += 4 * blocks * rows * rows;
        cost.threads = fmax(cost.threads, blocks);
    }
    const double bytes = ndft_axes_bytes(t, true);
    cost.dram_bytes = bytes;
    cost.l2_bytes += bytes;
    cost.shared_bytes = 6 * bytes - spared; /* in, folded, out, and the matrices */
    cost.launches = axes.passes + (axes.copies ? 1 : 0);
    return cost;
}

} // namespace

extern "C" const ndft_variant ndft_uniform_gemm_cuda = {
    .name = "uniform_gemm",
    .backend = "cuda",
    .summary = "short lines as products with folded DFT matrices, mostly on tensor cores",
    NDFT_KNOBS(knobs),
    .ops = NDFT_FORWARD,
    .claim = {.b = 0.05,
              .c = 4,
              .truncation = rounding,
              .any = {.c = 3 * (NDFT_ANY_LIBM + 2 * NDFT_ANY_PRODUCT),
                      .chain = ndft_folded_chain,
                      .truncation = split},
              .deterministic = true},
    NDFT_WITH_CALLBACKS(plan, unsupported, cost),
    .chosen = ndft_chosen_plan,
};
