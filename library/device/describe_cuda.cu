/* SPDX-License-Identifier: Apache-2.0 */
#include "describe_cuda.cuh"

#include <cctype>
#include <cstdio>
#include <cstring>

namespace
{

/* "NVIDIA GeForce RTX 4090" -> "geforce-rtx-4090". */
void make_slug(const char *name, char *slug, size_t size)
{
    if (!strncmp(name, "NVIDIA ", 7)) name += 7;
    size_t used = 0;
    for (; *name && used + 1 < size; name++)
        slug[used++] = isalnum((unsigned char)*name) ? (char)tolower((unsigned char)*name) : '-';
    slug[used] = 0;
}

/* What a call has written, 0 where it failed. */
int known(cudaError_t error, int value) { return error == cudaSuccess ? value : 0; }

__global__ void any_kernel() {}

/* The capability that kernels were compiled for. Where the driver makes them of PTX for 8.0,
 * nothing of later ones is in them, whatever the device. */
int code_of()
{
    cudaFuncAttributes attributes = {};
    const cudaError_t asked = cudaFuncGetAttributes(&attributes, any_kernel);
    return known(asked, attributes.ptxVersion);
}

} // namespace

void ndft_cuda::describe(int index, const cudaDeviceProp &prop, ndft_device *device)
{
    device->backend = "cuda";
    snprintf(device->name, sizeof device->name, "%.95s", prop.name);
    make_slug(prop.name, device->slug, sizeof device->slug);
    device->units = prop.multiProcessorCount;
    device->memory_bytes = prop.totalGlobalMem;
    device->l2_bytes = (size_t)prop.l2CacheSize;
    device->shared_bytes = prop.sharedMemPerBlockOptin;
    device->capability = 10 * prop.major + prop.minor;
    device->code = code_of();
    int khz = 0, bits = 0, driver = 0, runtime = 0;
    cudaError_t asked = cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, index);
    device->clock_mhz = known(asked, khz) / 1000.0;
    asked = cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, index);
    device->bytes_s = 2 * known(asked, bits) / 8.0; /* at both edges of a cycle */
    asked = cudaDeviceGetAttribute(&khz, cudaDevAttrMemoryClockRate, index);
    device->bytes_s *= 1e3 * known(asked, khz);
    asked = cudaDriverGetVersion(&driver);
    driver = known(asked, driver);
    asked = cudaRuntimeGetVersion(&runtime);
    runtime = known(asked, runtime);
    snprintf(device->driver, sizeof device->driver, "CUDA driver %d.%d, runtime %d.%d",
             driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
}
