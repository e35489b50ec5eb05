/* SPDX-License-Identifier: Apache-2.0 */
#include "device/processor.h"
#include "nufft/host/host_nufft.h"
#include "nufft/window/window.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* How CPU plans of the nufft family place and sort samples: each once and by its tile; runs of
 * samples, and with them every cell of every window exactly once; the rows of cells of a batch. */

enum { SAMPLES = 5000, WIDTH = 5 };

typedef struct problem {
    int dim;
    int64_t cells[3], tile[3];
    int32_t first[3][SAMPLES];
} problem;

/* A trajectory that goes around the grid in steps of a cell or so, with jumps. */
static problem problem_of(int dim, int64_t nx, int64_t ny, int64_t nz, int64_t tile)
{
    problem p = {.dim = dim, .cells = {nx, ny, nz}, .tile = {tile, tile, tile}};
    int64_t at[3] = {0, 0, 0};
    srand(7);
    for (int j = 0; j < SAMPLES; j++) {
        for (int d = 0; d < dim; d++) {
            at[d] = (at[d] + (j % 50 ? rand() % 2 : rand())) % p.cells[d];
            p.first[d][j] = (int32_t)at[d];
        }
    }
    return p;
}

static const problem *problems(int *count)
{
    static problem all[6];
    all[0] = problem_of(1, 40, 1, 1, 7);
    all[1] = problem_of(1, 10, 1, 1, 6); /* the smallest grid of the width: 2 W */
    all[2] = problem_of(2, 24, 18, 1, 8);
    all[3] = problem_of(2, 12, 100, 1, 5);
    all[4] = problem_of(3, 10, 14, 12, 6);
    all[5] = problem_of(3, 30, 20, 10, 4); /* windows reach over three tiles */
    *count = 6;
    return all;
}

static int64_t tile_at(const problem *p, const ndft_sorted *s, const int64_t cell[3])
{
    int64_t tile = 0;
    for (int d = p->dim - 1; d >= 0; d--) tile = tile * s->tiles[d] + cell[d] / p->tile[d];
    return tile;
}

static void check_sort(const problem *p, int threads)
{
    const int32_t *const first[3] = {p->first[0], p->first[1], p->first[2]};
    ndft_sorted s = ndft_sorted_of(p->dim, p->cells, p->tile);
    unsigned char seen[SAMPLES] = {0};
    assert_true(ndft_sort(&s, p->dim, SAMPLES, first, threads));
    assert_int_equal(s.per_stripe * s.stripes, ndft_tile_number(&s));
    assert_int_equal(s.start[0], 0);
    assert_int_equal(s.start[ndft_tile_number(&s)], SAMPLES);
    for (int64_t t = 0; t < ndft_tile_number(&s); t++) {
        for (int64_t i = s.start[t]; i < s.start[t + 1]; i++) {
            const int32_t j = s.order[i];
            const int64_t cell[3] = {p->first[0][j], p->first[1][j], p->first[2][j]};
            assert_int_equal(tile_at(p, &s, cell), t);
            assert_int_equal(seen[j]++, 0);
            if (i > s.start[t]) assert_true(s.order[i - 1] < j);
        }
    }
    ndft_sorted_free(&s);
}

static void test_every_sample_stands_once_in_its_tile(void **state)
{
    (void)state;
    int count;
    const problem *p = problems(&count);
    for (int i = 0; i < count; i++)
        for (int threads = 1; threads < 4; threads++) check_sort(&p[i], threads);
}

/* The last cell of a tile and the first of the next, on the longest axis. */
static void test_borders_of_tiles(void **state)
{
    (void)state;
    static int32_t first[SAMPLES];
    const int32_t *const at[3] = {first, NULL, NULL};
    const int64_t cells[3] = {INT32_MAX, 1, 1};
    for (int32_t side = 900001; side < 900100; side++) {
        const int64_t tile[3] = {side, 1, 1};
        ndft_sorted s = ndft_sorted_of(1, cells, tile);
        const int tiles = (int)s.tiles[0];
        for (int i = 1; i < tiles; i++) {
            first[2 * i - 1] = i * side - 1;
            first[2 * i] = i * side;
        }
        first[2 * tiles - 1] = INT32_MAX - 1;
        assert_true(ndft_sort(&s, 1, 2 * tiles, at, 1));
        for (int i = 0; i < 2 * tiles; i++) assert_int_equal(s.order[i], i);
        for (int t = 0; t <= tiles; t++) assert_int_equal(s.start[t], 2 * t);
        ndft_sorted_free(&s);
    }
}

