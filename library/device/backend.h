/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_BACKEND_H
#define NDFT_BACKEND_H

#include "base/problem.h"
#include "guard.h"

#include <ndft/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { NDFT_LARGEST_PARTS = 128 }; /* of an array whose largest magnitude the device finds */

/* What of the calling thread was the caller's before it entered the library. */
typedef struct ndft_before {
    void *context;
    bool allocates; /* capture_mode says whether it might, while another thread captures */
    int capture_mode;
} ndft_before;

/*
 * A place where variants run: its memory, and what is queued there. All knowledge of CUDA outside
 * variants is in *_cuda.cu, or in *_none.c when there is no nvcc.
 */
typedef struct ndft_backend {
    const char *name; /* "cpu", "cuda" */

    /* The table itself where this one stands for a library that is opened by need; NULL: it is it.
     */
    const struct ndft_backend *(*loaded)(void);

    /* NULL when usable, else why not: "no CUDA device is present". */
    const char *(*missing)(void);

    /* Of a library that its variants call ("fftw", "cufft"): NULL, or a sentence that says how to
     * get it. */
    const char *(*lacks)(const char *library);

    /* Opens device number index; error messages of the exec go to err. */
    ndft_status (*open)(int index, ndft_exec **, ndft_error *err);
    void (*close)(ndft_exec *); /* NULL is allowed */

    /* Another context on the same stream of the same device, with memory of its own. */
    ndft_status (*fork)(const ndft_exec *, ndft_exec **, ndft_error *err);

    /* The same on a stream of its own, beside the other's, and what makes the one wait for all that
     * is queued on the other so far, in a capture too. NULL: there are no streams. */
    ndft_status (*fork_beside)(const ndft_exec *, ndft_exec **, ndft_error *err);
    ndft_status (*wait_for)(ndft_exec *waits, const ndft_exec *other);

    /* Queues on a stream of the caller's from then on. NULL: there are no streams. */
    ndft_status (*use_stream)(ndft_exec *, void *stream);

    /* Makes the calling thread's device be the context's (NULL: as it is), and lets it allocate
     * whoever captures, where it is to; leave makes all be as it was before. NULL: a thread has
     * nothing of the kind. */
    ndft_before (*enter)(const ndft_exec *, bool allocates);
    void (*leave)(ndft_before);

    ndft_status (*download)(ndft_exec *, void *host, const void *device, size_t bytes);
    /* Whether memory is a device's. NULL: there is none of its own. */
    bool (*holds)(const void *memory);
    /* The largest magnitudes of n arrays of the device, 3 at most, a NaN above all: of each as many
     * parts, to memory that is pinned; queued. */
    ndft_status (*largest)(ndft_exec *, ndft_prec, int n, const void *const of[], int64_t count,
                           double *most);
    /* While plans take new samples: memory of the device (NULL: of none) of which these arrays of
     * the problem are copies (base/original.h); copies NULL: no longer. */
    void (*give)(ndft_exec *, const void *const copies[3], const void *const originals[3]);
    /* From the caller's memory, wherever it is. */
    ndft_status (*fetch)(ndft_exec *, void *host, const void *from, size_t bytes);
    ndft_status (*fill)(ndft_exec *, void *device, int byte, size_t bytes); /* poison */
    /* Memory of the host that the device reaches by itself. NULL: it has no memory of its own. */
    ndft_status (*pin)(ndft_exec *, size_t bytes, void **memory);
    void (*unpin)(ndft_exec *, void *memory);
    /* From device to device, or to or from what is pinned; queued. */
    ndft_status (*copy)(ndft_exec *, void *to, const void *from, size_t bytes);
    /* The same of rows, so many bytes from the beginning of one to that of the next. */
    ndft_status (*copy_rows)(ndft_exec *, int64_t rows, size_t bytes, void *to, size_t to_stride,
                             const void *from, size_t from_stride);
    /* Multiplies the elements of a tensor, each rounded once; queued. */
    ndft_status (*scale)(ndft_exec *, ndft_prec, const ndft_tensor *, void *memory, double factor);
    /* A batch of boxes of complex numbers, x fastest, becomes one of others: what both have, and
     * zero beyond; queued. */
    ndft_status (*place)(ndft_exec *, ndft_prec, int64_t batch, const int64_t from_n[3],
                         const void *from, const int64_t to_n[3], void *to);
    /* Multiplies each of a batch of vectors by the same n complex factors, or by their conjugates;
     * queued. */
    ndft_status (*multiply)(ndft_exec *, ndft_prec, int64_t batch, int64_t n, const void *factors,
                            bool conjugate, void *values);
    /* sum = x + y, of n reals each; x may be in reach on another device, y be the sum; queued. */
    ndft_status (*add)(ndft_exec *, ndft_prec, int64_t n, const void *x, const void *y, void *sum);
    /* Whether kernels of the device read memory of another's from now on. NULL: all memory is the
     * host's. */
    bool (*reach)(ndft_exec *, const ndft_exec *other);
    /* Columns times each of real weights (weights, length): (weights, columns); queued. */
    ndft_status (*weigh_moments)(ndft_exec *, ndft_prec, const ndft_placement *, int weights,
                                 const void *w, const void *in, void *out);
    /* Im(a_l conj(b)) summed over coils, or added, (length, weights), of columns b and as many a_l
     * as weights; queued. */
    ndft_status (*sum_moments)(ndft_exec *, ndft_prec, const ndft_placement *, int weights,
                               const void *a, const void *b, bool add, void *sums);
    /* Of one image the images of all coils, times the map of each, and back: the sum over coils of
     * images times conjugate maps, coil after coil. Maps lie as images of all coils do; queued. */
    ndft_status (*weigh)(ndft_exec *, ndft_prec, const ndft_placement *, const void *maps,
                         const void *image, void *images);
    ndft_status (*combine)(ndft_exec *, ndft_prec, const ndft_placement *, const void *maps,
                           const void *images, void *image);
    ndft_status (*sync)(ndft_exec *); /* waits; reports errors of earlier launches */

    /* Of which a context's memory is. */
    ndft_pool *(*pool)(ndft_exec *);
} ndft_backend;

extern const ndft_backend ndft_backend_cpu, ndft_backend_cuda;

/* "x86-64-v3" */
const char *ndft_isa_name(ndft_isa);

/* NULL when no backend has this name. */
const ndft_backend *ndft_backend_find(const char *name);

/* NULL-terminated, in report order. */
extern const ndft_backend *const ndft_backends[];

#ifdef __cplusplus
}
#endif
#endif
