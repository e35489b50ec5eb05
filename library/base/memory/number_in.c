/* SPDX-License-Identifier: Apache-2.0 */
#include "number_in.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long long ndft_number_in(const char *path, const char *word, int base)
{
    FILE *file = fopen(path, "r");
    char line[256], *end;
    long long value = -1;
    while (file && value < 0 && fgets(line, sizeof line, file)) {
        const char *number = line + strlen(word);
        if (strncmp(line, word, strlen(word))) continue;
        const long long found = strtoll(number, &end, base);
        if (end > number) value = found;
    }
    if (file) fclose(file);
    return value;
}
