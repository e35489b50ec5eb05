/* SPDX-License-Identifier: Apache-2.0 */
#include "rank.cuh"

#include "nufft/shape.h"
#include "rank_basis.h"

#include <cstring>

/*
 * The arrays of rank.h on the device. What has an element for each voxel or sample is made there of
 * the field map and the clock, in double as on the host: that takes microseconds, where a core
 * takes milliseconds.
 */

namespace
{

/* One node's places. */
template <class R> struct places {
    const R *dw, *g[3]; /* NULL: absent */
    int64_t n_voxels;
    double u[3], w_mid, half_turns; /* half turns of the phase per rad/s */
    double half;                    /* of c's table */
    int intervals;
};

template <class R> __global__ void put_places(places<R> a, ndft_rank_place<R> *place)
{
    const int64_t v = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (v >= a.n_voxels) return;
    double w = a.dw ? (double)a.dw[v] : 0, sine, cosine, position;
    for (int d = 0; d < 3 && a.g[d]; d++) w += 2 * M_PI * a.u[d] * (double)a.g[d][v];
    w -= a.w_mid;
    sincospi(w * a.half_turns, &sine, &cosine);
    const int interval = ndft_rank_interval(a.half, a.intervals, w, &position);
    place[v] = {(R)interval, (R)position, {(R)cosine, (R)-sine}};
}

/* The number of each sample's time, which is among them. */
template <class R>
__global__ void put_rows(const R *t, int64_t count, const double *time, int64_t rows, int32_t *row)
{
    const int64_t j = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (j >= count) return;
    int64_t low = 0, high = rows - 1;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (time[middle] < (double)t[j])
            low = middle + 1;
        else
            high = middle;
    }
    row[j] = (int32_t)low;
}

/* b's table, and the middles of the ranges. */
struct basis {
    const double *a;
    int intervals, degree, terms;
    double half, t_mid, w_mid;
};

template <class R>
__global__ void put_b(basis f, const double *time, int64_t rows, ndft_complex<R> *b)
{
    const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= rows * f.terms) return;
    const double t = time[i / f.terms];
    const int l = (int)(i % f.terms), width = 2 * f.terms;
    double position, sine, cosine;
    const int interval = ndft_rank_interval(f.half, f.intervals, t - f.t_mid, &position);
    const double *a = f.a + (int64_t)interval * (f.degree + 1) * width + 2 * l;
    double re = a[0], im = a[1];
    for (int k = 1; k <= f.degree; k++) {
        re = re * position + a[k * width];
        im = im * position + a[k * width + 1];
    }
    sincos(f.w_mid * t, &sine, &cosine);
    b[i] = {(R)(re * cosine + im * sine), (R)(im * cosine - re * sine)};
}

/* Of an array of the host's, which stays until the stream was waited for. */
template <class T>
ndft_status upload(ndft_arrays *arrays, const char *what, const void *host, size_t bytes,
                   const T **device)
{
    char *memory = nullptr;
    if (!host || bytes == 0) return NDFT_OK;
    NDFT_TRY(ndft_reserve(arrays, what, (int64_t)bytes, &memory));
    *device = (const T *)memory;
    return ndft_queue_upload(arrays->exec, memory, host, bytes);
}

const char *const of_the_map = "tables of the field map";

template <class R>
ndft_status make_places(ndft_arrays *arrays, ndft_arrays *meanwhile, const ndft_problem *p,
                        const ndft_rank_tables *t, ndft_nufft_rank *rank)
{
    const ndft_rank_range *range = &t->parts->range;
    places<R> a = {};
    ndft_rank_place<R> *place = nullptr;
    NDFT_TRY(upload(meanwhile, of_the_map, p->dw, (size_t)p->n_voxels * sizeof(R), &a.dw));
    for (int d = 0; d < p->dim; d++)
        NDFT_TRY(upload(meanwhile, of_the_map, p->g[d], (size_t)p->n_voxels * sizeof(R), &a.g[d]));
    a.n_voxels = p->n_voxels;
    a.w_mid = range->w_mid;
    a.half_turns = range->t_mid / M_PI;
    a.half = t->c.half;
    a.intervals = t->c.intervals;
    NDFT_TRY(ndft_reserve(arrays, "places in the field map", rank->nodes * p->n_voxels, &place));
    for (int q = 0; q < rank->nodes; q++) {
        ndft_quadrature_node(&t->parts->quadrature, q, a.u);
        put_places<<<ndft_blocks(p->n_voxels, 256), 256, 0, ndft_stream(arrays->exec)>>>(
            a, place + q * p->n_voxels);
    }
    rank->place = place;
    return ndft_launched(arrays->exec, "places in the field map");
}