/* A tile's samples row after row, and as they come within a row. */
static void check_rows(const problem *p, int threads)
{
    const int32_t *const first[3] = {p->first[0], p->first[1], p->first[2]};
    ndft_sorted s = ndft_sorted_of(p->dim, p->cells, p->tile);
    ndft_sort_by_rows(&s);
    assert_true(ndft_sort(&s, p->dim, SAMPLES, first, threads));
    assert_int_equal(s.per_stripe * s.stripes, ndft_tile_number(&s) * p->tile[1]);
    assert_int_equal(s.start[s.per_stripe * s.stripes], SAMPLES);
    for (int64_t part = 0; part < s.per_stripe * s.stripes; part++) {
        for (int64_t i = s.start[part]; i < s.start[part + 1]; i++) {
            const int32_t j = s.order[i];
            const int64_t cell[3] = {p->first[0][j], p->first[1][j], 0};
            assert_int_equal(tile_at(p, &s, cell), part / p->tile[1]);
            assert_int_equal(cell[1] % p->tile[1], part % p->tile[1]);
            if (i > s.start[part]) assert_true(s.order[i - 1] < j);
        }
    }
    ndft_sorted_free(&s);
}

static void test_rows_of_tiles_follow_each_other(void **state)
{
    (void)state;
    int count;
    const problem *p = problems(&count);
    for (int i = 0; i < count; i++)
        for (int threads = 1; threads < 4 && p[i].dim == 2; threads++) check_rows(&p[i], threads);
}

/* Marks the tiles of all cells of a sample's window. */
static void mark_window(const problem *p, const ndft_sorted *s, int j, unsigned char *marked)
{
    const int64_t wide[3] = {WIDTH, p->dim > 1 ? WIDTH : 1, p->dim > 2 ? WIDTH : 1};
    for (int64_t i = 0; i < wide[0] * wide[1] * wide[2]; i++) {
        const int64_t cell[3] = {
            (p->first[0][j] + i % wide[0]) % p->cells[0],
            (p->first[1][j] + i / wide[0] % wide[1]) % p->cells[1],
            (p->first[2][j] + i / wide[0] / wide[1]) % p->cells[2],
        };
        marked[tile_at(p, s, cell)] = 1;
    }
}

static void check_runs(const problem *p)
{
    const int32_t *const first[3] = {p->first[0], p->first[1], p->first[2]};
    const ndft_sorted s = ndft_sorted_of(p->dim, p->cells, p->tile);
    const int64_t tiles = ndft_tile_number(&s);
    unsigned char *marked = calloc((size_t)tiles, SAMPLES);
    ndft_runs runs;
    assert_non_null(marked);
    assert_true(ndft_runs_make(&runs, &s, p->dim, p->cells, WIDTH, SAMPLES, first));
    for (int j = 0; j < SAMPLES; j++) mark_window(p, &s, j, marked + j * tiles);
    for (int64_t t = 0; t < tiles; t++) {
        int32_t end = -1;
        for (int64_t r = runs.start[t]; r < runs.start[t + 1]; r++) {
            assert_true(runs.run[r].first > end); /* else it would be one run with the last */
            end = runs.run[r].first + runs.run[r].count;
            for (int32_t j = runs.run[r].first; j < end; j++)
                assert_int_equal(marked[j * tiles + t]++, 1);
        }
    }
    for (int64_t i = 0; i < tiles * SAMPLES; i++) assert_int_not_equal(marked[i], 1);
    ndft_runs_free(&runs);
    free(marked);
}

static void test_runs_hold_every_window_once(void **state)
{
    (void)state;
    int count;
    const problem *p = problems(&count);
    for (int i = 0; i < count; i++) check_runs(&p[i]);
}

/* Of one batch: every cell of its windows lies in one row, whose samples include the window's, and
 * no row has a cell of none. */
