/* SPDX-License-Identifier: Apache-2.0 */
#include "instruments/pin.h"
#include "instruments/rapl.h"

#include <math.h>
#include <omp.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

/* Threads on cores of their own, and the processor's energy, as the kernel's files tell them. */

/* A file below a new folder. */
static void put(const char *folder, const char *path, const char *text)
{
    char whole[256], *slash;
    snprintf(whole, sizeof whole, "%s/%s", folder, path);
    for (slash = whole + strlen(folder); (slash = strchr(slash + 1, '/'));) {
        *slash = 0;
        mkdir(whole, 0700);
        *slash = '/';
    }
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void forget(const char *folder)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void physical_cores_come_first(void **state)
{
    char folder[] = "/tmp/ndft-cores-XXXXXX";
    bool mask[8] = {true, true, true, true, true, true, false, true};
    int processors[8];
    (void)state;
    assert_non_null(mkdtemp(folder));
    static const char *const siblings[] = {"0,4\n", "1,5\n", "2-3\n", "2-3\n",
                                           "0,4\n", "1,5\n", "6,7\n", "6,7\n"};
    for (int i = 0; i < 8; i++) {
        char path[64];
        snprintf(path, sizeof path, "cpu%d/topology/thread_siblings_list", i);
        put(folder, path, siblings[i]);
    }
    assert_int_equal(ndft_pin_order(folder, mask, 8, processors), 7);
    static const int wanted[] = {0, 1, 2, 7, 3, 4, 5}; /* 6 is not ours, so that 7 is first */
    assert_memory_equal(processors, wanted, sizeof wanted);
    forget(folder);
    assert_int_equal(ndft_pin_order("nowhere", mask, 8, processors), 7);
    assert_int_equal(processors[6], 7);
}

/* How many processors each thread may use, and whether the first of it is another's. */
static void look(int threads, int *most, bool *alone)
{
    int counts[64] = {0}, firsts[64] = {0};
    *most = 0;
    *alone = true;
#pragma omp parallel num_threads(threads)
    {
        cpu_set_t own;
        sched_getaffinity(0, sizeof own, &own);
        const int i = omp_get_thread_num();
        counts[i] = CPU_COUNT(&own);
        while (!CPU_ISSET(firsts[i], &own)) firsts[i]++;
    }
    for (int i = 1; i < threads; i++) {
        *most = counts[i] > *most ? counts[i] : *most;
        for (int j = 1; j < i; j++) *alone = *alone && firsts[i] != firsts[j];
    }
}

static void each_thread_has_a_core_until_it_is_let_go(void **state)
{
    ndft_pins pins = {0};
    cpu_set_t before, after;
    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    const int cores = CPU_COUNT(&before), threads = cores < 64 ? cores : 64;
    int most;
    bool alone;
    assert_false(ndft_pin(&pins, 1, true));
    assert_false(ndft_pin(&pins, cores + 1, true));
    if (threads < 2) return; /* nothing to pin on this machine */
    assert_true(ndft_pin(&pins, threads, true));
    look(threads, &most, &alone);
    assert_true(most == 1 && alone);
    look(threads - 1, &most,
         &alone); /* a smaller team ends threads, and the next starts new ones */
    look(threads, &most, &alone);
    assert_true(ndft_pin(&pins, threads, true));
    look(threads, &most, &alone);
    assert_true(most == 1 && alone);
    assert_false(ndft_pin(&pins, threads, false));
    look(threads, &most, &alone);
    assert_int_equal(most, cores);
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_true(CPU_EQUAL(&before, &after)); /* the caller's never change */
    ndft_pins_free(&pins);
}

static void the_user_decides(void **state)
{
    ndft_pins pins = {0};
    (void)state;
    setenv("OMP_PROC_BIND", "false", 1);
    assert_false(ndft_pin(&pins, 2, true));
    assert_null(pins.processors);
    unsetenv("OMP_PROC_BIND");
}

static void packages_are_added_up(void **state)
{
    char folder[] = "/tmp/ndft-rapl-XXXXXX";
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_true(isnan(ndft_rapl_joules(folder)));
    put(folder, "intel-rapl:0/energy_uj", "1500000\n");
    put(folder, "intel-rapl:0:0/energy_uj", "999\n"); /* a part of the package */
    put(folder, "intel-rapl:1/energy_uj", "262143328850\n");
    assert_true(fabs(ndft_rapl_joules(folder) - 262144.82885) < 1e-6);
    forget(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(physical_cores_come_first),
        cmocka_unit_test(each_thread_has_a_core_until_it_is_let_go),
        cmocka_unit_test(the_user_decides),
        cmocka_unit_test(packages_are_added_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
