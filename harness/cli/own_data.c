/* SPDX-License-Identifier: Apache-2.0 */
#include "own_data.h"

#include "files/extent.h"

#include <stdio.h>

void ndft_own_data_say(const ndft_case *c, const ndft_made *made)
{
    if (!ndft_case_is_doubted(c)) return;
    const ndft_extent extent = ndft_extent_of(&made->problem);
    ndft_texts doubts = {0};
    ndft_error err;
    char line[320];
    ndft_extent_print(&extent, c, &made->problem, line, sizeof line);
    if (ndft_case_reads_files(c)) fprintf(stderr, "ndft: read %s\n", line);
    ndft_doubts_add(&extent, c, &made->problem, &doubts, &err);
    for (size_t i = 0; i < doubts.size; i++) fprintf(stderr, "ndft: warning: %s\n", doubts.text[i]);
    ndft_texts_free(&doubts);
}

ndft_status ndft_own_data_look(const ndft_case *c, ndft_error *err)
{
    if (!ndft_case_is_doubted(c)) return NDFT_OK;
    ndft_case geometry = *c;
    ndft_made made;
    if (c->maps.kind != NDFT_SOURCE_FILE) {
        geometry.coils = 1;
        geometry.maps.kind = NDFT_SOURCE_NONE;
    }
    geometry.data = (ndft_source){.kind = NDFT_SOURCE_RANDOM};
    NDFT_TRY(ndft_make(&geometry, &made, err));
    ndft_own_data_say(c, &made);
    ndft_made_free(&made);
    return NDFT_OK;
}