static void check_batch(const problem *p, const ndft_cell_rows *rows, int64_t batch, int64_t size)
{
    const int64_t first = batch * size, end = first + size < SAMPLES ? first + size : SAMPLES;
    const int32_t high = p->dim > 1 ? WIDTH : 1, deep = p->dim > 2 ? WIDTH : 1;
    const ndft_cell_row *row = rows->row + rows->start[batch];
    const ndft_cell_row *last = rows->row + rows->start[batch + 1] - 1;
    for (const ndft_cell_row *r = row; r <= last; r++) {
        int32_t x = r->x; /* up to which cells belong to windows */
        for (int64_t j = first + r->begin; j < first + r->end; j++) assert_true(j < end);
        for (bool found = true; found && x < r->x + r->cells;) {
            found = false;
            for (int64_t j = first; j < end; j++) {
                if ((uint32_t)(r->y - p->first[1][j]) >= (uint32_t)high ||
                    (uint32_t)(r->z - p->first[2][j]) >= (uint32_t)deep)
                    continue;
                const int32_t at = p->first[0][j];
                if (at <= x && x < at + WIDTH) x = at + WIDTH, found = true;
            }
        }
        assert_int_equal(x, r->x + r->cells);
    }
    for (int64_t j = first; j < end; j++)
        for (int32_t i = 0; i < high * deep; i++) {
            int times = 0;
            for (const ndft_cell_row *r = row; r <= last; r++)
                times += r->y == p->first[1][j] + i % high && r->z == p->first[2][j] + i / high &&
                         r->x <= p->first[0][j] && p->first[0][j] + WIDTH <= r->x + r->cells &&
                         first + r->begin <= j && j < first + r->end;
            assert_int_equal(times, 1);
        }
}

static void test_rows_hold_what_a_batch_reads(void **state)
{
    (void)state;
    int count;
    const problem *p = problems(&count);
    for (int i = 0; i < count; i++)
        for (int size = 16; size <= 64; size *= 4) {
            const int32_t *const first[3] = {p[i].first[0], p[i].first[1], p[i].first[2]};
            ndft_cell_rows rows;
            assert_true(
                ndft_cell_rows_make(&rows, p[i].dim, WIDTH, size, SAMPLES, first, 1 + i % 3));
            for (int64_t b = 0; b < (SAMPLES + size - 1) / size; b++)
                check_batch(&p[i], &rows, b, size);
            ndft_cell_rows_free(&rows);
        }
}

/* Samples along a line share rows: far fewer than windows have. */
static void test_a_line_reads_few_rows(void **state)
{
    (void)state;
    static int32_t place[2][SAMPLES];
    for (int32_t j = 0; j < SAMPLES; j++) place[0][j] = j / 2;
    const int32_t *const first[3] = {place[0], place[1], NULL};
    ndft_cell_rows rows;
    assert_true(ndft_cell_rows_make(&rows, 2, WIDTH, 64, SAMPLES, first, 2));
    const int64_t batches = (SAMPLES + 63) / 64;
    assert_int_equal(rows.start[batches], WIDTH * batches);
    assert_int_equal(rows.row[0].cells, 31 + WIDTH);
    ndft_cell_rows_free(&rows);
}

typedef void place_loop(const ndft_host_axis *, const int32_t *order, int64_t samples);

static place_loop *const place_loops[3][2] = NDFT_LOOP_TABLE(nufft_place);

/* All places by each instruction set of this processor: as by ndft_grid_place, in f32 never rounded
 * to 1, in the order that is asked for. */
static void test_positions(void **state)
{
    (void)state;
    float k[SAMPLES] = {2.0000001f * 4, 1e-9f, -3.25f}, place[SAMPLES];
    int32_t order[SAMPLES], first[SAMPLES];
    for (int j = 3; j < SAMPLES; j++) k[j] = 0.017f * (float)j - 20;
    for (int i = 0; i < SAMPLES; i++) order[i] = (i * 7 + 2) % SAMPLES;
    const ndft_host_axis axis = {32, 64, 4, k, first, place};
    for (ndft_isa isa = NDFT_X86_64_V2; isa <= ndft_device_cpu(1).isa; isa++) {
        place_loops[isa][NDFT_F32](&axis, order, SAMPLES);
        for (int i = 0; i < SAMPLES; i++) {
            const ndft_grid_position at = ndft_grid_place(k[order[i]], 32, 64, 4);
            assert_int_equal(first[i], at.first);
            assert_true(place[i] < 1 && fabs(place[i] - at.s) <= 0x1p-24);
        }
        place_loops[isa][NDFT_F32](&axis, NULL, SAMPLES);
        assert_int_equal(first[1], ndft_grid_place(k[1], 32, 64, 4).first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_every_sample_stands_once_in_its_tile),
        cmocka_unit_test(test_borders_of_tiles),
        cmocka_unit_test(test_rows_of_tiles_follow_each_other),
        cmocka_unit_test(test_runs_hold_every_window_once),
        cmocka_unit_test(test_rows_hold_what_a_batch_reads),
        cmocka_unit_test(test_a_line_reads_few_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
