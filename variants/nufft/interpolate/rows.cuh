/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_ROWS_CUH
#define NDFT_NUFFT_ROWS_CUH

#include "nufft/pipeline_cufft.cuh"

#include <climits>
#include <cuda_pipeline.h>

/*
 * Sorensen's forward convolution (samples.cuh): for each processor, here a warp, the rows of grid
 * cells that its samples read are encoded in the plan, each its first cell and how many. A warp has
 * a batch of successive samples, one a lane. It brings each row once into shared memory; a lane
 * goes through the rows and adds up those that its window crosses, which come in the order of its
 * window. Nothing is added to by two lanes, and sums are the same from run to run.
 */

/* The longest row: all windows of a batch in a line, from an even cell to an even one. */
enum { NDFT_ROWS_BATCH = 32, NDFT_ROWS_ROOM = NDFT_ROWS_BATCH * (NDFT_MAX_WIDTH + 2) };

/* Cells one after the other along x, from an even one on where two are 16 bytes. Rows may go on
 * beyond the grid, where it wraps around. */
struct alignas(16) ndft_nufft_row {
    int32_t x, y, z;
    int16_t cells, place; /* where a warp keeps it; 0: those before it are done with */
};

struct ndft_nufft_rows {
    const ndft_nufft_row *row; /* batch after batch, in the order of z, y, x */
    const int64_t *start;      /* [batches + 1] each batch's first row */
};

inline __host__ __device__ int64_t ndft_nufft_batches(const ndft_nufft_samples &samples)
{
    return (samples.count + NDFT_ROWS_BATCH - 1) / NDFT_ROWS_BATCH;
}

/* A lane's way through its window's rows, along y, then z; z is INT_MAX behind the last. */
struct ndft_nufft_walk {
    int x, y, z;
    int from, end, last; /* from, end: along y */

    __device__ ndft_nufft_walk(const ndft_nufft_samples &samples, int dim, int width, int64_t i)
        : x(0), y(0), z(INT_MAX), from(0), end(1), last(0)
    {
        if (i >= samples.count) return;
        x = samples.first[0][i];
        if (dim > 1) y = samples.first[1][i];
        z = dim > 2 ? samples.first[2][i] : 0;
        from = y;
        end = y + (dim > 1 ? width : 1);
        last = z + (dim > 2 ? width : 1) - 1;
    }
    __device__ __forceinline__ void next()
    {
        if (++y < end) return;
        y = from;
        z = z == last ? INT_MAX : z + 1;
    }
    /* Whether the next is in a row, which has all cells of it or none. */
    __device__ __forceinline__ bool in(const ndft_nufft_row &row) const
    {
        return row.y == y && row.z == z && (unsigned)(x - row.x) < (unsigned)row.cells;
    }
};

/* f(row) for all rows that the lanes of a warp read, in the order of z, y, x. Those that meet or
 * overlap are one. */
template <int PAIR, class F>
__device__ void ndft_nufft_each_row(ndft_nufft_walk mine, int width, F f)
{
    const int begin = mine.x / PAIR * PAIR, end = (mine.x + width + PAIR - 1) / PAIR * PAIR;
    int place = 0;
    for (;;) {
        const int z = __reduce_min_sync(~0u, mine.z);
        if (z == INT_MAX) return;
        const int y = __reduce_min_sync(~0u, mine.z == z ? mine.y : INT_MAX);
        bool left = mine.z == z && mine.y == y;
        while (__any_sync(~0u, left)) {
            const int x = __reduce_min_sync(~0u, left ? begin : INT_MAX);
            int reached = x;
            for (int before = -1; before != reached;) {
                before = reached;
                reached = __reduce_max_sync(~0u, left && begin <= before ? end : before);
            }
            const int cells = reached - x;
            if (place + cells > NDFT_ROWS_ROOM) place = 0;
            f(ndft_nufft_row{x, y, z, (int16_t)cells, (int16_t)place});
            place += cells;
            if (left && begin <= reached) {
                left = false;
                mine.next();
            }
        }
    }
}

/* What a warp has in shared memory. */
template <class R, int DIM, int W> struct ndft_nufft_held {
    alignas(16) ndft_complex<R> cell[NDFT_ROWS_ROOM];
    ndft_nufft_row row[32];
    R y[DIM > 1 ? W : 1][32], z[DIM > 2 ? W : 1][32]; /* weights of each lane */
    /* Where 16 bytes each of the cells are in a column, in units of as many. */
    unsigned from[DIM > 2 ? 1 : sizeof cell / 16];
};

/*
 * A lane's sample, and the rows of its batch. Where they are for several columns and there is room
 * for all at once, as in one or two dimensions, the way through them is gone once: the warp keeps
 * what it copies, a lane where its window's rows then are.
 */
