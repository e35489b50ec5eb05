/* SPDX-License-Identifier: Apache-2.0 */
#include "problem/kinds.h"
#include "uniform/callback/callback_module.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
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

/* As uniform_naive.cuda does, the passes around others, and uniform_vendor.cuda for cuFFT. */
static const char naive[] = "uniform_naive_called.cuh", pass[] = "callback_plan_called.cuh",
                  load[] = "uniform_vendor_load.cuh", store[] = "uniform_vendor_store.cuh";

static ndft_status compile(const ndft_transform *t, const char *program, void **code, size_t *size,
                           ndft_error *err)
{
    const bool linked = program == load || program == store;
    return ndft_module_compile(t, program, 90, linked ? NDFT_CODE_LTO : NDFT_CODE_CUBIN, code, size,
                               err);
}

static ndft_status try_kernel(const ndft_transform *t, const char *program, ndft_error *err)
{
    void *code = NULL;
    size_t size = 0;
    const ndft_status status = compile(t, program, &code, &size, err);
    if (status == NDFT_OK) assert_memory_equal(code, "\177ELF", 4);
    free(code);
    return status;
}

static ndft_status try_naive(const ndft_transform *t, ndft_error *err)
{
    return try_kernel(t, naive, err);
}

/* Each has one of the functions. */
static ndft_status try_passes(const ndft_transform *t, ndft_error *err)
{
    ndft_transform loads = *t, stores = *t;
    loads.store = NULL;
    stores.load = NULL;
    NDFT_TRY(try_kernel(&loads, pass, err));
    return try_kernel(&stores, pass, err);
}

static int needs_nvrtc(void **state)
{
    ndft_made made = made_of("uniform:scfo9 store=crop:4");
    ndft_error err;
    (void)state;
    const ndft_status status = try_naive(&made.uniform.transform, &err);
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
        if (try_naive(&made.uniform.transform, &err) != NDFT_OK ||
            try_passes(&made.uniform.transform, &err) != NDFT_OK)
            fail_msg("%s: %s", cases[i], err.message);
        ndft_made_free(&made);
    }
}

/* NVIDIA's linker of LTO code, by its reference: functions return 0 on success. */
typedef struct linker {
    int (*create)(void **handle, uint32_t n_options, const char **options);
    int (*add)(void *handle, int kind, const void *data, size_t size, const char *name);
    int (*complete)(void *handle);
    int (*log)(void *handle, char *);
    int (*destroy)(void **handle);
} linker;

static void find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    assert_non_null(symbol);
    memcpy(function, &symbol, sizeof symbol);
}

/* It stays loaded: what its C++ library keeps for exceptions would count as leaked without it. */
static bool open_linker(linker *l)
{
    void *library = dlopen("libnvJitLink.so.13", RTLD_NOW);
    if (!library) library = dlopen("libnvJitLink.so.12", RTLD_NOW);
    if (!library) return false;
    find(library, "nvJitLinkCreate", &l->create);
    find(library, "nvJitLinkAddData", &l->add);
    find(library, "nvJitLinkComplete", &l->complete);
    find(library, "nvJitLinkGetErrorLog", &l->log);
    find(library, "nvJitLinkDestroy", &l->destroy);
    return true;
}

static void add(const linker *l, void *handle, void *code, size_t size)
{
    const int lto_ir = 3;
    assert_int_equal(l->add(handle, lto_ir, code, size, "code"), 0);
    free(code);
}

/* The callbacks of a complex transform, called from a kernel by their declarations in C++. */
static void expect_links(const linker *l, const char *text)
{
    static const ndft_source_text kernel = {
        "kernel", "__device__ float2 ndft_fft_load(void *, unsigned long long, void *, void *);\n"
                  "__device__ void ndft_fft_store(void *, unsigned long long, float2, void *, "
                  "void *);\n"
                  "extern \"C\" __global__ void kernel(void *info)\n"
                  "{\n"
                  "    ndft_fft_store(0, 0, ndft_fft_load(0, 0, info, 0), info, 0);\n"
                  "}\n"};
    const char *options[] = {"-arch=sm_90", "-lto"};
    const char *programs[] = {load, store};
    ndft_made made = made_of(text);
    ndft_error err;
    void *handle = NULL, *code = NULL;
    size_t size = 0;
    char log[4000] = "";
    assert_int_equal(l->create(&handle, 2, options), 0);
    assert_int_equal(
        ndft_nvrtc_compile(&kernel, NULL, 0, options, 0, 90, NDFT_CODE_LTO, &code, &size, &err), 0);
    add(l, handle, code, size);
    for (int i = 0; i < 2; i++) {
        if (compile(&made.uniform.transform, programs[i], &code, &size, &err) != NDFT_OK)
            fail_msg("%s: %s", text, err.message);
        add(l, handle, code, size);
    }
    const int result = l->complete(handle);
    if (result) l->log(handle, log);
    if (result) fail_msg("%s: %.1000s", text, log);
    l->destroy(&handle);
    ndft_made_free(&made);
}

/* With cuFFT's kernels they are linked when a plan is made, on a GPU alone. */
static void callbacks_of_cufft_link(void **state)
{
    (void)state;
    linker l;
    if (!open_linker(&l)) {
        printf("skipped: %s\n", dlerror());
        skip();
    }
    expect_links(&l, "uniform:scfo9x8*3 load=zero_pad:5x4 store=crop:3x2");
    expect_links(&l, "uniform:scfo9*3 load=file:" NDFT_CALLBACK_MODULE
                     ":centred store=file:" NDFT_CALLBACK_MODULE ":half_of_even_rows");
}

/* What the compiler says, and where in the user's file. */
static void errors_come_through(void **state)
{
    (void)state;
    ndft_made made = made_of("uniform:scfo9 store=crop:4");
    ndft_callback broken = *made.uniform.transform.store;
    ndft_error err = {0};
    made.uniform.transform.store = &broken;
    broken.module = "mine/window.cu";
    broken.source =
        "#include <ndft/callback.h>\n"
        "NDFT_CALLBACK void crop(ndft_slot to, ndft_value value, const int64_t *index,\n"
        "                        const void *data) { ndft_wriet(to, value); }\n";
    assert_int_equal(try_naive(&made.uniform.transform, &err), NDFT_EINVAL);
    if (!strstr(err.message, "mine/window.cu(3): error: identifier \"ndft_wriet\" is undefined"))
        fail_msg("%s", err.message);
    broken.name = "crops";
    broken.source = "";
    assert_int_equal(try_naive(&made.uniform.transform, &err), NDFT_EINVAL);
    if (!strstr(err.message, "identifier \"crops\" is undefined")) fail_msg("%s", err.message);
    ndft_made_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_with_named_functions_compile),
        cmocka_unit_test(callbacks_of_cufft_link),
        cmocka_unit_test(errors_come_through),
    };
    return cmocka_run_group_tests(tests, needs_nvrtc, NULL);
}
