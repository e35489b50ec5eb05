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

ndft_mode ndft_mode_find(const char *name)
{
    int mode = 0;
    while (mode < NDFT_N_MODES && strcmp(names[mode], name)) mode++;
    return (ndft_mode)mode;
}

ndft_status ndft_modes_parse(const char *text, unsigned *modes, ndft_error *err)
{
    *modes = 0;
    while (true) {
        char name[32];
        int length = (int)strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", length, text);
        const ndft_mode mode = ndft_mode_find(name);
        if (mode == NDFT_N_MODES)
            return ndft_fail(err, NDFT_EINVAL, "there is no timing mode '%s'; nearest: %s", name,
                             ndft_nearest(name, names));
        *modes |= 1u << mode;
        if (!text[length]) return NDFT_OK;
        text += length + 1;
    }
}
