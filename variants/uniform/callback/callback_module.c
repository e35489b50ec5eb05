/* SPDX-License-Identifier: Apache-2.0 */
#include "callback_module.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callback_texts.inc" /* the sources below as text, each STEM_text */

/* Prototypes as in NVIDIA's NVRTC reference: a program is an opaque pointer, every function returns
 * 0 on success. */
typedef struct nvrtc {
    int (*create)(void **program, const char *text, const char *name, int n_headers,
                  const char *const *headers, const char *const *names);
    int (*destroy)(void **program);
    int (*compile)(void *program, int n_options, const char *const *options);
    int (*log_size)(void *program, size_t *);
    int (*log)(void *program, char *);
    int (*code_size[2])(void *program, size_t *); /* by ndft_code */
    int (*code[2])(void *program, char *);
    const char *(*error_text)(int);
    int (*version)(int *major, int *minor);
} nvrtc;

enum { MAX_TEXTS = 30, MAX_OPTIONS = 16 };

/* ISO C has no conversion from an object to a function pointer; POSIX promises the bits agree. */
static bool load(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static bool load_all(nvrtc *n, void *library)
{
    return load(library, "nvrtcCreateProgram", &n->create) &&
           load(library, "nvrtcDestroyProgram", &n->destroy) &&
           load(library, "nvrtcCompileProgram", &n->compile) &&
           load(library, "nvrtcGetProgramLogSize", &n->log_size) &&
           load(library, "nvrtcGetProgramLog", &n->log) &&
           load(library, "nvrtcGetErrorString", &n->error_text) &&
           load(library, "nvrtcVersion", &n->version) &&
           load(library, "nvrtcGetCUBINSize", &n->code_size[NDFT_CODE_CUBIN]) &&
           load(library, "nvrtcGetCUBIN", &n->code[NDFT_CODE_CUBIN]) &&
           load(library, "nvrtcGetLTOIRSize", &n->code_size[NDFT_CODE_LTO]) &&
           load(library, "nvrtcGetLTOIR", &n->code[NDFT_CODE_LTO]);
}

/* The library stays loaded, since others may hold it as well. */
static ndft_status open_library(nvrtc *n, ndft_error *err)
{
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (!library) continue;
        if (load_all(n, library)) return NDFT_OK;
        dlclose(library);
    }
    return ndft_fail(err, NDFT_EDEVICE,
                     "callbacks are compiled by NVRTC of the CUDA Toolkit, 12 or later: no "
                     "libnvrtc.so was found; LD_LIBRARY_PATH can say where it is");
}

static ndft_status refused(const nvrtc *n, const char *what, int result, ndft_error *err)
{
    return ndft_fail(err, NDFT_EDEVICE, "NVRTC: %s: %s", what, n->error_text(result));
}

/* What the compiler has said, as the message. */
static ndft_status complain(const nvrtc *n, void *program, int result, ndft_error *err)
{
    size_t size = 0;
    if (n->log_size(program, &size) || size < 2) return refused(n, "compiling", result, err);
    char *log = calloc(size + 1, 1);
    if (!log) return ndft_fail(err, NDFT_ENOMEM, "no memory for what NVRTC says");
    const int lost = n->log(program, log);
    const ndft_status status =
        lost ? refused(n, "compiling", result, err) : ndft_fail(err, NDFT_EINVAL, "%.1000s", log);
    free(log);
    return status;
}

static ndft_status take_code(const nvrtc *n, void *program, ndft_code kind, void **code,
                             size_t *size, ndft_error *err)
{
    int result = n->code_size[kind](program, size);
    if (result) return refused(n, "the code's size", result, err);
    *code = malloc(*size);
    if (!*code) return ndft_fail(err, NDFT_ENOMEM, "no memory for code of %zu bytes", *size);
    result = n->code[kind](program, *code);
    if (!result) return NDFT_OK;
    free(*code);
    *code = NULL;
    return refused(n, "the code", result, err);
}

ndft_status ndft_nvrtc_version(int *version, ndft_error *err)
{
    nvrtc n = {.create = NULL};
    int major = 0, minor = 0;
    NDFT_TRY(open_library(&n, err));
    const int result = n.version(&major, &minor);
    *version = 1000 * major + minor;
    return result ? refused(&n, "its version", result, err) : NDFT_OK;
}

ndft_status ndft_nvrtc_compile(const ndft_source_text *program, const ndft_source_text *headers,
                               int n_headers, const char *const *options, int n_options,
                               int capability, ndft_code kind, void **code, size_t *size,
                               ndft_error *err)
{
    nvrtc n = {.create = NULL};
    const char *texts[MAX_TEXTS], *names[MAX_TEXTS], *all[MAX_OPTIONS + 6];
    char architecture[32];
    void *compiled = NULL;
    *code = NULL;
    if (n_headers > MAX_TEXTS || n_options > MAX_OPTIONS)
        return ndft_fail(err, NDFT_EINVAL, "too many sources or options for NVRTC");
    NDFT_TRY(open_library(&n, err));
    for (int i = 0; i < n_headers; i++) {
        texts[i] = headers[i].text;
        names[i] = headers[i].name;
    }
    if (n_options) memcpy(all, options, (size_t)n_options * sizeof *all);
    snprintf(architecture, sizeof architecture, "--gpu-architecture=sm_%d", capability);
    all[n_options++] = architecture;
    all[n_options++] = "--std=c++17";
    all[n_options++] = "--disable-warnings";
    all[n_options++] = "--device-as-default-execution-space";
    if (kind == NDFT_CODE_LTO) {
        all[n_options++] = "--dlink-time-opt";
        all[n_options++] = "--relocatable-device-code=true";
    }
    int result = n.create(&compiled, program->text, program->name, n_headers, texts, names);
    if (result) return refused(&n, "its program", result, err);
    result = n.compile(compiled, n_options, all);
    const ndft_status status = result ? complain(&n, compiled, result, err)
                                      : take_code(&n, compiled, kind, code, size, err);
    n.destroy(&compiled);
    return status;
}

