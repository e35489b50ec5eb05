/* SPDX-License-Identifier: Apache-2.0 */
#include "public/plan_objects.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* A plan on a processor that takes streams, executed while another thread wants it on its own. */

enum { N = 8, CALLS = 20000 };

static struct {
    ndft_plan *plan;
    float in[2 * N], out[2][2 * N];
    char streams[2];
    pthread_t other;
    int asked, refused, changed;
    bool done;
} both;

static void *call_from_outside(void *unused)
{
    for (int i = 0; i < CALLS; i++)
        both.refused += ndft_execute_on(both.plan, &both.streams[1], NDFT_FORWARD, both.in,
                                        both.out[1]) == NDFT_EINVAL;
    both.refused += ndft_plan_use(both.plan, NULL, 0) == NDFT_EINVAL;
    __atomic_store_n(&both.done, true, __ATOMIC_RELEASE);
    return unused;
}

/* Lasts until the other thread has had all its calls. */
static ndft_value load_slowly(ndft_slot from, const int64_t *index, const void *data)
{
    (void)index, (void)data;
    if (!both.asked++) {
        assert_int_equal(pthread_create(&both.other, NULL, call_from_outside, NULL), 0);
        while (!__atomic_load_n(&both.done, __ATOMIC_ACQUIRE))
            both.changed += __atomic_load_n(&both.plan->exec->stream, __ATOMIC_RELAXED) !=
                            (void *)&both.streams[0];
        pthread_join(both.other, NULL);
    }
    return ndft_read(from);
}

static ndft_status any_stream(ndft_exec *exec, void *stream)
{
    (void)exec, (void)stream;
    return NDFT_OK;
}

static void a_stream_is_of_one_call(void **state)
{
    (void)state;
    static const ndft_callback load = {.name = "load_slowly", .load = load_slowly};
    const ndft_device_options alone = {.struct_size = sizeof alone, .threads = 1};
    ndft_transform t;
    ndft_device *cpu;
    ndft_problem *problem;
    assert_int_equal(ndft_device_open("cpu", &alone, &cpu), NDFT_OK);
    assert_int_equal(ndft_transform_parse("scfo8", &t), NDFT_OK);
    t.load = &load;
    assert_int_equal(ndft_transform_create(cpu, &t, NULL, &problem), NDFT_OK);
    assert_int_equal(ndft_plan_create(problem, NDFT_FORWARD, NULL, &both.plan), NDFT_OK);
    ndft_backend streaming = ndft_backend_cpu;
    streaming.use_stream = any_stream;
    ((ndft_opened *)cpu)->backend = &streaming;
    assert_int_equal(
        ndft_execute_on(both.plan, &both.streams[0], NDFT_FORWARD, both.in, both.out[0]), NDFT_OK);
    assert_int_equal(both.refused, CALLS + 1);
    assert_int_equal(both.changed, 0);
    assert_null(both.plan->exec->stream);
    ndft_plan_destroy(both.plan);
    ndft_problem_destroy(problem);
    ndft_device_close(cpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_stream_is_of_one_call)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
