/* SPDX-License-Identifier: Apache-2.0 */
#include "backend.h"

/* The CUDA backend of a build without nvcc: present in every list, never usable. */

static const char *missing(void) { return "built without CUDA (no nvcc, or -DNDFT_CUDA=OFF)"; }

static ndft_status open_none(int index, ndft_exec **exec, ndft_error *err)
{
    (void)index;
    *exec = NULL;
    return ndft_fail(err, NDFT_EDEVICE, "%s", missing());
}

static void close_none(ndft_exec *exec) { (void)exec; }

const ndft_backend ndft_backend_cuda = {
    .name = "cuda",
    .missing = missing,
    .open = open_none,
    .close = close_none,
};
