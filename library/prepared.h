/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PREPARED_H
#define NDFT_PREPARED_H

#include "coils/coil_images.h"
#include "served.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A variant prepared for one problem with fixed knob values. */
typedef struct ndft_prepared {
    const ndft_variant *variant;
    const ndft_problem *problem;
    int knobs[NDFT_MAX_KNOBS];
    ndft_exec *exec;
    void *state;            /* the variant's own */
    void *samples;          /* A x, on the way to A^H A x; NULL unless normal is composed */
    ndft_problem *own;      /* of the variant, where it is another than problem; else NULL */
    ndft_coil_images coils; /* where coil maps are around it */
    double scale;           /* of a uniform transform's outputs; 0: none */
    size_t bytes;           /* of the device that it holds */
    size_t room_bytes;      /* of which it takes its share (ndft_exec) */
} ndft_prepared;

/* NDFT_EUNSUPPORTED with the variant's sentence when it does not fit, and with both numbers when it
 * promises less than the problem's tol for one of ops; messages go to exec->error. */
ndft_status ndft_check_promised(const ndft_variant *, const int *knobs, const ndft_problem *,
                                unsigned ops, const ndft_exec *);

/* Prepares variant for problem. As from ndft_check_promised, or NDFT_ENOMEM when memory does not
 * suffice. */
ndft_status ndft_prepare_promised(const ndft_variant *, const int *knobs, const ndft_problem *,
                                  unsigned ops, ndft_exec *, ndft_prepared *plan);

/* What ndft_prepare_promised does once it is known to fit, or whatever it promises. */
ndft_status ndft_prepare(const ndft_variant *, const int *knobs, const ndft_problem *, unsigned ops,
                         ndft_exec *, ndft_prepared *);

/* Prepares what was destroyed once more, for another problem that it fits: of the same memory, as
 * far as that is kept. */
ndft_status ndft_prepare_again(ndft_prepared *, const ndft_problem *, unsigned ops);

/* Device pointers; asynchronous on exec's stream. Shapes: ndft_input_length and
 * ndft_output_length elements per coil, in the problem's layout and precision. */
ndft_status ndft_prepared_execute(const ndft_prepared *, ndft_op, const void *in, void *out);

/* Host pointers: upload, execute, download, finished on return. Of a uniform transform in and out
 * are the memory of its tensors; between the outputs out stays as it was, or, in place, as in. */
ndft_status ndft_prepared_execute_host(const ndft_prepared *, ndft_op, const void *in, void *out);

/* What the plan chose by itself (ndft_variant's chosen): "" where there was nothing to choose. */
void ndft_prepared_chosen(const ndft_prepared *, char *text, size_t size);

void ndft_prepared_destroy(ndft_prepared *);

#ifdef __cplusplus
}
#endif
#endif
