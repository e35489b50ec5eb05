/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

#include "base/text.h"
#include "naming/peer.h"

#include <string.h>

static bool is_had_alone(const ndft_case *c, const char *mode)
{
    const bool is_normal = c->kind == NDFT_NONUNIFORM && c->op == NDFT_NORMAL;
    return mode && (!strcmp(mode, "batch") || !strcmp(mode, "graph")) && !is_normal;
}

bool ndft_record_alone(const ndft_candidate *candidate, const ndft_case *c, const char *arguments,
                       const char *mode, char command[NDFT_ALONE_MAX])
{
    char text[NDFT_CASE_MAX];
    ndft_text line = ndft_text_in(command, NDFT_ALONE_MAX);
    if (!ndft_peer_entry(candidate->entry) || !is_had_alone(c, mode)) return false;
    ndft_case_print(c, text, sizeof text);
    ndft_text_add(&line, "./ndft export --sampled '%s' FOLDER && ", text);
    ndft_text_add(&line, "python3 peers/alone.py %s FOLDER --mode %s %s", candidate->entry->name,
                  mode, arguments);
    return true;
}
