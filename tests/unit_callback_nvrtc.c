/* SPDX-License-Identifier: Apache-2.0 */
#include "kinds.h"
#include "uniform/callback_module.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Load and store functions compiled into kernels, which needs NVRTC and no GPU. */

static ndft_made made_of(const char *text)
{
    ndft_case c;
    ndft_made made = {.image = NULL};
    ndft_error err;
    if (ndft_case_parse(text, &c, &err) != NDFT_OK ||
        ndft_uniform_kind.make(&c, &made, &err) != NDFT_OK)
        fail_msg("%s: %s", text, err.message);
    return made;
}

/* As uniform_naive.cuda and uniform_vendor.cuda do. */
static ndft_status compile(const ndft_transform *t, ndft_code kind, size_t *size, ndft_error *err)
{
    const bool naive = kind == NDFT_CODE_CUBIN;
    void *code = NULL;
    const ndft_status status =
        ndft_module_compile(t, naive ? "uniform_naive_called.cuh" : "uniform_vendor_called.cuh", 90,
                            kind, &code, size, err);
    if (status == NDFT_OK && kind == NDFT_CODE_CUBIN) assert_memory_equal(code, "\177ELF", 4);
    free(code);
    return status;
}

static int needs_nvrtc(void **state)
{
    ndft_made made = made_of("uniform:scfo9 store=crop:4");
    ndft_error err;
    size_t size;
    (void)state;
    const ndft_status status = compile(&made.uniform.transform, NDFT_CODE_CUBIN, &size, &err);
    ndft_made_free(&made);
    if (status == NDFT_OK) return 0;
    if (status != NDFT_EDEVICE) fail_msg("%s", err.message);
    printf("skipped: %s\n", err.message);
    exit(77);
}

static void kernels_with_named_functions_compile(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "uniform:scfo9x8*3 load=zero_pad:5x4 store=crop:3x2",
        "uniform:drbi9*3 load=zero_pad:5 store=deapodise:6",
        "uniform:drfo9*3 load=file:" NDFT_CALLBACK_MODULE ":centred",
        "uniform:scfo9*3 load=zero_pad:5 store=file:" NDFT_CALLBACK_MODULE ":half_of_even_rows",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ndft_made made = made_of(cases[i]);
        ndft_error err;
        for (ndft_code kind = NDFT_CODE_CUBIN; kind <= NDFT_CODE_LTO; kind++) {
            size_t size = 0;
            if (compile(&made.uniform.transform, kind, &size, &err) != NDFT_OK)
                fail_msg("%s: %s", cases[i], err.message);
            assert_in_range(size, 1000, 1000000);
        }
        ndft_made_free(&made);
    }
}

/* What the compiler says, and where in the user's file. */
static void errors_come_through(void **state)
{
    (void)state;
    ndft_made made = made_of("uniform:scfo9 store=crop:4");
    ndft_callback broken = *made.uniform.transform.store;
    ndft_error err = {0};
    size_t size;
    made.uniform.transform.store = &broken;
    broken.module = "mine/window.cu";
    broken.source =
        "#include <ndft/callback.h>\n"
        "NDFT_CALLBACK void crop(ndft_slot to, ndft_value value, const int64_t *index,\n"
        "                        const void *data) { ndft_wriet(to, value); }\n";
    assert_int_equal(compile(&made.uniform.transform, NDFT_CODE_CUBIN, &size, &err), NDFT_EINVAL);
    if (!strstr(err.message, "mine/window.cu(3): error: identifier \"ndft_wriet\" is undefined"))
        fail_msg("%s", err.message);
    broken.name = "crops";
    broken.source = "";
    assert_int_equal(compile(&made.uniform.transform, NDFT_CODE_CUBIN, &size, &err), NDFT_EINVAL);
    if (!strstr(err.message, "identifier \"crops\" is undefined")) fail_msg("%s", err.message);
    ndft_made_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_with_named_functions_compile),
        cmocka_unit_test(errors_come_through),
    };
    return cmocka_run_group_tests(tests, needs_nvrtc, NULL);
}
