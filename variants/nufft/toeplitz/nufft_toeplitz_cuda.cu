/* SPDX-License-Identifier: Apache-2.0 */
#include "convolve/convolve_cufft.cuh"
#include "convolve/convolve_lines_run.cuh"
#include "core/chosen.h"
#include "phase/sincos_poly.h"
#include "toeplitz.h"

#include "base/variant.h"

/*
 * The normal operator alone, as nufft_toeplitz.cpu: per coil and term of the field map two
 * transforms of twice the grid per axis, a product between them. Where lengths of lines serve, all
 * transforms are inside the kernels that load, multiply and store (convolve_lines.cuh), else
 * cuFFT's. Terms are summed where voxels are read back. Passes of few columns keep their grids in
 * the second-level cache, whose throughput is then the ceiling.
 */

namespace
{

enum { GRIDS }; /* knobs, in order */

const ndft_knob knobs[] = {
    NDFT_KNOB("grids", "MiB", "grids in flight, at least one column's; 0 is what memory allows", 48,
              (0, 8, 16, 32, 48, 64)),
};

enum { THREADS = 256 };

const double memory_share = 0.3;
const double most_padding = 3; /* cells that such lengths may cost, in times the fewest */

struct plan : ndft_base_plan {
    bool in_lines; /* else by cuFFT */
    ndft_line_convolver lines;
    ndft_grid_convolver grids;
    ndft_strides strides;
    int n0, coils, terms, coils_of_pass, terms_of_pass;
    int64_t cells, voxels; /* of a spectrum, of an image */
    const int32_t *inside; /* voxels in use, NULL without a mask */
    const void *phasors;   /* [terms][n] exp(i dw tau) of an image's cells, NULL without */
    void *spectra;

    ndft_status prepare(const ndft_problem *, const int *knobs, unsigned ops);
    ndft_status run(ndft_op, const void *in, void *out) const;
    void release() { ndft_cufft_destroy(grids.fft); }