template <class R, int DIM, int W> struct ndft_nufft_reader {
    static constexpr int PAIR = 16 / sizeof(ndft_complex<R>);
    static constexpr int PLACES = DIM == 2 ? W : 1;

    ndft_nufft_held<R, DIM, W> *held;
    const ndft_nufft_row *rows;
    int count, first, size; /* rows; those that are held: the first of them, and how many */
    int width, lane;
    ndft_nufft_walk walk;
    R x[W];
    bool settled;
    int copies; /* of 16 bytes */
    unsigned place[PLACES];

    __device__ ndft_nufft_reader(const ndft_nufft_view<R, W> &view, const ndft_nufft_rows &of,
                                 ndft_nufft_held<R, DIM, W> *held, int64_t batch, int columns)
        : held(held), rows(of.row + of.start[batch]),
          count((int)(of.start[batch + 1] - of.start[batch])), first(-1), size(0),
          width(W == NDFT_MAX_WIDTH ? view.weights.width : W), lane(threadIdx.x % 32),
          walk(view.samples, DIM, width, batch * NDFT_ROWS_BATCH + lane), settled(false), copies(0)
    {
        const int64_t i = min(batch * NDFT_ROWS_BATCH + lane, view.samples.count - 1);
        if constexpr (DIM > 1) put(view, 1, i, held->y);
        if constexpr (DIM > 2) put(view, 2, i, held->z);
        ndft_weigh(view.weights, ((const R *)view.samples.s[0])[i], x);
        if (DIM > 2 || columns == 1) return;
        look(0);
        if (size == count && view.grid.n[1] * view.grid.row / PAIR <= UINT_MAX) settle(view.grid);
    }
    __device__ __forceinline__ void put(const ndft_nufft_view<R, W> &view, int d, int64_t i,
                                        R (*to)[32])
    {
        ndft_weigh(view.weights, ((const R *)view.samples.s[d])[i], x);
#pragma unroll ndft_unroll < W>
        for (int w = 0; w < W; w++)
            if (w < width) to[w][lane] = x[w];
    }

    /* The rows from r on, as many as there is room for. */
    __device__ __forceinline__ void look(int r)
    {
        if (r == first) return;
        ndft_nufft_row row = {0, 0, 0, 0, 0};
        if (r + lane < count) row = rows[r + lane];
        const unsigned behind = __ballot_sync(~0u, lane > 0 && row.place == 0);
        first = r;
        size = behind ? __ffs(behind) - 1 : 32;
        held->row[lane] = row;
        __syncwarp();
    }
    /* f(cell that is held, from where in a column) for a lane's share of them, by 16 bytes. */
    template <class F> __device__ __forceinline__ void each(const ndft_nufft_grid &grid, F f) const
    {
        enum { TEAM = 8 }; /* lanes that share a row */
        for (int k = lane / TEAM; k < size; k += 32 / TEAM) {
            const ndft_nufft_row row = held->row[k];
            const int64_t line = ndft_wrapped(row.y, grid.n[1]) * grid.row +
                                 ndft_wrapped(row.z, grid.n[2]) * grid.plane;
            for (int a = lane % TEAM * PAIR; a < row.cells; a += TEAM * PAIR)
                f(row.place + a, line + ndft_wrapped(row.x + a, grid.n[0]));
        }
    }
    __device__ __forceinline__ void settle(const ndft_nufft_grid &grid)
    {
        each(grid, [&](int to, int64_t at) { held->from[to / PAIR] = (unsigned)(at / PAIR); });
        settled = true;
        copies = (held->row[size - 1].place + held->row[size - 1].cells) / PAIR;
        ndft_nufft_walk to = walk;
        int k = 0;
#pragma unroll ndft_unroll < PLACES>
        for (int b = 0; b < PLACES; b++) place[b] = find(to, k) ? (unsigned)at(to, k++) : 0;
    }

    /* To the next row that has the lane's next, and behind that; false: none that is held. */
    __device__ __forceinline__ bool find(const ndft_nufft_walk &to, int &k) const
    {
        while (k < size && !to.in(held->row[k])) k++;
        return k < size;
    }
    /* Where the lane's next begins, in row k; to the one after it. */
    __device__ __forceinline__ int at(ndft_nufft_walk &to, int k) const
    {
        const int place = held->row[k].place + to.x - held->row[k].x;
        to.next();
        return place;
    }
    __device__ __forceinline__ void add(int place, R weight, ndft_complex<R> &sum) const
    {
        const ndft_complex<R> *cell = held->cell + place;
        ndft_complex<R> part = {0, 0};
#pragma unroll ndft_unroll < W>
        for (int a = 0; a < W; a++) {
            if (W == NDFT_MAX_WIDTH && a >= width) break;
            part.re = fma(x[a], cell[a].re, part.re);
            part.im = fma(x[a], cell[a].im, part.im);
        }
        sum.re = fma(weight, part.re, sum.re);
        sum.im = fma(weight, part.im, sum.im);
    }
    /* Waits for what all lanes copy. */
    __device__ __forceinline__ void wait() const
    {
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncwarp();
    }

    __device__ __forceinline__ ndft_complex<R> gather_settled(const ndft_complex<R> *column) const
    {
        ndft_complex<R> sum = {0, 0};
        __syncwarp();
#pragma unroll 4
        for (int to = lane; to < copies; to += 32)
            __pipeline_memcpy_async(held->cell + to * PAIR, column + (int64_t)held->from[to] * PAIR,
                                    16);
        wait();
#pragma unroll ndft_unroll < PLACES>
        for (int b = 0; b < PLACES; b++) {
            if (DIM > 1 && W == NDFT_MAX_WIDTH && b >= width) break;
            add((int)place[b], DIM > 1 ? held->y[b][lane] : 1, sum);
        }
        return sum;
    }

    /* The sum of weight times cell over a column; all lanes of a warp ask for it. */
    __device__ __forceinline__ ndft_complex<R> gather(const ndft_nufft_grid &grid,
                                                      const ndft_complex<R> *column)
    {
        if (settled) return gather_settled(column);
        ndft_complex<R> sum = {0, 0};
        ndft_nufft_walk to = walk;
        for (int r = 0; r < count; r += size) {
            __syncwarp(); /* all lanes are done with those before */
            look(r);
            each(grid, [&](int cell, int64_t at) {
                __pipeline_memcpy_async(held->cell + cell, column + at, 16);
            });
            wait();
            for (int k = 0; find(to, k); k++) {
                R weight = DIM > 1 ? held->y[to.y - to.from][lane] : 1;
                if (DIM > 2) weight = held->z[to.z - to.last + width - 1][lane] * weight;
                add(at(to, k), weight, sum);
            }
        }
        return sum;
    }
};

#endif
