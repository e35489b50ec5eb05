/* SPDX-License-Identifier: Apache-2.0 */
#include "libraries.h"

#include "build_info.h"
#include "fft/fft_fftw.h"

#include <gnu/libc-version.h>
#include <stdio.h>
#include <string.h>

static json_t *text_or_null(const char *text) { return text[0] ? json_string(text) : json_null(); }

json_t *ndft_libraries(void)
{
    const ndft_cuda_versions cuda = ndft_cuda_versions_find();
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:s}", "libc", gnu_get_libc_version(), "fftw",
                     text_or_null(ndft_fft_version()), "cuda_runtime", text_or_null(cuda.runtime),
                     "cuda_driver", text_or_null(cuda.driver), "cufft", text_or_null(cuda.cufft),
                     "jansson", jansson_version_str());
}

void ndft_toolchain(const char *backend, char *text, size_t size)
{
    const ndft_build_facts *b = &ndft_build_info;
    if (!strcmp(backend, "cpu")) {
        snprintf(text, size, "%s, libc %s, %s", b->cc, gnu_get_libc_version(), ndft_fft_version());
        return;
    }
    const ndft_cuda_versions cuda = ndft_cuda_versions_find();
    snprintf(text, size, "%s, %s, runtime %s, driver %s, cuFFT %s", b->cc, b->nvcc, cuda.runtime,
             cuda.driver, cuda.cufft);
}
