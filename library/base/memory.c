/* SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

long long ndft_proc_field(const char *path, const char *field, int base)
{
    FILE *file = fopen(path, "r");
    char line[256];
    long long value = -1;
    size_t length = strlen(field);
    while (file && value < 0 && fgets(line, sizeof line, file))
        if (!strncmp(line, field, length) && line[length] == ':')
            value = strtoll(line + length + 1, NULL, base);
    if (file) fclose(file);
    return value;
}

size_t ndft_memory_available(void)
{
    const long long kib = ndft_proc_field("/proc/meminfo", "MemAvailable", 10);
    if (kib > 0) return (size_t)kib * 1024;
    return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}
