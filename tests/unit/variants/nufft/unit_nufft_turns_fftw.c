/* SPDX-License-Identifier: Apache-2.0 */
#include "case/case.h"
#include "device/backend.h"
#include "id.h"
#include "nufft/host/host_meet.h"
#include "nufft/host/host_sorted.h"
#include "prepared.h"
#include "problem/kinds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* How threads share sorted samples: stripes by turns, heavy tiles by parts, and what becomes of it
 * when a plan is executed. */

enum { SAMPLES = 40000, TILES = 12, SIDE = 8 };

/* Half of the samples lie in a few tiles at a corner. */
static void place_samples(int32_t *const first[3])
{
    srand(5);
    for (int j = 0; j < SAMPLES; j++)
        for (int d = 0; d < 3; d++) first[d][j] = rand() % (SIDE * (j % 2 ? 2 : TILES));
}

/* The turns, and the samples in their order. */
static ndft_turns shared(int dim, int64_t most_parts, ndft_sorted *s)
{
    static int32_t first[3][SAMPLES];
    int32_t *const to[3] = {first[0], first[1], first[2]};
    const int32_t *const at[3] = {first[0], first[1], first[2]};
    const int64_t cells[3] = {SIDE * TILES, dim > 1 ? SIDE * TILES : 1, dim > 2 ? SIDE * TILES : 1};
    const int64_t tile[3] = {SIDE, SIDE, SIDE};
    place_samples(to);
    ndft_turns t;
    *s = ndft_sorted_of(dim, cells, tile);
    assert_true(ndft_sort(s, dim, SAMPLES, at, 2));
    static const int32_t begin[] = {0};
    assert_true(ndft_turns_make(&t, s, 1, begin, most_parts));
    return t;
}

/* Along one of the slow axes at least two tiles apart. */
static bool are_apart(const ndft_sorted *s, int64_t a, int64_t b)
{
    const int64_t line = s->stripes > TILES ? TILES : s->stripes;
    return llabs(a % line - b % line) > 1 || llabs(a / line - b / line) > 1;
}

static int64_t light_samples(const ndft_turns *t, const ndft_sorted *s, int64_t stripe)
{
    int64_t samples = s->start[(stripe + 1) * s->per_stripe] - s->start[stripe * s->per_stripe];
    for (int64_t i = 0; i < t->parts; i++)
        if (t->part[i].tile / s->per_stripe == stripe) samples -= t->part[i].end - t->part[i].begin;
    return samples;
}

static int waits_for(const ndft_sorted *s, int64_t stripe, int64_t other)
{
    int64_t earlier[8];
    int times = 0;
    for (int i = ndft_earlier_stripes(s, stripe, earlier); i-- > 0;) times += earlier[i] == other;
    return times;
}

/* Of two that have cells in common the later one waits for the other. */
static void every_stripe_has_its_turn(void **state)
{
    (void)state;
    for (int dim = 1; dim <= 3; dim++) {
        ndft_sorted s;
        ndft_turns t = shared(dim, 1000, &s);
        unsigned char seen[TILES * TILES] = {0};
        for (int64_t i = 0; i < s.stripes; i++) {
            assert_int_equal(seen[t.turn[i]]++, 0);
            for (int64_t k = 0; k < i; k++) {
                const int before = ndft_stripe_colour(&s, t.turn[k]);
                const int colour = ndft_stripe_colour(&s, t.turn[i]);
                assert_true(before <= colour && colour < 4);
                assert_true(before < colour ||
                            light_samples(&t, &s, t.turn[k]) >= light_samples(&t, &s, t.turn[i]));
                assert_int_equal(waits_for(&s, t.turn[k], t.turn[i]), 0);
                assert_int_equal(waits_for(&s, t.turn[i], t.turn[k]),
                                 !are_apart(&s, t.turn[k], t.turn[i]));
            }
        }
        ndft_turns_free(&t);
        ndft_sorted_free(&s);
    }
}

/* Of a row of tiles, of which the last may be short, every cell is zeroed by one: by the first that
 * adds to it. */
static void cells_are_cleared_once(void **state)
{
    (void)state;
    enum { REACH = 6, MOST = 60 };
    for (int64_t cells = 8; cells <= MOST; cells++) {
        const int64_t all[3] = {1, cells, 1}, tile[3] = {1, 8, 1}, held = cells + REACH;
        const ndft_sorted s = ndft_sorted_of(2, all, tile);
        int owner[MOST + REACH];
        for (int64_t i = 0; i < held; i++) owner[i] = -1;
        for (int t = 0; t < s.tiles[1]; t++) {
            const ndft_span own = ndft_own_span(&s, 1, t, REACH, held);
            assert_true(own.first >= 0 && own.end <= held);
            for (int64_t i = own.first; i < own.end; i++) {
                assert_int_equal(owner[i], -1);
                owner[i] = t;
            }
        }
        for (int64_t i = 0; i < held; i++) {
            assert_true(owner[i] >= 0);
            for (int t = 0; t < s.tiles[1]; t++)
                if (i >= 8 * t && i < 8 * t + 8 + REACH)
                    assert_true(ndft_stripe_colour(&s, owner[i]) <= ndft_stripe_colour(&s, t));
        }
    }
}

