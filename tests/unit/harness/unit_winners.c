/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/winners.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void only_passes_win(void **state)
{
    (void)state;
    static const struct {
        const char *id, *verdict;
        double median;
    } rows[] = {{"slow.cpu", "pass", 3},     {"wrong.cpu", "wrong", 1},
                {"fast.cpu", "pass", 2},     {"slower.cpu", "pass", 4},
                {"second.cpu", "pass", 2.5}, {"both.cpu", "pass", 0.5}}; /* of two modes */
    ndft_winners winners = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *record = json_pack("{s:s, s:s, s:s, s:f, s:f}", "case", "one", "variant",
                                   rows[i].id, "verdict", rows[i].verdict, "median_s",
                                   rows[i].median, "coil_pairs_per_s", 6 / rows[i].median);
        json_object_set_new(record, "two_modes", json_boolean(rows[i].median < 1));
        ndft_winners_take(&winners, record);
        json_decref(record);
    }
    assert_int_equal(winners.size, 1);
    assert_string_equal(winners.items[0].id[0], "fast.cpu");
    assert_string_equal(winners.items[0].id[1], "second.cpu");
    assert_true(winners.items[0].rate == 3);
    ndft_winners_free(&winners);
}

static void take(ndft_winners *winners, const char *name, const char *id, double median, bool two)
{
    json_t *record =
        json_pack("{s:s, s:s, s:s, s:f, s:f, s:b}", "case", name, "variant", id, "verdict", "pass",
                  "median_s", median, "coil_pairs_per_s", 6 / median, "two_modes", two);
    ndft_winners_take(winners, record);
    json_decref(record);
}

/* They win nothing, and are told where a reader would miss them. */
static void times_in_doubt_are_told(void **state)
{
    (void)state;
    ndft_winners winners = {0};
    take(&winners, "busy", "fast.cpu", 1, true);
    take(&winners, "busy", "slow.cpu", 2, true);
    take(&winners, "mixed", "clear.cpu", 2, false);
    take(&winners, "mixed", "unclear.cpu", 1, true);
    take(&winners, "calm", "clear.cpu", 1, false);
    take(&winners, "calm", "unclear.cpu", 2, true);
    json_t *record =
        json_loads("{\"case\": \"waits\", \"variant\": \"a.cuda\", \"verdict\": \"pass\", "
                   "\"median_s\": 1.0, \"samples_s\": [], \"by_process\": "
                   "[{\"samples_s\": [1, 1, 1], \"host_bound\": [0, 2]}]}",
                   0, NULL);
    ndft_winners_take(&winners, record);
    json_object_set_new(json_array_get(json_object_get(record, "by_process"), 0), "host_bound",
                        json_pack("[i]", 1));
    json_object_set_new(record, "case", json_string("works"));
    ndft_winners_take(&winners, record);
    json_object_set_new(record, "state", json_pack("{s:f}", "away_s", 1e-6));
    ndft_winners_take(&winners, record);
    json_object_set_new(record, "case", json_string("not alone"));
    json_object_set_new(record, "state", json_pack("{s:f}", "away_s", 2e-3));
    ndft_winners_take(&winners, record);
    json_decref(record);
    char *shown = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&shown, &size);
    assert_non_null(out);
    ndft_winners_print(&winners, out);
    fclose(out);
    const char *busy = strstr(shown, "busy\n    two modes: no winner\n    fast.cpu ");
    const char *mixed = strstr(shown, "mixed\n    clear.cpu ");
    const char *calm = strstr(shown, "calm\n    clear.cpu ");
    assert_non_null(busy);
    assert_non_null(strstr(busy, " provisionally\nmixed"));
    assert_non_null(mixed);
    assert_non_null(strstr(mixed, "    unclear.cpu "));
    assert_non_null(strstr(mixed, "two modes: does not rank\ncalm"));
    assert_non_null(calm);
    assert_null(strstr(calm, "unclear"));
    assert_null(strstr(shown, "slow.cpu"));
    assert_non_null(strstr(shown, "waits\n    host-bound: no winner\n    a.cuda "));
    assert_non_null(strstr(shown, "not alone\n    device shared: no winner\n    a.cuda "));
    assert_non_null(strstr(shown, "works\n    a.cuda "));
    free(shown);
    ndft_winners_free(&winners);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_passes_win),
        cmocka_unit_test(times_in_doubt_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
