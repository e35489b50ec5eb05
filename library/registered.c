/* SPDX-License-Identifier: Apache-2.0 */
#include "registry.h"

#include <stddef.h>
#include <string.h>

ndft_kind_of_problem ndft_kind_served(const ndft_variant *variant)
{
    for (int i = 0; i < ndft_registry_size; i++)
        if (ndft_registry[i].variant == variant) return ndft_registry[i].kind;
    return NDFT_NONUNIFORM;
}

/* Expanded from variants.def at configure time: NDFT_VENDOR(name, backend, library). */

const char *ndft_vendor_of(const ndft_registered *entry)
{
    static const struct {
        const char *name, *backend, *library;
    } all[] = {
#define NDFT_VENDOR(name, backend, library) {#name, #backend, #library},
#include "vendors.inc"
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i].name, entry->name) && !strcmp(all[i].backend, entry->backend))
            return all[i].library;
    return NULL;
}
