/* SPDX-License-Identifier: Apache-2.0 */
#include "processor.h"

#include "base/memory/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void read_cpu_name(char *name, size_t size)
{
    snprintf(name, size, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) || !colon) continue;
        snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (file) fclose(file);
}

/* "xeon-2c-avx512": the family's best-known word, the threads, the vector unit. */
static void make_slug(const ndft_device *device, char *slug, size_t size)
{
    static const char *const families[] = {"xeon", "epyc", "ryzen", "core", "threadripper"};
    static const char *const vectors[] = {"sse42", "avx2", "avx512"};
    char lower[sizeof device->name];
    for (size_t i = 0; i < sizeof lower; i++) lower[i] = (char)tolower(device->name[i]);
    const char *family = "cpu";
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strstr(lower, families[i])) family = families[i];
    snprintf(slug, size, "%s-%dc-%s", family, device->units, vectors[device->isa]);
}

ndft_device ndft_device_cpu(int threads)
{
    ndft_device device = {.backend = "cpu", .units = threads, .isa = ndft_isa_detect()};
    read_cpu_name(device.name, sizeof device.name);
    make_slug(&device, device.slug, sizeof device.slug);
    device.memory_bytes = ndft_memory_total();
    long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
    device.l2_bytes = cache > 0 ? (size_t)cache : 0;
    return device;
}

size_t ndft_last_cache_bytes(void)
{
    size_t kilobytes = 0;
    for (int level = 3; level > 1 && !kilobytes; level--) {
        char path[64];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", level);
        FILE *file = fopen(path, "r");
        if (file && fscanf(file, "%zuK", &kilobytes) != 1) kilobytes = 0;
        if (file) fclose(file);
    }
    return kilobytes ? kilobytes << 10 : (size_t)32 << 20;
}
