/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/cgroup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* Limits of memory, in folders that are made up as the kernel shows them. */

enum { MOST_PATH = 256 };

static char root[MOST_PATH / 2];

static void put(const char *name, const char *text)
{
    char path[MOST_PATH];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(root, "/tmp/ndft-cgroup-XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[MOST_PATH];
    snprintf(command, sizeof command, "rm -r '%s'", root);
    return system(command);
}

static void expect(const char *named, size_t most, size_t left)
{
    char path[MOST_PATH], mounted[MOST_PATH];
    put("cgroup", named);
    snprintf(path, sizeof path, "%s/cgroup", root);
    snprintf(mounted, sizeof mounted, "%s/fs", root);
    const ndft_cgroup found = ndft_cgroup_memory(path, mounted);
    assert_int_equal(found.most, most);
    assert_int_equal(found.left, left);
}

static void nobody_limits(void **state)
{
    (void)state;
    expect("", SIZE_MAX, SIZE_MAX);
    expect("no colon\n1:one\n0::/a/b\n", SIZE_MAX, SIZE_MAX);
    put("fs/a/memory.max", "max\n");
    put("fs/a/memory.current", "7\n");
    expect("0::/a/b\n", SIZE_MAX, SIZE_MAX);
}

/* Files that are kept in memory can be dropped; the least of all that are above counts. */
static void second_version(void **state)
{
    (void)state;
    put("fs/a/b/memory.max", "1000\n");
    put("fs/a/b/memory.current", "700\n");
    put("fs/a/b/memory.stat", "anon 1\nactive_file 100\ninactive_file 50\nfile 400\n");
    expect("0::/a/b\n", 1000, 450);
    put("fs/a/memory.max", "5000\n");
    put("fs/a/memory.current", "4900\n");
    expect("0::/a/b\n", 1000, 100);
    expect("0::/a/b/gone\n", 1000, 100);
    put("fs/a/memory.current", "6000\n");
    expect("0::/a/b\n", 1000, 0);
    put("fs/memory.max", "900\n"); /* a container's own */
    put("fs/memory.current", "10\n");
    expect("0::/\n", 900, 890);
}

static void first_version(void **state)
{
    (void)state;
    put("fs/memory/job/memory.limit_in_bytes", "1000\n");
    put("fs/memory/job/memory.usage_in_bytes", "300\n");
    put("fs/memory/job/memory.stat",
        "active_file 9\ntotal_active_file 10\ntotal_inactive_file 5\n");
    put("fs/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("fs/memory/memory.usage_in_bytes", "0\n");
    expect("9:cpu,cpuacct:/job\n4:hugetlb,memory:/job\n0::/\n", 1000, 715);
    expect("4:memory:/docker/0123\n", 9223372036854771712u, 9223372036854771712u);
    expect("4:memory_like:/job\n", SIZE_MAX, SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nobody_limits, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(second_version, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(first_version, make_folder, remove_folder)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
