/* SPDX-License-Identifier: Apache-2.0 */
#include "libraries.h"

#include "build_facts.inc"
#include "fields.h"

#include "base/host_fft.h"

#include <gnu/libc-version.h>
#include <stdio.h>
#include <string.h>

const ndft_build_facts ndft_build_info = {
    .version = NDFT_FACT_VERSION,
    .commit = NDFT_FACT_COMMIT,
    .dirty = NDFT_FACT_DIRTY,
    .cc = NDFT_FACT_CC,
    .nvcc = NDFT_FACT_NVCC,
    .flags = NDFT_FACT_FLAGS,
    .type = NDFT_FACT_TYPE,
};

json_t *ndft_libraries(void)
{
    const ndft_cuda_versions cuda = ndft_cuda_versions_find();
    return json_pack("{s:s, s:o?, s:o?, s:o?, s:o?, s:o?, s:o?, s:s}", "libc",
                     gnu_get_libc_version(), "fftw", ndft_field_of_text(ndft_host_fft_version()),
                     "cuda_runtime", ndft_field_of_text(cuda.runtime), "cuda_driver",
                     ndft_field_of_text(cuda.driver), "cufft", ndft_field_of_text(cuda.cufft),
                     "nvrtc", ndft_field_of_text(cuda.nvrtc), "nvjitlink",
                     ndft_field_of_text(cuda.nvjitlink), "jansson", jansson_version_str());
}

void ndft_toolchain(const char *backend, char *text, size_t size)
{
    const ndft_build_facts *b = &ndft_build_info;
    if (!strcmp(backend, "cpu")) {
        snprintf(text, size, "%s, libc %s, %s", b->cc, gnu_get_libc_version(),
                 ndft_host_fft_version());
        return;
    }
    const ndft_cuda_versions cuda = ndft_cuda_versions_find();
    snprintf(text, size, "%s, %s, runtime %s, driver %s, cuFFT %s", b->cc, b->nvcc, cuda.runtime,
             cuda.driver, cuda.cufft);
}
