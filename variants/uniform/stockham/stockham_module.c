/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_module.h"

#include "uniform/callback/code_cache.h"

#include <dlfcn.h>
#include <pthread.h>

#include "stockham_texts.inc" /* the sources below as text, each STEM_text */

static const ndft_source_text sources[] = {
    {"core/complex.cuh", complex_text},
    {"small_dft.cuh", small_dft_text},
    {"radix_dft.cuh", radix_dft_text},
    {"fft/odd_dft.cuh", odd_dft_text},
    {"stockham_prime.cuh", stockham_prime_text},
    {"stockham_memory.cuh", stockham_memory_text},
    {"stockham_copy.cuh", stockham_copy_text},
    {"stockham_pass.cuh", stockham_pass_text},
    {"stockham_folded.cuh", stockham_folded_text},
    {"stockham_mirrored.cuh", stockham_mirrored_text},
    {"stockham_whole.cuh", stockham_whole_text},
    {"stockham_convolved.cuh", stockham_convolved_text},
    {"stockham_called.cuh", stockham_called_text},
};

enum { SOURCES = sizeof sources / sizeof *sources };

static bool found;

static void find(void)
{
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
    for (size_t i = 0; !found && i < sizeof names / sizeof *names; i++)
        found = dlopen(names[i], RTLD_NOW | RTLD_LOCAL) != NULL;
}

bool ndft_stockham_compiler_found(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT; /* plans are made at once */
    pthread_once(&once, find);
    return found;
}

ndft_status ndft_stockham_compile(const ndft_transform *t, int pass, const ndft_pass *p,
                                  const ndft_stockham_line *line, int capability, void **code,
                                  size_t *size, ndft_error *err)
{
    char text[NDFT_STOCKHAM_TEXT];
    const ndft_stockham_calls calls = ndft_stockham_calls_of(t, pass);
    ndft_stockham_write(p, line, t->prec, &calls, text);
    const ndft_source_text program = {"stockham", text};
    if (calls.load || calls.store)
        return ndft_module_compile_with(t, &program, sources, SOURCES, capability, NDFT_CODE_CUBIN,
                                        code, size, err);
    return ndft_nvrtc_compile_once(&program, sources, SOURCES, capability, code, size, err);
}
