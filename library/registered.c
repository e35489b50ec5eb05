/* SPDX-License-Identifier: Apache-2.0 */
#include "registry.h"

#include "device/backend.h"

#include <stddef.h>
#include <string.h>

static const ndft_registered *entry_of(const ndft_variant *variant)
{
    for (int i = 0; i < ndft_registry_size; i++)
        if (__atomic_load_n(&ndft_registry[i].variant, __ATOMIC_RELAXED) == variant)
            return &ndft_registry[i];
    return NULL;
}

ndft_kind_of_problem ndft_kind_served(const ndft_variant *variant)
{
    const ndft_registered *entry = entry_of(variant);
    return entry ? entry->kind : NDFT_NONUNIFORM;
}

const char *ndft_library_missing(const ndft_variant *variant)
{
    const ndft_registered *entry = entry_of(variant);
    if (!entry || !entry->library || !*entry->library) return NULL;
    return ndft_backend_find(entry->backend)->lacks(entry->library);
}

/* What a line of variants.def says of an entry: whose library it is, or what its engine is to be.
 */
typedef struct remark {
    const char *name, *backend, *text, *engine;
} remark;

/* Expanded from variants.def at configure time. */
static const remark vendors[] = {
#define NDFT_VENDOR(name, backend, library) {#name, #backend, #library, ""},
#include "vendors.inc"
    {0}};

static const remark schemes[] = {
#define NDFT_SCHEME(name, backend, library, engine, choice) {#name, #backend, #choice, #engine},
#include "schemes.inc"
    {0}};

static const char *find(const remark *all, const ndft_registered *entry)
{
    for (; all->name; all++)
        if (!strcmp(all->name, entry->name) && !strcmp(all->backend, entry->backend))
            return all->text;
    return NULL;
}

const char *ndft_vendor_of(const ndft_registered *entry) { return find(vendors, entry); }

const char *ndft_scheme_of(const ndft_registered *entry) { return find(schemes, entry); }

bool ndft_is_engine(const ndft_registered *entry)
{
    for (const remark *scheme = schemes; scheme->name; scheme++)
        if (!strcmp(scheme->engine, entry->name) && !strcmp(scheme->backend, entry->backend))
            return true;
    return false;
}
