/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STAGING_H
#define NDFT_STAGING_H

#include "device/backend.h"
#include "prepared.h"

/*
 * Executions with memory of the host, between two calls: what goes to the device and comes from it
 * passes through buffers that are kept, on the host pinned ones, so that nothing waits in between.
 */
typedef struct ndft_staging {
    const ndft_backend *backend; /* NULL: nothing was executed yet */
    ndft_exec *exec;
    void *device[2], *pinned[2]; /* of input and output; of the host NULL where it is not kept */
    size_t room[2];              /* bytes of either */
    const ndft_tensor *tensor;   /* of the output; NULL: it is all of the bytes */
    ndft_prec prec;
    const void *from; /* on the device what end fetches */
    void *to;         /* where it goes; NULL: nothing is under way */
    size_t bytes;
} ndft_staging;

/* Queues upload, execution and download, and returns; where keeps is false, or no more memory of
 * the host can be pinned, it waits for the upload. Of a uniform transform in and out are the memory
 * of its tensors; between the outputs out stays as it was, or, in place, as in. in may change
 * afterwards. */
ndft_status ndft_staging_begin(ndft_staging *, const ndft_prepared *, ndft_op, const void *in,
                               void *out, bool keeps);

/* Waits, and fills out. */
ndft_status ndft_staging_end(ndft_staging *);

/* Bytes of the host that are pinned. */
size_t ndft_staging_pinned(const ndft_staging *);

void ndft_staging_free(ndft_staging *);

#endif
