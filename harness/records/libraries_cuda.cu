/* SPDX-License-Identifier: Apache-2.0 */
#include "libraries.h"

#include "base/cufft.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdio.h>

/* No device is opened for any of this. */

static void print_cuda(int version, char text[NDFT_VERSION_TEXT])
{
    snprintf(text, NDFT_VERSION_TEXT, "%d.%d", version / 1000, version % 1000 / 10);
}

/* Of a library that is loaded by name where transforms have load or store functions, by its own
 * function int NAME(major, minor). */
static void print_loaded(const char *library, const char *function, char text[NDFT_VERSION_TEXT])
{
    char name[64];
    int major = 0, minor = 0;
    snprintf(name, sizeof name, "%s.so.%d", library, CUDART_VERSION / 1000);
    void *opened = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    void *symbol = opened ? dlsym(opened, function) : nullptr;
    if (symbol && !reinterpret_cast<int (*)(int *, int *)>(symbol)(&major, &minor))
        snprintf(text, NDFT_VERSION_TEXT, "%d.%d", major, minor);
}

extern "C" ndft_cuda_versions ndft_cuda_versions_find(void)
{
    ndft_cuda_versions versions = {};
    int version = 0;
    if (cudaRuntimeGetVersion(&version) == cudaSuccess && version)
        print_cuda(version, versions.runtime);
    if (cudaDriverGetVersion(&version) == cudaSuccess && version)
        print_cuda(version, versions.driver);
    snprintf(versions.cufft, NDFT_VERSION_TEXT, "%s", ndft_cufft_version());
    print_loaded("libnvrtc", "nvrtcVersion", versions.nvrtc);
    print_loaded("libnvJitLink", "nvJitLinkVersion", versions.nvjitlink);
    return versions;
}
