/* SPDX-License-Identifier: Apache-2.0 */
#include "records/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static void count_lines(void *context, const json_t *record)
{
    assert_true(json_is_object(record));
    ++*(int *)context;
}

static int lines_of(const char *path)
{
    int n = 0;
    ndft_error err;
    assert_int_equal(ndft_log_read(path, count_lines, &n, &err), NDFT_OK);
    return n;
}

static void a_torn_last_line_is_mended(void **state)
{
    (void)state;
    char folder[] = "/tmp/ndft-log-XXXXXX", path[96], below[64];
    assert_non_null(mkdtemp(folder));
    snprintf(below, sizeof below, "%s/new", folder);
    snprintf(path, sizeof path, "%s/log.jsonl", below);
    ndft_log log;
    ndft_error err;
    assert_int_equal(ndft_log_open(path, NDFT_LOG_NEW, &log, &err), NDFT_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(ndft_log_write(&log, json_pack("{s:i}", "i", i), &err), NDFT_OK);
    ndft_log_close(&log);
    assert_int_equal(lines_of(path), 2);
    assert_int_equal(truncate(path, 12), 0); /* {"i":0}\n is 8 bytes */
    assert_int_equal(lines_of(path), 1);
    assert_int_equal(ndft_log_open(path, NDFT_LOG_APPEND, &log, &err), NDFT_OK);
    assert_int_equal(ndft_log_write(&log, json_pack("{s:i}", "i", 2), &err), NDFT_OK);
    ndft_log_close(&log);
    assert_int_equal(lines_of(path), 2); /* the torn line stays, alone */
    remove(path);
    rmdir(below);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_torn_last_line_is_mended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
