/* SPDX-License-Identifier: Apache-2.0 */
#include "host_nufft.h"

#include <stdlib.h>
#include <string.h>

/* A window's row of cells, before those of a batch are joined. */
static ndft_cell_row row_of(const int32_t *const first[3], int dim, int width, int64_t j, int row)
{
    return (ndft_cell_row){.x = first[0][j],
                           .y = dim > 1 ? first[1][j] + row % width : 0,
                           .z = dim > 2 ? first[2][j] + row / width : 0,
                           .cells = width};
}

static int by_place(const void *a, const void *b)
{
    const ndft_cell_row *p = a, *q = b;
    if (p->z != q->z) return p->z < q->z ? -1 : 1;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    return (p->x > q->x) - (p->x < q->x);
}

/* Joins rows that meet or overlap, in their order; the number of what is left. At least one. */
static int64_t join(ndft_cell_row *row, int64_t count)
{
    int64_t last = 0;
    for (int64_t i = 1; i < count; i++) {
        ndft_cell_row *to = &row[last];
        const ndft_cell_row *next = &row[i];
        if (next->z != to->z || next->y != to->y || next->x > to->x + to->cells) {
            row[++last] = *next;
            continue;
        }
        to->cells = next->x + next->cells - to->x; /* all are of one width */
        if (next->begin < to->begin) to->begin = next->begin;
        if (next->end > to->end) to->end = next->end;
    }
    return last + 1;
}

/* What is being made: rows are first counted, then written. */
typedef struct maker {
    int dim, width, of_window; /* its rows */
    int batch;
    int64_t samples, batches;
    const int32_t *const *first;
    ndft_cell_rows *rows;
} maker;

/* What batch i reads, its rows joined; their number. to has room for all rows of its windows. */
static int64_t read_of(const maker *m, int64_t i, ndft_cell_row *to)
{
    const int64_t begin = i * m->batch, left = m->samples - begin;
    const int32_t samples = (int32_t)(left < m->batch ? left : m->batch);
    int64_t count = 0;
    for (int32_t j = 0; j < samples; j++)
        for (int row = 0; row < m->of_window; row++) {
            to[count] = row_of(m->first, m->dim, m->width, begin + j, row);
            to[count].begin = j;
            to[count++].end = j + 1;
        }
    qsort(to, (size_t)count, sizeof *to, by_place);
    return join(to, count);
}

/* A thread's share of the batches, in room of its own. */
static void go_over(const maker *m, int thread, int threads, ndft_cell_row *room)
{
    const ndft_cell_rows *rows = m->rows;
    for (int64_t i = thread * m->batches / threads; i < (thread + 1) * m->batches / threads; i++) {
        const int64_t count = read_of(m, i, room);
        if (rows->row)
            memcpy(rows->row + rows->start[i], room, (size_t)count * sizeof *room);
        else
            rows->start[i + 1] = count;
    }
}

static void go_over_all(const maker *m, int threads, ndft_cell_row *room)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int thread = 0; thread < threads; thread++)
        go_over(m, thread, threads, room + (int64_t)thread * m->batch * m->of_window);
}

bool ndft_cell_rows_make(ndft_cell_rows *rows, int dim, int width, int batch, int64_t samples,
                         const int32_t *const first[3], int threads)
{
    const maker m = {.dim = dim,
                     .width = width,
                     .of_window = dim > 2   ? width * width
                                  : dim > 1 ? width
                                            : 1,
                     .batch = batch,
                     .samples = samples,
                     .batches = (samples + batch - 1) / batch,
                     .first = first,
                     .rows = rows};
    ndft_cell_row *room = malloc((size_t)threads * (size_t)(batch * m.of_window) * sizeof *room);
    *rows = (ndft_cell_rows){.start = calloc((size_t)m.batches + 1, sizeof *rows->start)};
    bool made = rows->start && room;
    if (made) {
        go_over_all(&m, threads, room);
        for (int64_t i = 0; i < m.batches; i++) rows->start[i + 1] += rows->start[i];
        rows->row = malloc((size_t)rows->start[m.batches] * sizeof *rows->row);
        made = rows->row;
    }
    if (made) go_over_all(&m, threads, room);
    free(room);
    if (!made) ndft_cell_rows_free(rows);
    return made;
}

void ndft_cell_rows_free(ndft_cell_rows *rows)
{
    free(rows->start);
    free(rows->row);
    *rows = (ndft_cell_rows){0};
}
