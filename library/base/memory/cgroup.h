/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CGROUP_H
#define NDFT_CGROUP_H

#include <stddef.h>

/* What a container, or a job of a cluster, may have: SIZE_MAX where nobody limits it. */
typedef struct ndft_cgroup {
    size_t most, left; /* bytes; files that the kernel can drop count as left */
} ndft_cgroup;

/* Of the cgroups that a file like /proc/self/cgroup names and all above them, of either version,
 * below a folder like /sys/fs/cgroup. */
ndft_cgroup ndft_cgroup_memory(const char *named, const char *mounted);

#endif