/* Nobody goes on before all have come, in teams of changing size. */
static void threads_meet(void **state)
{
    (void)state;
    enum { THREADS = 4, ROUNDS = 500 };
    static ndft_meeting of[THREADS];
    static int at[THREADS];
    int early = 0;
    for (int threads = 1; threads <= THREADS; threads++)
#pragma omp parallel num_threads(threads) reduction(+ : early)
        for (int i = 1; i <= ROUNDS; i++) {
            __atomic_store_n(&at[omp_get_thread_num()], ROUNDS * threads + i, __ATOMIC_RELAXED);
            ndft_meet(of);
            for (int k = 0; k < omp_get_num_threads(); k++)
                early += __atomic_load_n(&at[k], __ATOMIC_RELAXED) != ROUNDS * threads + i;
            ndft_meet(of);
        }
    assert_int_equal(early, 0);
}

/* All samples of heavy tiles and of no others, and no more parts than there is room for. */
static void heavy_tiles_are_spread_by_parts(void **state)
{
    (void)state;
    static const int64_t most[] = {1000, 30, 20, 0};
    for (int m = 0; m < 4; m++) {
        ndft_sorted s;
        ndft_turns t = shared(3, most[m], &s);
        assert_true(t.parts <= most[m] && (t.parts > 0) == (most[m] >= 30));
        for (int64_t i = 0; i < t.parts;) {
            const int64_t tile = t.part[i].tile, stripe = tile / s.per_stripe;
            int64_t at = s.start[tile];
            assert_true(s.start[tile + 1] - at >= SAMPLES / 256);
            for (; i < t.parts && t.part[i].tile == tile; i++) {
                assert_int_equal(t.part[i].begin, at);
                assert_true(i >= t.first_part[stripe] && i < t.first_part[stripe + 1]);
                at = t.part[i].end;
            }
            assert_int_equal(at, s.start[tile + 1]);
        }
        ndft_turns_free(&t);
        ndft_sorted_free(&s);
    }
}

/* Twice in a row by one plan of so many threads. */
static void run(const ndft_made *made, const char *variant, ndft_op op, int threads, void *out)
{
    const ndft_problem *p = &made->problem;
    const int64_t input = op == NDFT_FORWARD ? p->n_voxels : p->n_samples;
    ndft_error err = {.status = NDFT_OK};
    ndft_exec *exec;
    ndft_candidate c;
    ndft_prepared plan;
    assert_int_equal(ndft_backend_cpu.open(0, &exec, &err), NDFT_OK);
    exec->threads = threads;
    assert_int_equal(ndft_id_parse(variant, &c, &err), NDFT_OK);
    assert_int_equal(ndft_prepare(c.entry->variant, c.knobs, p, op, exec, &plan), NDFT_OK);
    const int64_t reals = 2 * input * p->coils;
    void *in = malloc((size_t)reals * ndft_real_size(p->prec));
    for (int64_t i = 0; i < reals; i++)
        ndft_put_real(in, p->prec, i, (double)(i * 7919 % 1009) / 504.5 - 1);
    for (int i = 0; i < 2; i++)
        assert_int_equal(ndft_prepared_execute(&plan, op, in, out), NDFT_OK);
    ndft_prepared_destroy(&plan);
    free(in);
    ndft_backend_cpu.close(exec);
}

/* By any number of threads the same bits, and of another scheme the same sums. */
static void heavy_tiles_add_up(void **state)
{
    (void)state;
    static const char *const line =
        "adjoint 3d n=24x24x24 m=30720 traj=kooshball:1280 coils=5 tol=1e-4";
    enum { REALS = 2 * 5 * 24 * 24 * 24 };
    static float one[REALS], three[REALS], hybrid[REALS];
    ndft_error err = {.status = NDFT_OK};
    ndft_case c;
    ndft_made made;
    double error = 0, norm = 0;
    assert_int_equal(ndft_case_parse(line, &c, &err), NDFT_OK);
    assert_int_equal(ndft_kind_of(&c)->make(&c, &made, &err), NDFT_OK);
    run(&made, "nufft_scatter.cpu", NDFT_ADJOINT, 1, one);
    run(&made, "nufft_scatter.cpu", NDFT_ADJOINT, 3, three);
    run(&made, "nufft_hybrid.cpu", NDFT_ADJOINT, 1, hybrid);
    assert_memory_equal(one, three, sizeof one);
    for (int i = 0; i < REALS; i++) {
        error += pow(one[i] - hybrid[i], 2);
        norm += pow(hybrid[i], 2);
    }
    assert_true(sqrt(error / norm) < 1e-6);
    ndft_made_free(&made);
}

