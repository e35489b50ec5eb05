/* SPDX-License-Identifier: Apache-2.0 */
#include "convolve_cufft.cuh"
#include "psf_cufft.cuh"
#include "toeplitz_claim.h"

#include <ndft/variant.h>

/*
 * The normal operator alone, as nufft_toeplitz.cpu: per coil and term of the field map two
 * transforms of twice the grid per axis, a product between them. A thread has a cell, resp. a
 * voxel, of all columns in flight, so that a voxel's phasor is evaluated once for 8 coils; terms
 * are summed where voxels are read back. Passes of few columns keep their grids in the second-level
 * cache, whose throughput is then the ceiling.
 */

namespace
{

enum { GRIDS }; /* knobs, in order */

const ndft_knob knobs[] = {
    {"grids",
     "MiB",
     "grids in flight, at least one column's; 0 is what memory allows",
     nullptr,
     32,
     5,
     {0, 8, 16, 32, 64}},
};

const double memory_share = 0.3;
enum { COILS = 8 }; /* that share a phasor */

struct plan : ndft_base_plan {
    ndft_convolver convolver;
    ndft_strides strides;
    int n[3], cells[3];
    int coils, terms, coils_of_pass, terms_of_pass;
    int64_t n_voxels;
    const int32_t *voxel, *inside; /* NULL without a mask */
    const double *field, *tau;     /* dw/pi of a voxel, NULL without; time of a term */
    void *spectra;