template <class R>
ndft_status make_rows(ndft_arrays *arrays, ndft_arrays *meanwhile, const ndft_problem *p,
                      const ndft_rank_tables *t, ndft_nufft_rank *rank)
{
    const cudaStream_t stream = ndft_stream(arrays->exec);
    const int64_t m = p->n_samples, rows = t->rows;
    const R *clock = nullptr;
    const double *time = nullptr;
    int32_t *row = nullptr;
    NDFT_TRY(upload(meanwhile, of_the_map, p->t, (size_t)m * sizeof(R), &clock));
    NDFT_TRY(upload(meanwhile, of_the_map, t->time, (size_t)rows * sizeof *time, &time));
    NDFT_TRY(ndft_reserve(arrays, "times of samples", m, &row));
    put_rows<<<ndft_blocks(m, 256), 256, 0, stream>>>(clock, m, time, rows, row);
    rank->row = row;
    if (t->b.a) {
        const int64_t all = rows * rank->terms;
        const size_t values = (size_t)t->b.intervals * (size_t)(t->b.degree + 1);
        basis f = {nullptr,   t->b.intervals,        t->b.degree,          rank->terms,
                   t->b.half, t->parts->range.t_mid, t->parts->range.w_mid};
        ndft_complex<R> *b = nullptr;
        NDFT_TRY(upload(meanwhile, of_the_map, t->b.a, values * (size_t)t->b.width * sizeof(double),
                        &f.a));
        NDFT_TRY(ndft_reserve(arrays, "terms at each time", all, &b));
        put_b<<<ndft_blocks(all, 256), 256, 0, stream>>>(f, time, rows, b);
        rank->b = b;
    }
    return ndft_launched(arrays->exec, "times of samples");
}

template <class R>
ndft_status fill(ndft_arrays *arrays, const ndft_problem *p, const ndft_rank_tables *t,
                 ndft_nufft_rank *rank)
{
    ndft_arrays meanwhile = {arrays->exec};
    ndft_status status = make_places<R>(arrays, &meanwhile, p, t, rank);
    if (status == NDFT_OK) status = make_rows<R>(arrays, &meanwhile, p, t, rank);
    return ndft_release_meanwhile(&meanwhile, status);
}

/* With decay, or a phase of higher order, all of them are the host's. */
ndft_status upload_tabled(ndft_arrays *arrays, const ndft_rank *host, const ndft_rank_bytes *bytes,
                          ndft_nufft_rank *rank)
{
    NDFT_TRY(upload(arrays, "times of samples", host->row, bytes->row, &rank->row));
    return upload(arrays, "places in the field map", host->place, bytes->place, &rank->place);
}

ndft_status make_tables(ndft_arrays *arrays, const ndft_problem *p, const ndft_rank *host,
                        const ndft_rank_tables *tables, ndft_nufft_rank *rank)
{
    const ndft_rank_bytes bytes = ndft_rank_sizes(host, p);
    rank->terms = host->terms;
    rank->nodes = host->nodes;
    rank->degree = host->degree;
    rank->n_voxels = p->n_voxels;
    NDFT_TRY(upload(arrays, of_the_map, host->b, bytes.b, &rank->b));
    NDFT_TRY(upload(arrays, of_the_map, host->c, bytes.c, &rank->c));
    if (ndft_rank_is_tabled(p)) return upload_tabled(arrays, host, &bytes, rank);
    return p->prec == NDFT_F32 ? fill<float>(arrays, p, tables, rank)
                               : fill<double>(arrays, p, tables, rank);
}

/* They stay while engines are prepared anew: other samples of one clock have the same ones. By
 * engines whose knobs are not the same none are shared, though their tables could be by chance: how
 * much memory they take must not depend on values. */
struct shared_tables {
    ndft_retained retained; /* first */
    uint64_t number;        /* of what they were filled from */
    int knobs[NDFT_NUFFT_KNOBS];
    ndft_arrays arrays;
    ndft_nufft_rank rank; /* without turn */
};

ndft_status make(ndft_arrays *arrays, const ndft_problem *p, const int *knobs,
                 const ndft_rank *host, const ndft_rank_tables *from, ndft_nufft_rank *rank)
{
    ndft_exec *exec = arrays->exec;
    rank->terms = host->terms;
    rank->nodes = host->nodes;
    if (host->plain) return NDFT_OK;
    shared_tables *tables = nullptr;
    bool found = true;
    ndft_status status = ndft_take_retained<shared_tables>(
        exec, &tables,
        [&](const shared_tables &t) {
            return t.number == from->number && !memcmp(t.knobs, knobs, sizeof t.knobs);
        },
        [&](shared_tables *t) {
            found = false;
            t->number = from->number;
            memcpy(t->knobs, knobs, sizeof t->knobs);
            return make_tables(&t->arrays, p, host, from, &t->rank);
        });
    if (status == NDFT_OK) status = ndft_hold(arrays, &tables->retained);
    if (status == NDFT_OK) {
        *rank = tables->rank;
        status = upload(arrays, "weights of nodes", host->turn, ndft_rank_sizes(host, p).turn,
                        &rank->turn);
    }
    if (found && !host->turn) return status;
    const cudaError_t waited = cudaStreamSynchronize(ndft_stream(exec));
    return status == NDFT_OK ? ndft_checked(exec, waited, of_the_map) : status;
}

} // namespace

ndft_status ndft_nufft_rank_make(ndft_arrays *arrays, const ndft_problem *p, const int *knobs,
                                 ndft_nufft_rank *rank)
{
    ndft_rank host = {};
    const ndft_rank_tables *tables = nullptr;
    NDFT_TRY(ndft_nufft_field_make_rest(p, knobs, arrays->exec->error, &host, &tables));
    const ndft_status status = make(arrays, p, knobs, &host, tables, rank);
    ndft_rank_release(&host);
    ndft_rank_tables_release(tables);
    return status;
}
