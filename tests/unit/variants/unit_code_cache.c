/* SPDX-License-Identifier: Apache-2.0 */
/* What was compiled is kept, by a compiler that counts its calls. */
#define ndft_nvrtc_compile counted_compile
#define ndft_nvrtc_version told_version
#define ndft_nvrtc_compile_once compile_once
#include "uniform/callback/code_cache.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static int compiled, version = 13000;

ndft_status told_version(int *told, ndft_error *err)
{
    (void)err;
    *told = version;
    return NDFT_OK;
}

/* Code is the source, and how many were compiled before it. */
ndft_status counted_compile(const ndft_source_text *program, const ndft_source_text *headers,
                            int n_headers, const char *const *options, int n_options,
                            int capability, ndft_code kind, void **code, size_t *size,
                            ndft_error *err)
{
    (void)headers, (void)n_headers, (void)options, (void)capability, (void)kind;
    assert_int_equal(n_options, 0);
    *size = 100;
    *code = calloc(*size, 1);
    if (!*code) return ndft_fail(err, NDFT_ENOMEM, "no memory");
    snprintf(*code, *size, "%s %d", program->text, compiled++);
    return NDFT_OK;
}

static void expect(const char *source, const char *header, int capability, const char *wanted)
{
    const ndft_source_text program = {"p", source}, headers[] = {{"h", header}};
    void *code = NULL;
    size_t size = 0;
    ndft_error err;
    assert_int_equal(compile_once(&program, headers, 1, capability, &code, &size, &err), NDFT_OK);
    assert_int_equal(size, 100);
    assert_string_equal(code, wanted);
    free(code);
}

static void start(void)
{
    forget_all();
    compiled = 0;
}

static void of_the_same_process_it_is_kept(void **state)
{
    (void)state;
    setenv("NDFT_CACHE", "", 1);
    start();
    expect("a", "h", 90, "a 0");
    expect("a", "h", 90, "a 0");
    expect("a", "i", 90, "a 1");
    expect("a", "h", 80, "a 2");
    expect("b", "h", 90, "b 3");
    version++;
    expect("a", "h", 90, "a 4");
    version--;
    expect("a", "h", 90, "a 0");
    start();
}

static void change(const char *folder, const char *how)
{
    char command[160];
    snprintf(command, sizeof command, "for f in %s/code-*; do %s; done", folder, how);
    if (system(command)) fail_msg("%s", command);
}

static void of_other_processes_unless_damaged(void **state)
{
    (void)state;
    char folder[] = "ndft-cache-XXXXXX", command[64];
    assert_non_null(mkdtemp(folder));
    setenv("NDFT_CACHE", folder, 1);
    start();
    compiled = 7;
    expect("a", "h", 90, "a 7");
    start(); /* as another process */
    expect("a", "h", 90, "a 7");
    expect("b", "h", 90, "b 0");
    start();
    change(folder, "printf x | dd of=$f bs=1 seek=150 conv=notrunc 2>/dev/null");
    expect("a", "h", 90, "a 0");
    start();
    expect("a", "h", 90, "a 0"); /* mended */
    start();
    change(folder, "truncate -s 60 $f");
    compiled = 3;
    expect("a", "h", 90, "a 3");
    start();
    setenv("NDFT_CACHE", "/dev/null/nowhere", 1);
    expect("a", "h", 90, "a 0");
    start();
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_the_same_process_it_is_kept),
        cmocka_unit_test(of_other_processes_unless_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
