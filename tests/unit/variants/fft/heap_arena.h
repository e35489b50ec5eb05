/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEAP_ARENA_H
#define HEAP_ARENA_H

#include "base/exec.h"

#include <stdlib.h>

/* Memory of plans that are made without a backend. */

static ndft_status heap_alloc(ndft_exec *exec, const char *what, size_t bytes, void **memory)
{
    (void)exec;
    (void)what;
    *memory = malloc(bytes + 1);
    return *memory ? NDFT_OK : NDFT_ENOMEM;
}

static void heap_release(ndft_exec *exec, void *memory)
{
    (void)exec;
    free(memory);
}

#endif
