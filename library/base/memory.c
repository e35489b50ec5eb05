/* SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include "proc.h"

#include <unistd.h>

size_t ndft_memory_available(void)
{
    const long long kib = ndft_proc_field("/proc/meminfo", "MemAvailable", 10);
    if (kib > 0) return (size_t)kib * 1024;
    return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}
