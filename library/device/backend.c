/* SPDX-License-Identifier: Apache-2.0 */
#include "backend.h"

#include <string.h>

const char *ndft_isa_name(ndft_isa isa)
{
    static const char *const names[] = {"x86-64-v2", "x86-64-v3", "x86-64-v4"};
    return names[isa];
}

const ndft_backend *ndft_backend_find(const char *name)
{
    for (const ndft_backend *const *b = ndft_backends; *b; b++)
        if (!strcmp((*b)->name, name)) return (*b)->loaded ? (*b)->loaded() : *b;
    return NULL;
}