    ndft_status prepare(const ndft_problem *, const int *knobs, unsigned ops);
};

/* What the hooks know: a pass has terms term.. and coils coil.. . */
template <class R> struct pass {
    int n[3], cells[3], coil, coils, term, terms;
    ndft_strides strides;
    const int32_t *voxel, *inside;
    const double *field, *tau;

    /* exp(i dw tau), whole turns taken off in double */
    __device__ ndft_complex<R> phasor(int64_t v, int l) const
    {
        if (!field) return {1, 0};
        const double half_turns = field[v] * tau[term + l];
        R s, c;
        if constexpr (sizeof(R) == sizeof(float))
            sincospif((R)(half_turns - 2 * rint(0.5 * half_turns)), &s, &c);
        else
            sincospi(half_turns, &s, &c);
        return {c, s};
    }
};

template <class R> struct load : pass<R> {
    const ndft_complex<R> *in;

    __device__ void operator()(int64_t cell, ndft_complex<R> *grid, int64_t column) const
    {
        const int x = (int)(cell % this->cells[0]),
                  y = (int)(cell / this->cells[0] % this->cells[1]);
        const int z = (int)(cell / this->cells[0] / this->cells[1]);
        int64_t v = -1;
        if (x < this->n[0] && y < this->n[1] && z < this->n[2]) {
            v = ((int64_t)z * this->n[1] + y) * this->n[0] + x;
            if (this->inside) v = this->inside[v];
        }
        const ndft_complex<R> *from =
            in + v * this->strides.element + this->coil * this->strides.coil;
        for (int l = 0; l < this->terms; l++) {
            ndft_complex<R> turn = {0, 0};
            if (v >= 0) turn = this->phasor(v, l);
            turn.im = -turn.im;
            for (int c = 0; c < this->coils; c++, grid += column) {
                ndft_complex<R> value = {0, 0};
                if (v >= 0) ndft_rotate(value, turn, from[c * this->strides.coil]);
                *grid = value;
            }
        }
    }
};

template <class R> struct store : pass<R> {
    ndft_complex<R> *out;

    __device__ void operator()(int64_t v, const ndft_complex<R> *grid, int64_t column) const
    {
        const int at = this->voxel ? this->voxel[v] : (int)v;
        const int x = at % this->n[0], y = at / this->n[0] % this->n[1];
        const int z = at / this->n[0] / this->n[1];
        grid += ((int64_t)z * this->cells[1] + y) * this->cells[0] + x;
        for (int first = 0; first < this->coils; first += COILS) {
            ndft_complex<R> sum[COILS] = {};
            for (int l = 0; l < this->terms; l++) {
                const ndft_complex<R> turn = this->phasor(v, l);
                const ndft_complex<R> *from = grid + (l * this->coils + first) * column;
                for (int c = 0; c < COILS; c++)
                    if (first + c < this->coils)
                        ndft_accumulate(sum[c], turn.re, turn.im, from[c * column]);
            }
            for (int c = 0; c < COILS; c++) {
                if (first + c >= this->coils) break;
                ndft_complex<R> &to =
                    out[v * this->strides.element + (this->coil + first + c) * this->strides.coil];
                if (this->term > 0) sum[c] = {sum[c].re + to.re, sum[c].im + to.im};
                to = sum[c];
            }
        }
    }
};

const char *unfit(const ndft_problem *p, const ndft_device *, const int *)
{
    return ndft_toeplitz_unfit(p);
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
    ndft_arrays *arrays = &plan->arrays;
    if (p->dw)
        NDFT_TRY(ndft_place(arrays, "field", p->n_voxels, &plan->field,
                            [&](int64_t v) { return ndft_real_at(p->dw, p->prec, v) / M_PI; }));
    if (!p->voxel) return NDFT_OK;
    int64_t next = 0;
    NDFT_TRY(ndft_place(arrays, "voxels in use", p->n_voxels, &plan->voxel,
                        [&](int64_t i) { return p->voxel[i]; }));
    return ndft_place(arrays, "voxels in use", p->n[0] * p->n[1] * p->n[2], &plan->inside,
                      [&](int64_t v) {
                          return next < p->n_voxels && p->voxel[next] == v ? (int32_t)next++ : -1;
                      });
}

ndft_status plan::prepare(const ndft_problem *p, const int *knob, unsigned)
{
    ndft_toeplitz toeplitz;
    ndft_toeplitz_fit(p, &toeplitz);
    const ndft_psf psf = ndft_psf_of(p);
    const size_t real = ndft_real_size(p->prec), column = (size_t)psf.size * 2 * real;
    const size_t most = (size_t)(memory_share * (double)arrays.exec->device.memory_bytes);
    coils = p->coils;
    terms = toeplitz.terms;
    n_voxels = p->n_voxels;
    strides = ndft_strides_of(p, p->n_voxels);
    for (int d = 0; d < 3; d++) {
        n[d] = (int)psf.n[d];
        cells[d] = (int)psf.cells[d];
    }
    divide(this, column, knob[GRIDS] ? (size_t)knob[GRIDS] << 20 : most);
    char *memory = nullptr;
    NDFT_TRY(place_voxels(this, p));
    NDFT_TRY(ndft_place(&arrays, "times", terms, &tau, [&](int64_t l) { return toeplitz.tau[l]; }));
    /* A last pass of fewer terms reads spectra beyond the last, for columns that nobody stores. */
    const int64_t held = (terms + terms_of_pass - 1) / terms_of_pass * terms_of_pass;
    NDFT_TRY(ndft_reserve(&arrays, "spectra of the convolutions", held * psf.size * (int64_t)real,
                          &memory));
    spectra = memory;
    NDFT_TRY(ndft_psf_spectra(p, &psf, &toeplitz, arrays.exec, spectra));
    return ndft_convolver_make(&arrays, prec, p->dim, psf.cells, terms_of_pass * coils_of_pass,
                               coils_of_pass, &convolver);
}

ndft_status make(const ndft_problem *p, const int *knob, unsigned ops, ndft_exec *exec, void **out)
{
    return ndft_make_plan<plan>(p, knob, ops, exec, out);
}

template <class R> ndft_status run(const plan *plan, int coil, int term, const void *in, void *out)
{
    const int coils = plan->coils - coil, terms = plan->terms - term;
    pass<R> all = {};
    for (int d = 0; d < 3; d++) {
        all.n[d] = plan->n[d];
        all.cells[d] = plan->cells[d];
    }
    all.coil = coil;
    all.coils = coils < plan->coils_of_pass ? coils : plan->coils_of_pass;
    all.term = term;
    all.terms = terms < plan->terms_of_pass ? terms : plan->terms_of_pass;
    all.strides = plan->strides;
    all.voxel = plan->voxel;
    all.inside = plan->inside;
    all.field = plan->field;
    all.tau = plan->tau;
    return ndft_convolve<R>(&plan->convolver,
                            (const R *)plan->spectra + term * plan->convolver.cells,
                            load<R>{all, (const ndft_complex<R> *)in}, plan->n_voxels,
                            store<R>{all, (ndft_complex<R> *)out});
}

ndft_status execute(void *state, ndft_op, const void *in, void *out)
{
    const plan *plan = (const struct plan *)state;
    for (int term = 0; term < plan->terms; term += plan->terms_of_pass)
        for (int coil = 0; coil < plan->coils; coil += plan->coils_of_pass)
            NDFT_TRY(plan->prec == NDFT_F32 ? run<float>(plan, coil, term, in, out)
                                            : run<double>(plan, coil, term, in, out));
    return NDFT_OK;
}

void destroy(void *state)
{
    plan *plan = (struct plan *)state;
    ndft_fft_destroy(plan->convolver.fft);
    ndft_destroy_plan(plan);
}

double truncation(const ndft_problem *p, const int *) { return ndft_toeplitz_truncation(p); }

ndft_cost cost(const ndft_problem *p, ndft_op, const int *) { return ndft_toeplitz_cost(p); }

} // namespace

extern "C" const ndft_variant ndft_nufft_toeplitz_cuda = {
    .name = "nufft_toeplitz",
    .backend = "cuda",
    .summary = "A^H A as convolutions on twice the grid, field map by terms in time",
    .knobs = knobs,
    .n_knobs = 1,
    .ops = NDFT_NORMAL,
    .claim = {.a = 0,
              .b = 0,
              .c = 4,
              .truncation = truncation,
              .deterministic = true,
              .preserves_input = true},
    .unfit = unfit,
    .plan = make,
    .execute = execute,
    .destroy = destroy,
    .cost = cost,
    .uncapturable = nullptr,
};
