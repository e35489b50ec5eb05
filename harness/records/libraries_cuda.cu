/* SPDX-License-Identifier: Apache-2.0 */
#include "libraries.h"

#include "base/cufft.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

/* No device is opened for any of this. */

static void print_cuda(int version, char text[NDFT_VERSION_TEXT])
{
    snprintf(text, NDFT_VERSION_TEXT, "%d.%d", version / 1000, version % 1000 / 10);
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
    return versions;
}
