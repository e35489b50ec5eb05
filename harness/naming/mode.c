/* SPDX-License-Identifier: Apache-2.0 */
#include "mode.h"

#include "base/words.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *const names[NDFT_N_MODES + 1] = {
    [NDFT_BATCH] = "batch", [NDFT_COLD] = "cold",     [NDFT_WARM] = "warm",
    [NDFT_GRAPH] = "graph", [NDFT_STAGES] = "stages", [NDFT_END_TO_END] = "end-to-end"};

const char *ndft_mode_name(ndft_mode mode) { return names[mode]; }

static ndft_status find(const char *name, unsigned *modes, ndft_error *err)
{
    for (int mode = 0; mode < NDFT_N_MODES; mode++) {
        if (strcmp(names[mode], name)) continue;
        *modes |= 1u << mode;
        return NDFT_OK;
    }
    return ndft_fail(err, NDFT_EINVAL, "there is no timing mode '%s'; nearest: %s", name,
                     ndft_nearest(name, names));
}

ndft_status ndft_modes_parse(const char *text, unsigned *modes, ndft_error *err)
{
    *modes = 0;
    while (true) {
        char name[32];
        int length = (int)strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", length, text);
        NDFT_TRY(find(name, modes, err));
        if (!text[length]) return NDFT_OK;
        text += length + 1;
    }
}
