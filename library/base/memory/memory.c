/* SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include "cgroup.h"
#include "number_in.h"

#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

size_t ndft_addresses_left(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
    const long long kib = ndft_number_in("/proc/self/status", "VmSize:", 10);
    const rlim_t used = kib > 0 ? (rlim_t)kib * 1024 : 0;
    return used < limit.rlim_cur ? limit.rlim_cur - used : 0;
}

static ndft_cgroup own_cgroup(void)
{
    return ndft_cgroup_memory("/proc/self/cgroup", "/sys/fs/cgroup");
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

size_t ndft_memory_total(void)
{
    return least((size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE),
                 own_cgroup().most);
}

size_t ndft_memory_available(void)
{
    const long long kib = ndft_number_in("/proc/meminfo", "MemAvailable:", 10);
    const size_t free = kib > 0 ? (size_t)kib * 1024 : ndft_memory_total();
    return least(least(free, ndft_addresses_left()), own_cgroup().left);
}
