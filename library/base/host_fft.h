/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_HOST_FFT_H
#define NDFT_HOST_FFT_H

#include "base/problem.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The host's FFT is a library found by name when it is first wanted, since FFTW is GPL and need not
 * be there: FFTW 3, or Intel's MKL, which has the same calls (FFTW manual 4.5, 4.6; MKL reference,
 * "FFTW Interface"). The environment variable NDFT_HOST_FFT chooses: fftw, mkl, the path of a
 * libmkl_rt, or none. Without it FFTW comes first.
 */

/* fftw_iodim64 */
typedef struct ndft_fftw_mode {
    ptrdiff_t n, in, out;
} ndft_fftw_mode;

/* The calls of one precision, as FFTW's manual has them; a plan is NULL where none was made. */
typedef struct ndft_fftw {
    void *(*plan)(int axes, const ndft_fftw_mode *, int batches, const ndft_fftw_mode *, void *in,
                  void *out, int sign, unsigned flags);
    void *(*plan_from_real)(int axes, const ndft_fftw_mode *, int batches, const ndft_fftw_mode *,
                            void *in, void *out, unsigned flags);
    void *(*plan_to_real)(int axes, const ndft_fftw_mode *, int batches, const ndft_fftw_mode *,
                          void *in, void *out, unsigned flags);
    void (*run)(void *plan, void *in, void *out);
    void (*run_from_real)(void *plan, void *in, void *out);
    void (*run_to_real)(void *plan, void *in, void *out);
    void (*destroy)(void *plan);

    /* NULL where the library tries out nothing, and has nothing to remember. */
    void (*set_time_limit)(double seconds);
    char *(*export_wisdom)(void); /* free() */
    int (*import_wisdom)(const char *);
    void (*forget_wisdom)(void);
} ndft_fftw;

/* NULL where there is none. */
const ndft_fftw *ndft_fftw_of(ndft_prec);

/*
 * How many threads plans of FFTW get, which the whole process has in common: whoever calls
 * fftw_plan_with_nthreads decides for all. `now` asks, `set` sets. False where nobody has FFTW use
 * threads, or it does not tell.
 */
typedef struct ndft_fftw_threads {
    void (*set)(int);
    int (*now)(void);
} ndft_fftw_threads;

bool ndft_fftw_threads_of(ndft_prec, ndft_fftw_threads *);

/* NULL, or a sentence that says what is missing and how to get it. */
const char *ndft_host_fft_missing(void);

/* With the instruction sets that the library was built for, if it tells. Empty where there is none.
 */
const char *ndft_host_fft_version(void);

#endif
