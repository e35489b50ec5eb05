/* SPDX-License-Identifier: Apache-2.0 */
#include "callback_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callback_texts.inc" /* the sources below as text, each STEM_text */

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

ndft_status ndft_module_compile(const ndft_transform *t, const char *program, int capability,
                                ndft_code kind, void **code, size_t *size, ndft_error *err)
{
    ndft_source_text all[SOURCES + 3];
    char text[2000], load[96], store[96];
    memcpy(all, sources, sizeof sources);
    int n = add_modules(t, all, SOURCES);
    include_all(all + SOURCES, n - SOURCES, program, text, sizeof text);
    for (int i = 0; i < PROGRAMS; i++)
        if (!strcmp(programs[i].name, program)) all[n++] = programs[i];
    snprintf(load, sizeof load, "-DNDFT_LOAD=%.80s", t->load ? t->load->name : "ndft_load_plain");
    snprintf(store, sizeof store, "-DNDFT_STORE=%.80s",
             t->store ? t->store->name : "ndft_store_plain");
    const char *options[] = {load, store, scalar_options[t->prec], in_options[t->prec][t->in.real],
                             out_options[t->prec][t->out.real]};
    const int n_options = sizeof options / sizeof *options;
    return ndft_nvrtc_compile(&(ndft_source_text){"plan", text}, all, n, options, n_options,
                              capability, kind, code, size, err);
}
