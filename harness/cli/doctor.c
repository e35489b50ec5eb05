/* SPDX-License-Identifier: Apache-2.0 */
#include "doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const states[NDFT_N_HEALTH] = {"works", "note", "absent", "broken"};

void ndft_doctor_say(ndft_doctor *d, const char *what, ndft_health health, const char *advice,
                     const char *found, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, found);
    vsnprintf(text, sizeof text, found, arguments);
    va_end(arguments);
    json_t *finding =
        json_pack("{s:s, s:s, s:s, s:o}", "what", what, "state", states[health], "found", text,
                  "advice", advice ? json_string(advice) : json_null());
    json_array_append_new(d->findings, finding);
    d->broken |= health == NDFT_BROKEN;
}

bool ndft_doctor_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "r");
    bool read = file && fgets(line, (int)size, file);
    if (file) fclose(file);
    if (read) line[strcspn(line, "\n")] = 0;
    return read;
}
