/* SPDX-License-Identifier: Apache-2.0 */
#include "base/host_fft.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct host_fft {
    bool there;
    ndft_fftw calls[2];      /* by precision */
    void **threads_begin[2]; /* where FFTW's threads come in, NULL: nowhere yet */
    char version[200], missing[400];
} host;

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ISO C has no conversion from an object to a function pointer; POSIX promises the bits agree. */
static bool take(void *library, const char *prefix, const char *name, void *function)
{
    char symbol[64];
    snprintf(symbol, sizeof symbol, "%s_%s", prefix, name);
    void *address = dlsym(library, symbol);
    memcpy(function, &address, sizeof address);
    return address;
}

/* Whether all calls are there that nothing goes without. */
static bool take_calls(void *library, ndft_prec prec)
{
    ndft_fftw *c = &host.calls[prec];
    const char *prefix = prec == NDFT_F32 ? "fftwf" : "fftw";
    const struct {
        const char *name;
        void *function;
        bool needed;
    } all[] = {
        {"plan_guru64_dft", &c->plan, true},
        {"plan_guru64_dft_r2c", &c->plan_from_real, true},
        {"plan_guru64_dft_c2r", &c->plan_to_real, true},
        {"execute_dft", &c->run, true},
        {"execute_dft_r2c", &c->run_from_real, true},
        {"execute_dft_c2r", &c->run_to_real, true},
        {"destroy_plan", &c->destroy, true},
        {"set_timelimit", &c->set_time_limit, false},
        {"export_wisdom_to_string", &c->export_wisdom, false},
        {"import_wisdom_from_string", &c->import_wisdom, false},
        {"forget_wisdom", &c->forget_wisdom, false},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!take(library, prefix, all[i].name, all[i].function) && all[i].needed) return false;
    return true;
}

static void *open_one(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }

/* Plans that somebody else makes in this process, in another thread, go through FFTW's own lock
 * from now on. */
static void share_planner(const char *threads, const char *prefix)
{
    void (*make_safe)(void);
    void *library = open_one(threads);
    if (library && take(library, prefix, "make_planner_thread_safe", &make_safe)) make_safe();
}

static bool open_fftw(void)
{
    void *f32 = open_one("libfftw3f.so.3"), *f64 = open_one("libfftw3.so.3");
    if (!f32 || !f64 || !take_calls(f32, NDFT_F32) || !take_calls(f64, NDFT_F64)) return false;
    const char *version = dlsym(f32, "fftwf_version");
    snprintf(host.version, sizeof host.version, "%s", version ? version : "fftw");
    host.threads_begin[NDFT_F32] = dlsym(f32, "fftwf_mksolver_ct_hook");
    host.threads_begin[NDFT_F64] = dlsym(f64, "fftw_mksolver_ct_hook");
    share_planner("libfftw3f_threads.so.3", "fftwf");
    share_planner("libfftw3_threads.so.3", "fftw");
    return true;
}

/* Its wrappers of FFTW's calls guess where FFTW tries out, and have no wisdom. */
static bool open_mkl(const char *path)
{
    const char *const names[] = {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so.1",
                                 "libmkl_rt.so"};
    void (*version)(char *, int);
    void *library = path ? open_one(path) : NULL;
    for (size_t i = 0; !path && !library && i < sizeof names / sizeof *names; i++)
        library = open_one(names[i]);
    if (!library || !take_calls(library, NDFT_F32) || !take_calls(library, NDFT_F64)) return false;
    snprintf(host.version, sizeof host.version, "mkl");
    if (take(library, "mkl", "get_version_string", &version))
        version(host.version, (int)sizeof host.version - 1);
    return true;
}

static void find(void)
{
    const char *asked = getenv("NDFT_HOST_FFT");
    const bool any = !asked || !*asked, path = asked && strchr(asked, '/');
    if (any || !strcmp(asked, "fftw")) host.there = open_fftw();
    if (!host.there && (any || path || !strcmp(asked, "mkl")))
        host.there = open_mkl(path ? asked : NULL);
    if (host.there) return;
    if (any)
        snprintf(host.missing, sizeof host.missing,
                 "it needs FFTW or MKL, and neither was found: install libfftw3-single3 and "
                 "libfftw3-double3 (Debian, Ubuntu), or mkl (PyPI), and let the loader find it");
    else
        snprintf(host.missing, sizeof host.missing,
                 "it needs the host's FFT, of which NDFT_HOST_FFT=%.100s found none; fftw, mkl or "
                 "the path of a libmkl_rt.so is to be one",
                 asked);
}

const ndft_fftw *ndft_fftw_of(ndft_prec prec)
{
    pthread_once(&once, find);
    return host.there ? &host.calls[prec] : NULL;
}

/* FFTW has several libraries of threads (libfftw3_omp, libfftw3_threads) for one planner, and a
 * call to one that nobody has initialised forgets all plans. The one that was initialised last has
 * set the hook to a function of its own. */
bool ndft_fftw_threads_of(ndft_prec prec, ndft_fftw_threads *threads)
{
    const char *prefix = prec == NDFT_F32 ? "fftwf" : "fftw";
    void **begin = ndft_fftw_of(prec) ? host.threads_begin[prec] : NULL;
    Dl_info place;
    if (!begin || !*begin || !dladdr(*begin, &place)) return false;
    void *library = dlopen(place.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    if (!library) return false;
    const bool there = take(library, prefix, "plan_with_nthreads", &threads->set) &&
                       take(library, prefix, "planner_nthreads", &threads->now);
    (void)dlclose(library); /* whoever loaded it has it still */
    return there;
}

const char *ndft_host_fft_missing(void)
{
    pthread_once(&once, find);
    return host.there ? NULL : host.missing;
}

const char *ndft_host_fft_version(void)
{
    pthread_once(&once, find);
    return host.there ? host.version : "";
}
