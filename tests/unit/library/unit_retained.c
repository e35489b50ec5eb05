/* SPDX-License-Identifier: Apache-2.0 */
#include "base/retained.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void free_one(ndft_retained *of) { of->users = -1; }

static void free_other(ndft_retained *of) { of->users = -2; }

static void nothing(ndft_retained *of) { (void)of; }

static void a_stock_of_all_places_loses_what_lay_there_longest(void **state)
{
    (void)state;
    ndft_stock stock = {0};
    ndft_retained many[NDFT_STOCK_PLACES + 2];
    for (int i = 0; i < NDFT_STOCK_PLACES; i++) ndft_stock_put(&stock, &many[i], free_one);
    assert_ptr_equal(ndft_stock_take(&stock, 3), &many[3]);
    assert_null(ndft_stock_take(&stock, 3));
    ndft_stock_put(&stock, &many[NDFT_STOCK_PLACES], free_other);
    assert_int_equal(many[0].users, 0);
    ndft_stock_put(&stock, &many[NDFT_STOCK_PLACES + 1], free_other);
    assert_int_equal(many[0].users, -1);
    ndft_stock_clear(&stock);
    for (int i = 0; i < NDFT_STOCK_PLACES; i++) assert_int_equal(many[i].users, i == 3 ? 0 : -1);
    assert_int_equal(many[NDFT_STOCK_PLACES].users + many[NDFT_STOCK_PLACES + 1].users, -4);
    assert_null(stock.place[0]);
    ndft_stock_put(NULL, &many[0], free_other);
    assert_int_equal(many[0].users, -2);
}

typedef struct table {
    ndft_stock stock;
    pthread_barrier_t start;
} table;

/* Takes what lies in the first place and lays it down again; users says that somebody has it. */
static void *juggle(void *of)
{
    table *t = of;
    intptr_t twice = 0;
    pthread_barrier_wait(&t->start);
    for (int i = 0; i < 2000000; i++) {
        ndft_retained *kept = ndft_stock_take(&t->stock, 0);
        if (!kept) continue;
        twice += __atomic_add_fetch(&kept->users, 1, __ATOMIC_RELAXED) != 1;
        ndft_stock_put(&t->stock, kept, nothing);
    }
    return (void *)twice;
}

static void two_threads_never_take_the_same(void **state)
{
    (void)state;
    table t = {0};
    ndft_retained one;
    pthread_t threads[2];
    int found = 0;
    ndft_stock_put(&t.stock, &one, nothing);
    assert_int_equal(pthread_barrier_init(&t.start, NULL, 2), 0);
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&threads[i], NULL, juggle, &t), 0);
    for (int i = 0; i < 2; i++) {
        void *twice;
        assert_int_equal(pthread_join(threads[i], &twice), 0);
        assert_null(twice);
    }
    for (int i = 0; i < NDFT_STOCK_PLACES; i++) found += ndft_stock_take(&t.stock, i) != NULL;
    assert_int_equal(found, 1);
    pthread_barrier_destroy(&t.start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stock_of_all_places_loses_what_lay_there_longest),
        cmocka_unit_test(two_threads_never_take_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
