/* SPDX-License-Identifier: Apache-2.0 */
#include "core/complex.cuh"
#include "fft/fft_cufft.cuh"
#include "nufft/spread/spread_hybrid.cuh"
#include "toeplitz.h"

#include <algorithm>

/*
 * The spectra of the convolutions on the device, terms two by two (toeplitz.h): weights of the
 * samples from their table, an adjoint by the nonuniform FFT with hybrid spreading, whose sums are
 * the same from run to run, lags onto the grid of the convolution, its transform, one spectrum from
 * each part. All of it in double.
 */

namespace
{

enum { THREADS = 256 };

/* The share of memory that a pass' arrays may take beside the nonuniform FFT's own. */
const double memory_share = 0.2;

/* b_l of a sample: by a table of functions of the time, or where that is NULL 1 at the time of the
 * term alone. */
struct weigher {
    const double *a, *tau;
    int intervals, degree, terms;
    double half, middle;
    const void *t; /* NULL: no time matters */
    bool f64;

    __device__ double time(int64_t j) const
    {
        if (!t) return middle;
        return f64 ? ((const double *)t)[j] : (double)((const float *)t)[j];
    }
    /* Times of terms ascend. */
    __device__ bool nearest(double at, int l) const
    {
        const double away = fabs(at - tau[l]);
        return !(l > 0 && fabs(at - tau[l - 1]) <= away) &&
               !(l + 1 < terms && fabs(at - tau[l + 1]) < away);
    }
    __device__ double weight(double at, int l) const
    {
        if (l >= terms) return 0;
        if (!a) return nearest(at, l);
        double position;
        const int interval = ndft_rank_interval(half, intervals, at - middle, &position);
        const double *power = a + (int64_t)interval * (degree + 1) * terms + l;
        double sum = power[0];
        for (int k = 1; k <= degree; k++) sum = sum * position + power[k * terms];
        return sum;
    }
};

/* Two terms of each sample; blockIdx.y: columns. */
__global__ void put_weights(weigher w, int term, int64_t samples, ndft_complex<double> *out)
{
    const int64_t j = blockIdx.x * (int64_t)THREADS + threadIdx.x;
    if (j >= samples) return;
    const double at = w.time(j);
    const int l = term + 2 * (int)blockIdx.y;
    out[blockIdx.y * samples + j] = {w.weight(at, l), w.weight(at, l + 1)};
}

/* Lags -N..N-1 along an axis, one beyond dim, and the cells where those are that matter. */
struct lags {
    int wide[3], cells[3];
    int64_t all, size;
};

/* The place of the lag of a cell, -1: it has none. */
__device__ int place_of(const lags &l, int d, int cell)
{
    const int n = l.cells[d], N = (l.wide[d] + 1) / 2, middle = l.wide[d] / 2;
    if (cell < N) return middle + cell;
    return n - cell < N ? middle + cell - n : -1;
}

/* blockIdx.y: columns */
__global__ void fold(lags l, const ndft_complex<double> *h, ndft_complex<double> *out)
{
    const int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x;
    if (i >= l.size) return;
    const int x = place_of(l, 0, (int)(i % l.cells[0]));
    const int y = place_of(l, 1, (int)(i / l.cells[0] % l.cells[1]));
    const int z = place_of(l, 2, (int)(i / l.cells[0] / l.cells[1]));
    ndft_complex<double> value = {0, 0};
    if (x >= 0 && y >= 0 && z >= 0)
        value = h[blockIdx.y * l.all + ((int64_t)z * l.wide[1] + y) * l.wide[0] + x];
    out[blockIdx.y * l.size + i] = value;
}

/* The frequency at a place along an axis: in halves even ones come before odd ones. */
__device__ int64_t frequency_at(int64_t place, int64_t cells, bool halves)
{
    if (!halves || cells == 1) return place;
    return place < cells / 2 ? 2 * place : 2 * place - cells + 1;
}

/* out: of the pass' first term, and so many behind it; blockIdx.y: columns. */
template <class R>
__global__ void put(lags g, bool halves, int terms, const ndft_complex<double> *from, R *out)
{
    const int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x, size = g.size;
    if (i >= size) return;
    const int l = 2 * (int)blockIdx.y;
    const int64_t x = frequency_at(i % g.cells[0], g.cells[0], halves);
    const int64_t y = frequency_at(i / g.cells[0] % g.cells[1], g.cells[1], halves);
    const int64_t z = frequency_at(i / g.cells[0] / g.cells[1], g.cells[2], halves);
    const ndft_complex<double> value =
        from[blockIdx.y * size + (z * g.cells[1] + y) * g.cells[0] + x];
    out[l * size + i] = (R)(value.re / (double)size);
    if (l + 1 < terms) out[(l + 1) * size + i] = (R)(value.im / (double)size);
}

struct work {
    ndft_arrays arrays;
    ndft_problem adjoint;
    void *nufft;
    int columns; /* of a pass */
    weigher weights;
    lags geometry;
    ndft_complex<double> *data, *h, *cells; /* [columns] of samples, lags, cells */
    ndft_cufft *fft;
};

/* All terms, or as many as memory allows. */
int columns_of(const ndft_exec *exec, const ndft_problem *p, const ndft_psf *psf, int terms)
{
    double elements = (double)psf->size + (double)p->n_samples, lags = 1;
    for (int d = 0; d < p->dim; d++) lags *= 2 * (double)p->n[d];
    elements += lags;
    const double room = memory_share * (double)exec->room_bytes;
    const double fit = room / (elements * (double)sizeof(ndft_complex<double>));
    return (int)std::max(1.0, std::min(fit, (terms + 1) / 2.0));
}

ndft_status place_table(work *w, const ndft_toeplitz *toeplitz)
{
    ndft_arrays *arrays = &w->arrays;
    ndft_rank_table table;
    if (!ndft_toeplitz_tabulate(toeplitz, &table)) {
        free(table.a);
        return ndft_fail(arrays->exec->error, NDFT_ENOMEM, "no memory for the weights of %d terms",
                         toeplitz->terms);
    }
    w->weights.intervals = table.intervals;
    w->weights.degree = table.degree;
    w->weights.half = table.half;
    const ndft_status status = ndft_place(
        arrays, "weights of terms", (int64_t)table.intervals * (table.degree + 1) * table.width,
        &w->weights.a, [&](int64_t i) { return table.a[i]; });
    free(table.a);
    return status;
}

ndft_status place_weights(work *w, const ndft_problem *p, const ndft_toeplitz *toeplitz)
{
    ndft_arrays *arrays = &w->arrays;
    w->weights.terms = toeplitz->terms;
    w->weights.middle = toeplitz->middle;
    w->weights.f64 = p->prec == NDFT_F64;
    if (toeplitz->each)
        NDFT_TRY(ndft_place(arrays, "times", toeplitz->terms, &w->weights.tau,
                            [&](int64_t l) { return toeplitz->tau[l]; }));
    else
        NDFT_TRY(place_table(w, toeplitz));
    if (!p->dw) return NDFT_OK;
    const size_t bytes = (size_t)p->n_samples * ndft_real_size(p->prec);
    char *t = nullptr;
    NDFT_TRY(ndft_reserve(arrays, "readout times", (int64_t)bytes, &t));
    w->weights.t = t;
    return ndft_queue_upload(arrays->exec, t, p->t, bytes);
}

ndft_status plan_nufft(work *w, const ndft_problem *p, const ndft_psf *psf)
{
    int knobs[NDFT_CUDA_KNOBS];
    ndft_psf_adjoint_knobs(p, psf, knobs);
    return ndft_nufft_plan_cuda(&ndft_spread_hybrid, &ndft_spread_hybrid, &w->adjoint, knobs,
                                NDFT_ADJOINT, w->arrays.exec, &w->nufft);
}

ndft_status prepare(work *w, const ndft_problem *p, const ndft_psf *psf,
                    const ndft_toeplitz *toeplitz)
{
    ndft_arrays *arrays = &w->arrays;
    ndft_exec *exec = arrays->exec;
    w->columns = columns_of(exec, p, psf, toeplitz->terms);
    NDFT_TRY(ndft_psf_adjoint_make(p, w->columns, exec->threads, exec->error, &w->adjoint));
    for (int d = 0; d < 3; d++) {
        w->geometry.wide[d] = (int)w->adjoint.n[d];
        w->geometry.cells[d] = (int)psf->cells[d];
    }
    w->geometry.all = w->adjoint.n_voxels;
    w->geometry.size = psf->size;
    NDFT_TRY(place_weights(w, p, toeplitz));
    NDFT_TRY(plan_nufft(w, p, psf));
    NDFT_TRY(ndft_reserve(arrays, "weights of samples", w->columns * p->n_samples, &w->data));
    NDFT_TRY(ndft_reserve(arrays, "lags", w->columns * w->geometry.all, &w->h));
    NDFT_TRY(ndft_reserve(arrays, "spectra", w->columns * psf->size, &w->cells));
    return ndft_cufft_make_grids(arrays, NDFT_F64, psf->dim, psf->cells, w->columns, &w->fft);
}

/* From term on, as many as a pass has. */
ndft_status make_terms(work *w, const ndft_problem *p, int term, bool halves, void *out)
{
    ndft_exec *exec = w->arrays.exec;
    const cudaStream_t stream = ndft_stream(exec);
    const int64_t size = w->geometry.size;
    const int left = std::min(w->weights.terms - term, 2 * w->columns);
    const dim3 samples(ndft_blocks(p->n_samples, THREADS), w->columns);
    put_weights<<<samples, THREADS, 0, stream>>>(w->weights, term, p->n_samples, w->data);
    NDFT_TRY(ndft_nufft_execute_cuda(w->nufft, NDFT_ADJOINT, w->data, w->h));
    const unsigned blocks = ndft_blocks(size, THREADS);
    fold<<<dim3(blocks, w->columns), THREADS, 0, stream>>>(w->geometry, w->h, w->cells);
    NDFT_TRY(ndft_cufft_run(w->fft, -1, w->cells, w->cells));
    const dim3 pairs(blocks, (left + 1) / 2);
    if (p->prec == NDFT_F32)
        put<<<pairs, THREADS, 0, stream>>>(w->geometry, halves, left, w->cells,
                                           (float *)out + term * size);
    else
        put<<<pairs, THREADS, 0, stream>>>(w->geometry, halves, left, w->cells,
                                           (double *)out + term * size);
    return ndft_launched(exec, "the convolution's spectrum");
}

/* What serves a plan's making alone is no workspace, which would be the caller's, whatever its name
 * in an execution: it has another here. */
thread_local ndft_status (*alloc_named)(ndft_exec *, const char *, size_t, void **);

ndft_status alloc(ndft_exec *exec, const char *, size_t bytes, void **memory)
{
    return alloc_named(exec, "point-spread functions in the making", bytes, memory);
}

/* What is queued reads arrays of the host's and of the plan's. */
ndft_status release(work *w, ndft_status status)
{
    ndft_exec *exec = w->arrays.exec;
    const cudaError_t done = cudaStreamSynchronize(ndft_stream(exec));
    if (status == NDFT_OK) status = ndft_checked(exec, done, "the convolution's spectrum");
    if (w->nufft) ndft_nufft_destroy_cuda(w->nufft);
    ndft_cufft_destroy(w->fft);
    ndft_psf_adjoint_release(&w->adjoint);
    ndft_arrays_release(&w->arrays);
    return status;
}

} // namespace

ndft_status ndft_psf_spectra_cufft(const ndft_problem *p, const ndft_psf *psf,
                                   const ndft_toeplitz *toeplitz, ndft_exec *exec, bool halves,
                                   void *out)
{
    work w = {};
    w.arrays.exec = exec;
    alloc_named = exec->alloc;
    exec->alloc = alloc;
    ndft_status status = prepare(&w, p, psf, toeplitz);
    for (int term = 0; status == NDFT_OK && term < toeplitz->terms; term += 2 * w.columns)
        status = make_terms(&w, p, term, halves, out);
    exec->alloc = alloc_named;
    return release(&w, status);
}
