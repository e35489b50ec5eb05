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
    {"ndft/problem.h", problem_text},
    {"ndft/slot.h", callback_slot_text},
    {"ndft/callback.h", callback_text},
    {"ndft/uniform.h", uniform_text},
    {"uniform_index.cuh", uniform_index_text},
    {"callback_access.cuh", callback_access_text},
    {"uniform_naive_kernel.cuh", uniform_naive_kernel_text},
    {"uniform_naive_called.cuh", uniform_naive_called_text},
};

enum { SOURCES = sizeof sources / sizeof *sources };

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

ndft_status ndft_module_compile(const ndft_transform *t, const char *program, int capability,
                                ndft_code kind, void **code, size_t *size, ndft_error *err)
{
    ndft_source_text headers[SOURCES + 2];
    char text[1400], load[96], store[96];
    int length = 0;
    memcpy(headers, sources, sizeof sources);
    const int n = add_modules(t, headers, SOURCES);
    for (int i = SOURCES; i < n; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "#include \"%.600s\"\n",
                           headers[i].name);
    snprintf(text + length, sizeof text - (size_t)length, "#include \"%s\"\n", program);
    snprintf(load, sizeof load, "-DNDFT_LOAD=%.80s", t->load ? t->load->name : "ndft_load_plain");
    snprintf(store, sizeof store, "-DNDFT_STORE=%.80s",
             t->store ? t->store->name : "ndft_store_plain");
    const char *options[] = {load, store,
                             t->prec == NDFT_F32 ? "-DNDFT_SCALAR=float" : "-DNDFT_SCALAR=double"};
    return ndft_nvrtc_compile(&(ndft_source_text){"plan", text}, headers, n, options, 3, capability,
                              kind, code, size, err);
}
