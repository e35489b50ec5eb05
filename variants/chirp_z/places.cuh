/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHIRP_Z_PLACES_CUH
#define NDFT_CHIRP_Z_PLACES_CUH

#include "core/complex.cuh"
#include "core/device.cuh"
#include "places.h"

/* The points of places.h on the device, and what moves them. */

/* points: in a list, with the strides of the caller's vectors. */
struct ndft_device_places : ndft_places {
    ndft_strides strides;
};

namespace
{

enum { PLACES_THREADS = 256 };

/* A thread has a point; blockIdx.y: coils. */
template <class R>
__global__ void fetch_points(ndft_device_places p, const ndft_complex<R> *cells,
                             ndft_complex<R> *points)
{
    const int64_t i = (int64_t)blockIdx.x * PLACES_THREADS + threadIdx.x;
    if (i >= p.points) return;
    points[blockIdx.y * p.strides.coil + i * p.strides.element] =
        cells[blockIdx.y * p.cells + p.cell[i]];
}

/* A thread has a cell, and sums its points in their order. */
template <class R>
__global__ void sum_points(ndft_device_places p, const ndft_complex<R> *points,
                           ndft_complex<R> *cells)
{
    const int64_t cell = (int64_t)blockIdx.x * PLACES_THREADS + threadIdx.x;
    if (cell >= p.cells) return;
    ndft_complex<R> sum = {0, 0};
    points += blockIdx.y * p.strides.coil;
    for (int i = p.first[cell]; i < p.first[cell + 1]; i++) {
        const ndft_complex<R> point = points[p.order[i] * p.strides.element];
        sum = {sum.re + point.re, sum.im + point.im};
    }
    cells[blockIdx.y * p.cells + cell] = sum;
}

/* cell(i): where point i is. */
template <class Cell>
ndft_status make_places(ndft_arrays *arrays, int64_t points, int64_t cells, ndft_strides strides,
                        Cell cell, ndft_device_places *places)
{
    int *sorted = (int *)malloc((size_t)(cells + 2 + 2 * points) * sizeof(int));
    if (!sorted) return ndft_fail(arrays->exec->error, NDFT_ENOMEM, "no memory to sort points");
    int *first = sorted, *of = sorted + cells + 2, *order = of + points;
    for (int64_t i = 0; i < points; i++) of[i] = cell(i);
    ndft_places_sort(of, points, cells, first, order);
    *places = {{points, cells, nullptr, nullptr, nullptr}, strides};
    const auto upload = [&](const char *what, int64_t count, const int *from, const int **to) {
        return ndft_place(arrays, what, count, to, [from](int64_t i) { return from[i]; });
    };
    ndft_status status = upload("places of points", points, of, &places->cell);
    if (status == NDFT_OK) status = upload("points of places", cells + 1, first, &places->first);
    if (status == NDFT_OK) status = upload("points of places", points, order, &places->order);
    free(sorted);
    return status;
}

} // namespace

#endif