static void compare_threads(const char *line, ndft_op op)
{
    ndft_error err = {.status = NDFT_OK};
    ndft_case c;
    ndft_made made;
    assert_int_equal(ndft_case_parse(line, &c, &err), NDFT_OK);
    assert_int_equal(ndft_kind_of(&c)->make(&c, &made, &err), NDFT_OK);
    const ndft_problem *p = &made.problem;
    const int64_t output = op == NDFT_FORWARD ? p->n_samples : p->n_voxels;
    const size_t bytes = (size_t)(output * p->coils) * 2 * ndft_real_size(p->prec);
    void *one = malloc(bytes), *five = malloc(bytes);
    run(&made, "nufft_scatter.cpu", op, 1, one);
    run(&made, "nufft_scatter.cpu", op, 5, five);
    assert_memory_equal(one, five, bytes);
    free(one);
    free(five);
    ndft_made_free(&made);
}

/* By any number of threads the same bits, whichever thread has what. */
static void threads_change_no_bit(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "forward 1d n=9000 m=20000 coils=2", "forward 2d n=90x75 m=20000 traj=radial:200 coils=3",
        "forward 2d n=90x75 m=9000 prec=f64", "forward 3d n=20x24x18 m=30000"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        compare_threads(lines[i], NDFT_FORWARD);
        compare_threads(lines[i], NDFT_ADJOINT);
    }
}

/* Coils that go together of a plan, with second caches of so many bytes. */
static int coils_of_pass(int coils, size_t cache, int threads)
{
    ndft_error err = {.status = NDFT_OK};
    ndft_exec *exec;
    ndft_candidate c;
    ndft_prepared plan;
    ndft_case line;
    ndft_made made;
    char text[NDFT_CHOSEN_TEXT];
    snprintf(text, sizeof text, "forward 2d n=64x64 m=32768 coils=%d", coils);
    assert_int_equal(ndft_case_parse(text, &line, &err), NDFT_OK);
    assert_int_equal(ndft_kind_of(&line)->make(&line, &made, &err), NDFT_OK);
    assert_int_equal(ndft_backend_cpu.open(0, &exec, &err), NDFT_OK);
    exec->threads = threads;
    exec->device.l2_bytes = cache;
    assert_int_equal(ndft_id_parse("nufft_scatter.cpu", &c, &err), NDFT_OK);
    assert_int_equal(
        ndft_prepare(c.entry->variant, c.knobs, &made.problem, NDFT_FORWARD, exec, &plan), NDFT_OK);
    ndft_prepared_chosen(&plan, text, sizeof text);
    static const char word[] = "coils_of_pass=";
    const char *at = strstr(text, word);
    assert_non_null(at);
    const int value = atoi(at + strlen(word));
    ndft_prepared_destroy(&plan);
    ndft_made_free(&made);
    ndft_backend_cpu.close(exec);
    return value;
}

/* Coils go together as far as their grids stay in the second caches. */
static void grids_stay_in_caches(void **state)
{
    (void)state;
    assert_int_equal(coils_of_pass(4, 1 << 24, 1), 4);
    assert_int_equal(coils_of_pass(4, 1 << 12, 1), 1);
    assert_int_equal(coils_of_pass(4, 1 << 17, 1), 2); /* grids of 145 kB */
    assert_int_equal(coils_of_pass(4, 1 << 17, 5), 4); /* of five threads that share coils */
    assert_int_equal(coils_of_pass(4, 0, 1), 4);
    assert_int_equal(coils_of_pass(4, 1 << 17, 2), 2);   /* of two that have coils of their own, */
    assert_int_equal(coils_of_pass(32, 1 << 17, 16), 1); /* of sixteen */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_stripe_has_its_turn),
                                       cmocka_unit_test(cells_are_cleared_once),
                                       cmocka_unit_test(threads_meet),
                                       cmocka_unit_test(heavy_tiles_are_spread_by_parts),
                                       cmocka_unit_test(heavy_tiles_add_up),
                                       cmocka_unit_test(threads_change_no_bit),
                                       cmocka_unit_test(grids_stay_in_caches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
