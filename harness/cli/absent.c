/* SPDX-License-Identifier: Apache-2.0 */
#include "absent.h"

#include "naming/peer.h"
#include "records/fields.h"

#include <stdio.h>
#include <string.h>

const char *ndft_absent_why(const ndft_registered *entry)
{
    const char *missing = ndft_backend_find(entry->backend)->missing();
    if (missing) return missing;
    if (ndft_peer_entry(entry)) return ndft_not_built(entry);
    return entry->variant ? NULL : "not built, for want of a library that they need";
}

bool ndft_absent_record(const json_t *record)
{
    const char *id = ndft_field_text(record, "variant");
    const ndft_registered *entry = ndft_registered_find(id, strcspn(id, ":"));
    return entry && ndft_absent_why(entry);
}

static bool is_wanted(const ndft_workload *load, const ndft_registered *entry)
{
    for (int i = 0; i < load->size; i++)
        for (int c = 0; c < load->items[i].n; c++)
            if (load->items[i].candidates[c].entry == entry) return true;
    return false;
}

static void say_of(const ndft_workload *load, const ndft_backend *backend)
{
    const ndft_registered *first = NULL;
    int others = 0;
    for (int i = 0; i < ndft_registry_size; i++) {
        const ndft_registered *entry = &ndft_registry[i];
        if (strcmp(entry->backend, backend->name) || !is_wanted(load, entry)) continue;
        if (!ndft_absent_why(entry)) continue;
        if (first)
            others++;
        else
            first = entry;
    }
    if (!first) return;
    fprintf(stderr, "ndft: left out: %s.%s", first->name, first->backend);
    if (others) fprintf(stderr, " and %d more", others);
    fprintf(stderr, ": %s\n", ndft_absent_why(first));
}

void ndft_absent_say(const ndft_workload *load)
{
    for (const ndft_backend *const *b = ndft_backends; *b; b++) say_of(load, *b);
}