    void chosen(char *text, size_t size) const
    {
        ndft_chosen_one(text, size, "terms", terms);
        ndft_chosen_one(text, size, "terms_of_pass", terms_of_pass);
        ndft_chosen_one(text, size, "coils_of_pass", coils_of_pass);
        ndft_chosen_one(text, size, "in_lines", in_lines);
    }
};

__device__ void sincospi_of(float x, float *s, float *c) { ndft_sincospi_poly_f32(x, s, c); }
__device__ void sincospi_of(double x, double *s, double *c) { ndft_sincospi_poly_f64(x, s, c); }

/* The map's phase at an image's cells in each term (blockIdx.y), whole turns taken off in double.
 * field: dw/pi of a voxel. */
template <class R>
__global__ void put_phasors(int64_t cells, const int32_t *inside, const double *field,
                            const double *tau, ndft_complex<R> *out)
{
    const int64_t at = blockIdx.x * (int64_t)THREADS + threadIdx.x;
    if (at >= cells) return;
    const int64_t v = inside ? inside[at] : at;
    const double half_turns = v < 0 ? 0 : field[v] * tau[blockIdx.y];
    ndft_complex<R> turn;
    sincospi_of((R)(half_turns - 2 * rint(0.5 * half_turns)), &turn.im, &turn.re);
    out[blockIdx.y * cells + at] = turn;
}

/* Voxels of terms term.. and coils coil.. . */
template <class R> struct hooks_of {
    const ndft_complex<R> *in;
    ndft_complex<R> *out;
    ndft_strides strides;
    int n0, first_term, first_coil;
    const int32_t *inside;
    const ndft_complex<R> *phasors; /* of the first term */
    int64_t cells;                  /* of the image */

    __device__ bool plain() const { return !inside && strides.element == 1; }

    /* Of a cell: its voxel in the image, -1 without. */
    __device__ int64_t place(int64_t row, int x) const
    {
        const int64_t v = inside ? inside[row * n0 + x] : row * n0 + x;
        return v < 0 ? v : v * strides.element;
    }

    __device__ const ndft_complex<R> *turns(int term, int64_t row) const
    {
        return phasors ? phasors + term * cells + row * n0 : nullptr;
    }

    __device__ ndft_complex<R> load(int term, int image, int64_t row, int x) const
    {
        ndft_complex<R> v[1];
        load_line(line_part<1>{x, 0, n0}, term, image, row, v);
        return v[0];
    }

    template <class Part>
    __device__ __forceinline__ void load_line(const Part &part, int term, int image, int64_t row,
                                              ndft_complex<R> (&v)[Part::CELLS]) const
    {
        const ndft_complex<R> *from = in + (first_coil + image) * strides.coil;
        if (plain()) {
            from += row * n0;
#pragma unroll
            for (int i = 0; i < Part::CELLS; i++) {
                v[i] = {0, 0};
                if (part.has(i)) v[i] = from[part.x(i)];
            }
        } else {
#pragma unroll
            for (int i = 0; i < Part::CELLS; i++) {
                const int64_t at = part.has(i) ? place(row, part.x(i)) : -1;
                v[i] = {0, 0};
                if (at >= 0) v[i] = from[at];
            }
        }
        const ndft_complex<R> *turn = turns(term, row);
        if (!turn) return;
#pragma unroll
        for (int i = 0; i < Part::CELLS; i++) {
            ndft_complex<R> one = {0, 0};
            if (part.has(i)) one = turn[part.x(i)];
            ndft_rotate(v[i], {one.re, -one.im}, v[i]);
        }
    }

    __device__ void gather(int term, int64_t row, int x, ndft_complex<R> value,
                           ndft_complex<R> *sum) const
    {
        const ndft_complex<R> v[1] = {value};
        ndft_complex<R> sums[1] = {*sum};
        gather_line(line_part<1>{x, 0, n0}, term, row, v, sums);
        *sum = sums[0];
    }

    /* Cells that are no voxels have sums, too, which nothing reads. */
    template <class Part>
    __device__ __forceinline__ void gather_line(const Part &part, int term, int64_t row,
                                                const ndft_complex<R> (&v)[Part::CELLS],
                                                ndft_complex<R> (&sum)[Part::CELLS]) const
    {
        const ndft_complex<R> *turn = turns(term, row);
#pragma unroll
        for (int i = 0; i < Part::CELLS; i++) {
            ndft_complex<R> one = {1, 0};
            if (turn && part.has(i)) one = turn[part.x(i)];
            ndft_accumulate(sum[i], one.re, one.im, v[i]);
        }
    }

    __device__ void store(int image, int64_t row, int x, ndft_complex<R> sum) const
    {
        const int64_t at = place(row, x);
        if (at < 0) return;
        ndft_complex<R> &to = out[at + (first_coil + image) * strides.coil];
        to = first_term > 0 ? to + sum : sum;
    }
};

const char *unsupported(const ndft_problem *p, const ndft_device *, const int *)
{
    const char *why = ndft_toeplitz_unsupported(p);
    if (why) return why;
    return ndft_psf_fine_cells(p) > INT32_MAX
               ? "the grid of its point-spread function has 2^31 cells or more"
               : nullptr;
}

/* How many columns go through at a time: all coils of some terms, else some coils of one. */
void divide(plan *plan, size_t column_bytes, size_t budget)
{
    const int64_t columns = budget / column_bytes ? (int64_t)(budget / column_bytes) : 1;
    plan->terms_of_pass = 1;
    plan->coils_of_pass = plan->coils;
    if (columns < plan->coils) {
        const int passes = (int)((plan->coils + columns - 1) / columns);
        plan->coils_of_pass = (plan->coils + passes - 1) / passes;
        return;
    }
    const int64_t most = columns / plan->coils;
    const int passes = (int)((plan->terms + most - 1) / most);
    plan->terms_of_pass = (plan->terms + passes - 1) / passes;
}

ndft_status place_voxels(plan *plan, const ndft_problem *p)
{
    if (!p->voxel) return NDFT_OK;
    int64_t next = 0;
    return ndft_place(&plan->arrays, "voxels in use", p->n[0] * p->n[1] * p->n[2], &plan->inside,
                      [&](int64_t v) {
                          return next < p->n_voxels && p->voxel[next] == v ? (int32_t)next++ : -1;
                      });
}

template <class R>
ndft_status place_phasors(plan *plan, const ndft_problem *p, const ndft_toeplitz *toeplitz)
{
    const double *field = nullptr, *tau = nullptr;
    const int64_t cells = p->n[0] * p->n[1] * p->n[2];
    ndft_arrays *arrays = &plan->arrays;
    ndft_complex<R> *phasors = nullptr;
    NDFT_TRY(ndft_place(arrays, "field", p->n_voxels, &field,
                        [&](int64_t v) { return ndft_real_at(p->dw, p->prec, v) / M_PI; }));
    NDFT_TRY(ndft_place(arrays, "times", plan->terms, &tau,
                        [&](int64_t l) { return toeplitz->tau[l]; }));
    NDFT_TRY(ndft_reserve(arrays, "phases of terms", plan->terms * cells, &phasors));
    put_phasors<<<dim3(ndft_blocks(cells, THREADS), plan->terms), THREADS, 0,
                  ndft_stream(arrays->exec)>>>(cells, plan->inside, field, tau, phasors);
    plan->phasors = phasors;
    return ndft_launched(arrays->exec, "a map's phases");
}

using length_rule = int64_t (*)(int64_t least);

/* Voxels of all columns from which on shorter lines are worth fewer threads, by an H200: 320 cells
 * for 512 take 1.4 times as long for 25600 of them, 0.88 times for eight times as many. */
enum { CELLS_OF_MANY = 1 << 17, TERMS_OF_A_FIELD = 8 };

bool are_few(const ndft_problem *p)
{
    const int64_t columns = p->coils * (p->dw ? TERMS_OF_A_FIELD : 1);
    return columns * p->n[0] * p->n[1] * p->n[2] < CELLS_OF_MANY;
}

/* NULL where lengths of lines do not serve, but cuFFT's. */
length_rule lines_for(const ndft_problem *p)
{
    const length_rule rule = are_few(p) ? ndft_line_length_power : ndft_line_length;
    double padding = 1;
    for (int d = 0; d < p->dim; d++) {
        const int64_t least = 2 * p->n[d] - 1, length = rule(least);
        if (!length) return nullptr;
        padding *= (double)length / (double)ndft_fft_size(least);
    }
    return padding <= most_padding ? rule : nullptr;
}

ndft_status place_grids(plan *plan, const ndft_problem *p, const ndft_psf *psf, size_t budget)
{
    const size_t complex_size = 2 * ndft_real_size(p->prec);
    size_t column = (size_t)psf->size;
    if (plan->in_lines) column = column / (size_t)psf->cells[p->dim - 1] * (size_t)p->n[p->dim - 1];
    divide(plan, column * complex_size, budget);
    const int terms = plan->terms_of_pass, coils = plan->coils_of_pass;
    if (!plan->in_lines)
        return ndft_grid_convolver_make(&plan->arrays, plan->prec, p->dim, p->n, psf->cells,
                                        terms * coils, &plan->grids);
    return plan->prec == NDFT_F32
               ? ndft_line_convolver_make<float>(&plan->arrays, p->dim, p->n, psf->cells, terms,
                                                 coils, are_few(p), &plan->lines)
               : ndft_line_convolver_make<double>(&plan->arrays, p->dim, p->n, psf->cells, terms,
                                                  coils, are_few(p), &plan->lines);
}

ndft_status plan::prepare(const ndft_problem *p, const int *knob, unsigned)
{
    ndft_toeplitz toeplitz;
    ndft_toeplitz_fit(p, &toeplitz);
    const length_rule lengths = lines_for(p);
    in_lines = lengths;
    const ndft_psf psf = ndft_psf_of(p, lengths ? lengths : ndft_fft_size);
    coils = p->coils;
    terms = toeplitz.terms;
    n0 = (int)p->n[0];
    voxels = p->n[0] * p->n[1] * p->n[2];
    cells = psf.size;
    strides = ndft_strides_of(p, p->n_voxels);
    char *memory = nullptr;
    NDFT_TRY(place_voxels(this, p));
    if (p->dw)
        NDFT_TRY(p->prec == NDFT_F32 ? place_phasors<float>(this, p, &toeplitz)
                                     : place_phasors<double>(this, p, &toeplitz));
    NDFT_TRY(ndft_reserve(&arrays, "spectra of the convolutions",
                          terms * cells * (int64_t)ndft_real_size(p->prec), &memory));
    spectra = memory;
    NDFT_TRY(ndft_psf_spectra_cufft(p, &psf, &toeplitz, arrays.exec, in_lines, spectra));
    const double most = memory_share * (double)arrays.exec->room_bytes;
    return place_grids(this, p, &psf, knob[GRIDS] ? (size_t)knob[GRIDS] << 20 : (size_t)most);
}

template <class R>
ndft_status run_pass(const plan *plan, int coil, int term, const void *in, void *out)
{
    const int coils =
        plan->coils - coil < plan->coils_of_pass ? plan->coils - coil : plan->coils_of_pass;
    const int terms =
        plan->terms - term < plan->terms_of_pass ? plan->terms - term : plan->terms_of_pass;
    const ndft_complex<R> *phasors = (const ndft_complex<R> *)plan->phasors;
    const hooks_of<R> hooks = {(const ndft_complex<R> *)in,
                               (ndft_complex<R> *)out,
                               plan->strides,
                               plan->n0,
                               term,
                               coil,
                               plan->inside,
                               phasors ? phasors + term * plan->voxels : nullptr,
                               plan->voxels};
    const R *spectra = (const R *)plan->spectra + term * plan->cells;
    return plan->in_lines ? ndft_convolve_lines(&plan->lines, terms, coils, spectra, hooks)
                          : ndft_convolve_grids(&plan->grids, terms, coils, spectra, hooks);
}

ndft_status plan::run(ndft_op, const void *in, void *out) const
{
    for (int term = 0; term < terms; term += terms_of_pass)
        for (int coil = 0; coil < coils; coil += coils_of_pass)
            NDFT_TRY(prec == NDFT_F32 ? run_pass<float>(this, coil, term, in, out)
                                      : run_pass<double>(this, coil, term, in, out));
    return NDFT_OK;
}

double truncation(const ndft_problem *p, const int *) { return ndft_toeplitz_truncation(p); }

ndft_cost cost(const ndft_problem *p, ndft_op, const int *)
{
    const double whole_grids = 10, lines = p->dim == 1 ? 0 : p->dim; /* half of a grid, or less */
    return lines_for(p) ? ndft_toeplitz_cost(p, lines, 2 * p->dim - 1)
                        : ndft_toeplitz_cost(p, whole_grids, 3 + 4 * p->dim);
}

} // namespace

extern "C" const ndft_variant ndft_nufft_toeplitz_cuda = {
    .name = "nufft_toeplitz",
    .backend = "cuda",
    .summary = "A^H A as convolutions on twice the grid, field map by terms in time",
    NDFT_KNOBS(knobs),
    .ops = NDFT_NORMAL,
    .claim = {.c = 4,
              .truncation = truncation,
              .any = {.c = 4, .chain = ndft_no_chain, .truncation = ndft_toeplitz_any},
              .deterministic = true},
    .unsupported = unsupported,
    NDFT_BASE_PLAN(plan),
    .cost = cost,
    .chosen = ndft_chosen_plan,
};