/* NVRTC has none of C's own headers. */
static const char integers[] = "typedef long long int64_t;\n"
                               "typedef unsigned long long uint64_t;\n"
                               "typedef int int32_t;\n"
                               "typedef unsigned uint32_t;\n"
                               "typedef unsigned long uintptr_t;\n";

static const ndft_source_text sources[] = {
    {"stdint.h", integers},
    {"stdbool.h", ""},
    {"stddef.h", "#define NULL nullptr\n"},
    {"ndft/types.h", types_text},
    {"ndft/slot.h", callback_slot_text},
    {"callback_slot.cuh", callback_slot_text},
    {"ndft/callback.h", callback_text},
    {"ndft/tensor.h", tensor_text},
    {"base/problem.h", problem_text},
    {"base/uniform.h", uniform_text},
    {"uniform_index.cuh", uniform_index_text},
    {"callback_access.cuh", callback_access_text},
    {"uniform_naive_kernel.cuh", uniform_naive_kernel_text},
    {"uniform_vendor_info.cuh", uniform_vendor_info_text},
};

static const ndft_source_text programs[] = {
    {"callback_plan_called.cuh", callback_plan_called_text},
    {"uniform_naive_called.cuh", uniform_naive_called_text},
    {"uniform_vendor_load.cuh", uniform_vendor_load_text},
    {"uniform_vendor_store.cuh", uniform_vendor_store_text},
};

enum { SOURCES = sizeof sources / sizeof *sources, PROGRAMS = sizeof programs / sizeof *programs };

/* By precision, and whether real. */
static const char *const scalar_options[] = {"-DNDFT_SCALAR=float", "-DNDFT_SCALAR=double"};
static const char *const in_options[][2] = {{"-DNDFT_IN=float2", "-DNDFT_IN=float"},
                                            {"-DNDFT_IN=double2", "-DNDFT_IN=double"}};
static const char *const out_options[][2] = {{"-DNDFT_OUT=float2", "-DNDFT_OUT=float"},
                                             {"-DNDFT_OUT=double2", "-DNDFT_OUT=double"}};

/* The functions' modules, those of the same source once. */
static int add_modules(const ndft_transform *t, ndft_source_text *headers, int n)
{
    const ndft_callback *given[] = {t->load, t->store};
    for (int i = 0; i < 2; i++) {
        const ndft_callback *c = given[i];
        const bool again = i && c && t->load && !strcmp(c->module, t->load->module);
        if (c && !again) headers[n++] = (ndft_source_text){c->module, c->source};
    }
    return n;
}

/* Includes n modules in an unnamed namespace, since what they define is linked into one kernel with
 * other codes of the same modules, then the program. */
static void include_all(const ndft_source_text *modules, int n, const char *program, char *text,
                        size_t size)
{
    size_t length = (size_t)snprintf(text, size, "#include <ndft/callback.h>\nnamespace {\n");
    for (int i = 0; i < n; i++)
        length += (size_t)snprintf(text + length, size - length, "#include \"%.600s\"\n",
                                   modules[i].name);
    snprintf(text + length, size - length, "}\n#include \"%s\"\n", program);
}

ndft_status ndft_module_compile_with(const ndft_transform *t, const ndft_source_text *program,
                                     const ndft_source_text *headers, int n_headers, int capability,
                                     ndft_code kind, void **code, size_t *size, ndft_error *err)
{
    ndft_source_text all[MAX_TEXTS];
    char text[2000], load[96], store[96];
    if (SOURCES + 3 + n_headers > MAX_TEXTS)
        return ndft_fail(err, NDFT_EINVAL, "too many sources for NVRTC");
    memcpy(all, sources, sizeof sources);
    int n = add_modules(t, all, SOURCES);
    include_all(all + SOURCES, n - SOURCES, program->name, text, sizeof text);
    all[n++] = *program;
    for (int i = 0; i < n_headers; i++) all[n++] = headers[i];
    snprintf(load, sizeof load, "-DNDFT_LOAD=%.80s", t->load ? t->load->name : "ndft_load_plain");
    snprintf(store, sizeof store, "-DNDFT_STORE=%.80s",
             t->store ? t->store->name : "ndft_store_plain");
    const char *options[] = {load, store, scalar_options[t->prec], in_options[t->prec][t->in.real],
                             out_options[t->prec][t->out.real]};
    const int n_options = sizeof options / sizeof *options;
    return ndft_nvrtc_compile(&(ndft_source_text){"plan", text}, all, n, options, n_options,
                              capability, kind, code, size, err);
}

ndft_status ndft_module_compile(const ndft_transform *t, const char *program, int capability,
                                ndft_code kind, void **code, size_t *size, ndft_error *err)
{
    ndft_source_text found = {program, ""};
    for (int i = 0; i < PROGRAMS; i++)
        if (!strcmp(programs[i].name, program)) found = programs[i];
    return ndft_module_compile_with(t, &found, NULL, 0, capability, kind, code, size, err);
}
