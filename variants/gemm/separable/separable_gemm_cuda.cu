/* SPDX-License-Identifier: Apache-2.0 */
#include "core/early.cuh"
#include "phase/phase_range.h"
#include "phase/worst_entry.h"
#include "separable_cost.h"
#include "separable_kernels.cuh"
#include "separable_plan.cuh"

#include "base/variant.h"

/*
 * The Cartesian grid taken apart: exp(-i phi) = a_j(x) b_j(y, z) exp(-i dw t), so samples of one
 * readout time see one modulated image m exp(-i dw t), whose rows all their phasors a_j multiply as
 * a matrix product on tensor cores; b_j is a short sum at its end. Rows are folded about their
 * centre, cos (m(+u) + m(-u)) - i sin (m(+u) - m(-u)), which leaves real times complex: two real
 * multiply-adds a pair instead of four. The field map is exact; its sines cost one evaluation a
 * voxel and time instead of one a pair, so many samples should share a time (shots of one clock).
 *
 * f32 data are split into two f16 or tf32 numbers, three products; f64 multiplies in double. f16
 * goes by wgmma where the device has it, declared costs are its. Issue slots bind in f32: per voxel
 * and time 21 to modulate, fold and split and 16 to turn, unfold and add.
 */

namespace
{

const char *const mode_words[] = {"auto", "f16x3", "tf32x3", "f64", nullptr};
enum { MODE_AUTO, MODE_F16X3, MODE_TF32X3, MODE_F64 };
enum { MODE, SAMPLES }; /* knobs, in order */

const ndft_knob knobs[] = {
    NDFT_KNOB_WORDS("mode", "number format of the products; auto is f16x3 in f32, f64 in f64",
                    mode_words, MODE_AUTO, (MODE_AUTO, MODE_F16X3, MODE_TF32X3)),
    NDFT_KNOB("samples", "samples", "samples of one time that are taken together; 0 chooses", 0,
              (0, 16, 32, 48)),
};

int mode_of(const ndft_problem *p, const int *k)
{
    if (k[MODE] != MODE_AUTO) return k[MODE];
    return p->prec == NDFT_F32 ? MODE_F16X3 : MODE_F64;
}

/* f(mode) as a type */
template <class F> auto with_mode(int mode, F f)
{
    switch (mode) {
    case MODE_TF32X3:
        return f(ndft_mode_tf32x3{});
    case MODE_F64:
        return f(ndft_mode_f64{});
    default:
        return f(ndft_mode_f16x3{});
    }
}

/* Whether both directions' kernels fit a block's shared memory. */
template <class M> bool fits_shared(const ndft_problem *p, int tiles, const ndft_device *device)
{
    const auto shared = [&](ndft_op op) {
        return ndft_choose_separable<M>(p, op, tiles, device->code).shared;
    };
    return shared(NDFT_FORWARD) <= device->shared_bytes &&
           shared(NDFT_ADJOINT) <= device->shared_bytes;
}

/* How many m16 tiles a unit has. */
template <class M>
int choose_tiles(const ndft_problem *p, const int *k, const ndft_device *device,
                 const ndft_timed *timed)
{
    if (k[SAMPLES]) return k[SAMPLES] / 16;
    int best = 1;
    double least = 0;
    for (int tiles = 1; tiles <= NDFT_MOST_TILES && fits_shared<M>(p, tiles, device); tiles++) {
        const double time =
            (double)ndft_count_units(timed, p->n_samples, 16 * tiles) * ndft_unit_time(tiles);
        if (tiles == 1 || time < least) {
            least = time;
            best = tiles;
        }
    }
    return best;
}

template <class M> struct separable_plan : ndft_base_plan {
    using R = typename M::R;
    using complex = ndft_complex<R>;

    ndft_separable<R> directions[2]; /* forward, adjoint */
    ndft_separable_kernels<R> kernels[2];
    const int32_t *order; /* [n_units][size] */
    const double2 *x;     /* [n_units][size] kx/nx: hi, lo */
    int size;
    int64_t coils;

    int64_t wave, coils_at_once;
    complex *parts; /* [coils_at_once][slabs][n_units][size] */

    ndft_split<R> split;
    complex *data;              /* [coils][n_units][size] */
    float *most;                /* [coils][n_units] */
    bool spans;                 /* more than one, of times */
    ndft_complex<double> *kept; /* [blocks][voxels of a block] */

    ndft_status prepare(const ndft_problem *p, const int *k, unsigned ops)
    {
        ndft_timed *timed = ndft_sort_times(p);
        ndft_units units = {};
        bool made = timed;
        if (made) {
            const int tiles = choose_tiles<M>(p, k, &arrays.exec->device, timed);
            made = ndft_units_make(timed, p->n_samples, 16 * tiles, &units);
        }
        free(timed);
        if (!made)
            return ndft_fail(arrays.exec->error, NDFT_ENOMEM, "no host memory to sort times");
        ndft_status status = place(p, ops, units);
        free(units.order);
        return status;
    }

    ndft_status place(const ndft_problem *p, unsigned ops, const ndft_units &units)
    {
        ndft_separable<R> s = {};
        coils = p->coils;
        size = units.size;
        s.n_units = (int)units.n;
        s.span = ndft_field_span<R>(p);
        const auto when = [&](int64_t unit) {
            return ndft_real_at(p->t, p->prec, units.order[unit * size]) / ndft_two_pi;
        };
        spans = p->dw && when(units.n - 1) - when(0) > s.span;
        NDFT_TRY(ndft_place_units(&arrays, p, units, &s));
        NDFT_TRY(ndft_place_x(&arrays, p, units, &x));
        NDFT_TRY(ndft_place(&arrays, "samples in units", units.n * size, &order,
                            [&](int64_t i) { return units.order[i]; }));
        if (ops & NDFT_FORWARD) NDFT_TRY(place_side(p, NDFT_FORWARD, s));
        if (ops & NDFT_ADJOINT) NDFT_TRY(place_side(p, NDFT_ADJOINT, s));
        if (ops & NDFT_FORWARD) NDFT_TRY(prepare_forward());
        if (ops & NDFT_ADJOINT) NDFT_TRY(prepare_adjoint());
        return NDFT_OK;
    }

    ndft_status place_side(const ndft_problem *p, ndft_op op, ndft_separable<R> &s)
    {
        const bool to_image = op == NDFT_ADJOINT;
        const ndft_separable_kernels<R> k =
            ndft_choose_separable<M>(p, op, size / 16, arrays.exec->device.code);
        const void *kernel = to_image ? (const void *)k.to_voxels : (const void *)k.to_samples;
        s.slabs = k.slabs;
        s.in = ndft_strides_of(p, ndft_input_length(p, op));
        s.out = ndft_strides_of(p, ndft_output_length(p, op));
        NDFT_TRY(ndft_fits_block(arrays.exec, kernel, k.threads));
        NDFT_TRY(ndft_allow_shared(arrays.exec, kernel, k.shared));
        NDFT_TRY(ndft_place_voxels(&arrays, p, op, k, &s));
        NDFT_TRY(ndft_make_phasors(&arrays, k, size / 16, x, order, &s));
        kernels[to_image] = k;
        directions[to_image] = s;
        return NDFT_OK;
    }

    ndft_status prepare_forward()
    {
        const ndft_separable_kernels<R> &k = kernels[0];
        wave = ndft_wave((const void *)k.to_samples, k.threads, k.shared, arrays.exec);
        const int64_t of_coil = k.slabs.count * directions[0].n_units * size;
        const int64_t room = ((int64_t)1 << 30) / (int64_t)sizeof(complex) / of_coil;
        coils_at_once = room < 1 ? 1 : room < coils ? room : coils;
        return ndft_reserve(&arrays, "sums over slabs", coils_at_once * of_coil, &parts);
    }

    ndft_status prepare_adjoint()
    {
        const ndft_separable_kernels<R> &k = kernels[1];
        const ndft_separable<R> &s = directions[1];
        const int block = k.own * k.threads;
        const int64_t slabs = k.slabs.count;
        const ndft_outputs outputs = {s.voxel, slabs * block, slabs, block, s.out};
        NDFT_TRY(ndft_split_make(&arrays, (const void *)k.to_voxels, k.threads, k.shared, coils,
                                 s.n_units, outputs, false, &split));
        kept = nullptr;
        if (min((int64_t)s.n_units, split.shares.each + 1) > NDFT_CHAIN || spans)
            NDFT_TRY(ndft_reserve(&arrays, "sums of chains", (int64_t)split.shares.blocks * block,
                                  &kept));
        NDFT_TRY(ndft_reserve(&arrays, "data in units", coils * s.n_units * size, &data));
        return ndft_reserve(&arrays, "largest data", coils * s.n_units, &most);
    }

    /* Of so many coils. */
    ndft_shares forward_shares(int64_t count) const
    {
        return ndft_shares_of(count * kernels[0].slabs.count, directions[0].n_units, wave);
    }

    ndft_status run_forward(const complex *in, complex *out) const
    {
        const ndft_separable<R> &s = directions[0];
        const ndft_separable_kernels<R> &k = kernels[0];
        const cudaStream_t stream = ndft_stream(arrays.exec);
        const int64_t places = (int64_t)s.n_units * size;
        for (int64_t first = 0; first < coils; first += coils_at_once) {
            const int64_t count = min(coils_at_once, coils - first);
            const ndft_shares shares = forward_shares(count);
            k.to_samples<<<(unsigned)shares.blocks, k.threads, k.shared, stream>>>(
                s, shares, in + first * s.in.coil, parts);
            NDFT_TRY(ndft_launched(arrays.exec, "separable_gemm"));
            const dim3 grid(ndft_blocks(places, 64), (unsigned)count);
            NDFT_TRY(ndft_launch_early(arrays.exec, grid, 64, 0, ndft_separable_join<R>,
                                       (const complex *)parts, k.slabs.count, places, order, s.out,
                                       out + first * s.out.coil));
        }
        return NDFT_OK;
    }

    ndft_status run_adjoint(const complex *in, complex *out) const
    {
        const ndft_separable<R> &s = directions[1];
        const ndft_separable_kernels<R> &k = kernels[1];
        const cudaStream_t stream = ndft_stream(arrays.exec);
        const dim3 grid(ndft_blocks(s.n_units, 8), (unsigned)coils);
        ndft_separable_gather<<<grid, 256, 0, stream>>>(in, s.in, order, s.n_units, size, data,
                                                        most);
        NDFT_TRY(ndft_launched(arrays.exec, "the gathering of data"));
        NDFT_TRY(ndft_launch_early(arrays.exec, (unsigned)split.shares.blocks, k.threads, k.shared,
                                   k.to_voxels, s, split, (const complex *)data,
                                   (const float *)most, kept, out));
        return ndft_join(arrays.exec, split, out);
    }

    ndft_status run(ndft_op op, const void *in, void *out) const
    {
        return op == NDFT_FORWARD ? run_forward((const complex *)in, (complex *)out)
                                  : run_adjoint((const complex *)in, (complex *)out);
    }

    /* Coils that the sums over slabs have room for, in forward. */
    void chosen(char *text, size_t room) const
    {
        ndft_chosen_one(text, room, "samples", size);
        const int64_t some = coils_at_once; /* 0: no forward */
        ndft_chosen_directions(text, room, "coils_of_pass", some, 0);
        ndft_chosen_directions(text, room, "blocks", some ? forward_shares(some).blocks : 0,
                               split.shares.blocks);
    }
};

ndft_separable_shape shape_of(const ndft_problem *p, const int *k)
{
    ndft_separable_shape shape = with_mode(mode_of(p, k), [](auto m) {
        using M = decltype(m);
        constexpr bool F64 = sizeof(typename M::R) == sizeof(double);
        constexpr double BYTES = sizeof(typename M::element);
        constexpr bool WGMMA = std::is_same<M, ndft_mode_f16x3>::value;
        return ndft_separable_shape{M::WARPS,
                                    BYTES * M::PARTS,
                                    M::PARTS == 2 ? 3.0 : 1.0,
                                    BYTES == 4 ? 2.0 : 1.0,
                                    F64,
                                    WGMMA,
                                    0};
    });
    shape.tiles = k[SAMPLES] ? k[SAMPLES] / 16 : ndft_separable_tiles(p);
    return shape;
}

/* More phasors along x than a quarter of the device holds: samples share times too little. */
bool too_many_phasors(const ndft_problem *p, const ndft_device *device, const int *k)
{
    const ndft_separable_shape shape = shape_of(p, k);
    return ndft_separable_table(p, &shape) > (double)device->memory_bytes / 4;
}

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    const int mode = mode_of(p, k), tiles = k[SAMPLES] ? k[SAMPLES] / 16 : 1;
    if (ndft_has_gradients(p)) return "the sinc of gradient maps couples k and t: not separable";
    if ((mode == MODE_F64) != (p->prec == NDFT_F64))
        return p->prec == NDFT_F64 ? "f64 problems need mode f64" : "mode f64 is for f64 problems";
    if (k[SAMPLES] % 16 || tiles > NDFT_MOST_TILES) return "samples must be 0, 16, 32 or 48";
    if (device->capability < 80) return "its products need compute capability 8.0";
    if (mode == MODE_F64 && device->code != 90)
        return "its products in double need code built for compute capability 9.0";
    if (!with_mode(mode, [&](auto m) { return fits_shared<decltype(m)>(p, tiles, device); }))
        return "slabs and phasors of so many samples do not fit into shared memory";
    if (too_many_phasors(p, device, k))
        return "too few samples share a readout time: its phasors would fill a quarter of memory";
    return ndft_phase_range_exceeded(p);
}

ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec, void **out)
{
    return with_mode(mode_of(p, k), [&](auto m) {
        return ndft_make_plan<separable_plan<decltype(m)>>(p, k, ops, exec, out);
    });
}

ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const ndft_separable_shape shape = shape_of(p, k);
    return shape.wgmma ? ndft_separable_wgmma_cost(p, op, &shape)
                       : ndft_separable_cost(p, op, &shape);
}

/* Forward, the lines of an axis are summed first. */
double chain(const ndft_problem *p, ndft_op op, const int *)
{
    const double line = (double)p->n[0];
    if (op == NDFT_ADJOINT) return (double)p->n_samples;
    return line + (double)(p->n[0] * p->n[1] * p->n[2]) / line;
}

} // namespace

extern "C" const ndft_variant ndft_separable_gemm_cuda = {
    .name = "separable_gemm",
    .backend = "cuda",
    .summary = "rows and columns of the grid apart, equal times together, on tensor cores",
    NDFT_KNOBS(knobs),
    .claim = {.b = 0.05,
              .c = 16,
              .any = {.c = NDFT_ANY_REDUCED + NDFT_ANY_SPLIT +
                           3 * (NDFT_ANY_HARDWARE + NDFT_ANY_PRODUCT),
                      .chain = chain},
              .deterministic = true},
    .unsupported = unsupported,
    .plan = plan,
    .execute = ndft_run_plan,
    .destroy = ndft_destroy_plan,
    .cost = cost,
    .chosen = ndft_chosen_plan,
};
