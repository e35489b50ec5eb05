/* SPDX-License-Identifier: Apache-2.0 */
#include "device/backend.h"
#include "nufft/host/host_plan.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/* How threads take tasks, wait for others', and whose tasks are whose. */

enum { TASKS = 37, QUEUES = 5, ROUNDS = 200 };

/* Each once a round, by teams of fewer and of more threads than queues. */
static void tasks_are_taken_once(void **state)
{
    (void)state;
    int32_t begin[QUEUES + 1] = {0, 4, 4, 20, 30, TASKS}, next[QUEUES];
    static uint32_t done[TASKS];
    const ndft_tasks t = {TASKS, QUEUES, begin, next, done};
    int taken[TASKS] = {0};
    for (int threads = 1; threads <= 7; threads++)
        for (int i = 1; i <= ROUNDS; i++) {
            ndft_begin_tasks(&t);
#pragma omp parallel num_threads(threads)
            for (int64_t at = 0, task; (task = ndft_take_task(&t, &at)) >= 0;) {
#pragma omp atomic
                taken[task]++;
            }
            for (int k = 0; k < TASKS; k++) assert_int_equal(taken[k], (threads - 1) * ROUNDS + i);
        }
}

/* For the tasks that have cells, on either side of a period's end, and for no others. */
static void threads_wait_for_cells(void **state)
{
    (void)state;
    enum { SIDE = 8, CELLS = 60, ALL = 8, LINE = 3 };
    static const int spans[][2] = {{-6, 5}, {0, 8}, {9, 23}, {50, 66}, {0, CELLS}};
    int missed = 0;
    for (size_t s = 0; s < sizeof spans / sizeof *spans; s++) {
        uint32_t done[ALL * LINE] = {0};
        const ndft_tasks t = {.count = (int64_t)ALL * LINE, .done = done};
        bool needed[ALL] = {false};
        for (int i = spans[s][0]; i < spans[s][1]; i++) needed[(i + CELLS) % CELLS / SIDE] = true;
#pragma omp parallel num_threads(2) reduction(+ : missed)
        if (omp_get_thread_num() || omp_get_num_threads() == 1) {
            for (int i = 0; i < ALL * LINE; i++)
                if (needed[i / LINE]) ndft_task_is_done(&t, i, 7);
        } else {
            ndft_wait_for_cells(&t, 7, spans[s][0], spans[s][1], SIDE, CELLS);
            for (int i = 0; i < ALL * LINE; i++)
                missed += needed[i / LINE] && __atomic_load_n(&done[i], __ATOMIC_ACQUIRE) != 7;
        }
    }
    assert_int_equal(missed, 0);
}

/* Rows of a plan's grid in 2D and samples, most of them in the middle. */
enum { SAMPLES = 60000, CELLS = 256, THREADS = 8, TILE = 16 };

static void place(int32_t first[2][SAMPLES])
{
    for (int j = 0; j < SAMPLES; j++) {
        const double radius = (j % 300 / 300.0 - 0.5) * CELLS, angle = j / 300 * 3.14159 / 200;
        first[0][j] = (int)(radius * cos(angle) + 2 * CELLS) % CELLS;
        first[1][j] = (int)(radius * sin(angle) + 2 * CELLS) % CELLS;
    }
}

/* Samples of a queue that lie in its own rows. */
static int own_samples(const ndft_host_nufft *h, const ndft_sorted *s, const int32_t *row, int q)
{
    const int64_t size = ndft_portion_samples(h), all = h->samples;
    const int64_t begin = h->portions.begin[q] * size, end = h->portions.begin[q + 1] * size;
    int own = 0;
    for (int64_t j = begin; j < (end < all ? end : all); j++) {
        const int32_t slice = row[s->order[j]] / (int32_t)ndft_slice_cells(&h->grid);
        own += slice >= h->slices.begin[q] && slice < h->slices.begin[q + 1];
    }
    return own;
}

/* Threads have samples in rows of their own, and both together as much as others. */
static void samples_are_where_rows_are(void **state)
{
    (void)state;
    static int32_t first[2][SAMPLES];
    const int32_t *const at[3] = {first[0], first[1], NULL};
    const int64_t cells[3] = {CELLS, CELLS, 1}, tile[3] = {TILE, TILE, 1};
    const ndft_nufft_shape shape = {
        .dim = 2, .n = {CELLS / 2, CELLS / 2, 1}, .grid = {CELLS, CELLS, 1}, .window.width = 6};
    ndft_error err = {.status = NDFT_OK};
    ndft_arena arena = {0};
    place(first);
    assert_int_equal(ndft_backend_cpu.open(0, &arena.exec, &err), NDFT_OK);
    arena.exec->threads = THREADS;
    ndft_host_nufft h = {.grid = ndft_host_grid_of(&shape, NDFT_F32),
                         .window.width = 6,
                         .samples = SAMPLES,
                         .batch = 64};
    ndft_sorted s = ndft_sorted_of(2, cells, tile);
    assert_true(ndft_sort(&s, 2, SAMPLES, at, 1));
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        assert_int_equal(ndft_host_share(&arena, &s, adjoint, &h), NDFT_OK);
        assert_int_equal(h.slices.begin[THREADS], CELLS / NDFT_LINES);
        assert_int_equal(h.portions.begin[THREADS], h.portions.count);
        int own = 0;
        for (int q = 0; q < THREADS; q++) {
            const int slices = h.slices.begin[q + 1] - h.slices.begin[q];
            const int portions = h.portions.begin[q + 1] - h.portions.begin[q];
            assert_true(slices >= 0 && portions >= 0);
            if (adjoint) continue;
            own += own_samples(&h, &s, first[1], q);
            const double rows = 0.7 * CELLS * NDFT_LINES * slices;
            const double work = rows + 6.0 * (double)ndft_portion_samples(&h) * portions;
            assert_true(fabs(THREADS * work / (0.7 * CELLS * CELLS + 6.0 * SAMPLES) - 1) < 0.1);
        }
        if (!adjoint) assert_true(own > SAMPLES * 3 / 4);
    }
    ndft_arena_release(&arena);
    ndft_sorted_free(&s);
    ndft_backend_cpu.close(arena.exec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tasks_are_taken_once),
                                       cmocka_unit_test(threads_wait_for_cells),
                                       cmocka_unit_test(samples_are_where_rows_are)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
