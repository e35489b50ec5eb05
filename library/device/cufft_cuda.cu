/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cufft.h"

#include <cstdio>

#if __has_include(<cufftXt.h>)

#include "base/cufft_calls.cuh"

#include <dlfcn.h>

namespace
{

enum { MAJOR = CUFFT_VERSION / 1000 };

struct library {
    bool there;
    ndft_cufft_calls calls;
    char version[32], missing[200];
};

void *open_library()
{
    char name[32], path[64];
    snprintf(name, sizeof name, "libcufft.so.%d", MAJOR);
    snprintf(path, sizeof path, "/usr/local/cuda/lib64/%s", name);
    void *found = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    return found ? found : dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

template <class F> bool take(void *from, const char *name, F *call)
{
    *call = reinterpret_cast<F>(dlsym(from, name));
    return *call != nullptr;
}

bool take_calls(void *from, ndft_cufft_calls *c)
{
    return take(from, "cufftCreate", &c->create) && take(from, "cufftDestroy", &c->destroy) &&
           take(from, "cufftSetAutoAllocation", &c->set_auto_allocation) &&
           take(from, "cufftSetStream", &c->set_stream) &&
           take(from, "cufftSetWorkArea", &c->set_work_area) &&
           take(from, "cufftXtSetJITCallback", &c->set_callback) &&
           take(from, "cufftMakePlanMany64", &c->make_plan) &&
           take(from, "cufftExecC2C", &c->c2c) && take(from, "cufftExecR2C", &c->r2c) &&
           take(from, "cufftExecC2R", &c->c2r) && take(from, "cufftExecZ2Z", &c->z2z) &&
           take(from, "cufftExecD2Z", &c->d2z) && take(from, "cufftExecZ2D", &c->z2d) &&
           take(from, "cufftGetVersion", &c->version);
}

library find_library()
{
    library l = {};
    int version = 0;
    void *found = open_library();
    l.there = found && take_calls(found, &l.calls);
    if (l.there && l.calls.version(&version) == CUFFT_SUCCESS)
        snprintf(l.version, sizeof l.version, "%d.%d.%d", version / 1000, version % 1000 / 100,
                 version % 100);
    if (!l.there)
        snprintf(
            l.missing, sizeof l.missing,
            "it needs cuFFT, and libcufft.so.%d was not found: it is in the CUDA Toolkit and in "
            "nvidia-cufft (PyPI); let the loader find it",
            MAJOR);
    return l;
}

const library &found()
{
    static const library l = find_library();
    return l;
}

} // namespace

const ndft_cufft_calls *ndft_cufft_calls_find() { return found().there ? &found().calls : nullptr; }

const char *ndft_cufft_missing(void) { return found().there ? nullptr : found().missing; }

const char *ndft_cufft_version(void) { return found().version; }

#else

const char *ndft_cufft_missing(void) { return "built without cuFFT"; }

const char *ndft_cufft_version(void) { return ""; }

#endif
