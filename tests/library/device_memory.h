/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DEVICE_MEMORY_H
#define NDFT_DEVICE_MEMORY_H

#include "outside.h"

#include <dlfcn.h>

/* Memory of the device under test that is the test's: the host's of the processor and of a
 * stand-in, else the driver's, in the context of the first GPU, by its calls (CUDA driver API,
 * cuda.h). */

static inline bool is_of_the_host(void)
{
    return !strcmp(device_name(), "cpu") || getenv("NDFT_CUDA");
}

static inline void driver_call(const char *name, void *function)
{
    void *address = dlsym(dlopen("libcuda.so.1", RTLD_NOW), name);
    if (!address) fail_msg("the driver has no %s", name);
    memcpy(function, &address, sizeof address);
}

static inline void of_the_first_gpu(void)
{
    static void *context;
    int (*retain)(void **, int), (*set)(void *);
    driver_call("cuDevicePrimaryCtxRetain", &retain);
    driver_call("cuCtxSetCurrent", &set);
    if (!context) assert_int_equal(retain(&context, 0), 0);
    assert_int_equal(set(context), 0);
}

/* NULL: there is none. */
static inline void *device_take(size_t bytes)
{
    void *memory = NULL;
    unsigned long long address = 0;
    int (*take)(unsigned long long *, size_t);
    if (is_of_the_host()) return posix_memalign(&memory, 256, bytes) ? NULL : memory;
    of_the_first_gpu();
    driver_call("cuMemAlloc_v2", &take);
    return take(&address, bytes) ? NULL : (void *)(uintptr_t)address;
}

static inline void device_give(void *memory)
{
    int (*give)(unsigned long long);
    if (is_of_the_host()) {
        free(memory);
        return;
    }
    of_the_first_gpu();
    driver_call("cuMemFree_v2", &give);
    (void)give((uintptr_t)memory);
}

/* Between the host and the device, one way or the other; finished on return. */
static inline void device_copy(void *to, const void *from, size_t bytes)
{
    int (*copy)(unsigned long long, unsigned long long, size_t), (*wait)(void);
    if (is_of_the_host()) {
        memcpy(to, from, bytes);
        return;
    }
    of_the_first_gpu();
    driver_call("cuMemcpy", &copy);
    driver_call("cuCtxSynchronize", &wait);
    assert_int_equal(copy((uintptr_t)to, (uintptr_t)from, bytes), 0);
    assert_int_equal(wait(), 0); /* what comes from pageable memory may still be on its way */
}

#endif
