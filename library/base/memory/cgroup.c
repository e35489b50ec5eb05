/* SPDX-License-Identifier: Apache-2.0 */
#include "cgroup.h"
#include "number_in.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Where a version has what: below the mount, and in a cgroup's folder. */
typedef struct version {
    const char *folder, *most, *used, *files[2];
} version;

static const version first = {.folder = "/memory",
                              .most = "memory.limit_in_bytes",
                              .used = "memory.usage_in_bytes",
                              .files = {"total_active_file ", "total_inactive_file "}};
static const version second = {.folder = "",
                               .most = "memory.max",
                               .used = "memory.current",
                               .files = {"active_file ", "inactive_file "}};

static long long number_in(const char *folder, const char *name, const char *word)
{
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return ndft_number_in(path, word, 10);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static void look(const version *v, const char *folder, ndft_cgroup *found)
{
    const long long most = number_in(folder, v->most, "");
    long long used = number_in(folder, v->used, "");
    if (most < 0 || used < 0) return;
    for (int i = 0; i < 2; i++) {
        const long long files = number_in(folder, "memory.stat", v->files[i]);
        if (files > 0) used -= files;
    }
    if (used < 0) used = 0;
    found->most = least(found->most, (size_t)most);
    found->left = least(found->left, most > used ? (size_t)(most - used) : 0);
}

/* A cgroup and all above it. Where a container sees its own as the root, that alone is there. */
static void climb(const version *v, const char *mounted, const char *cgroup, ndft_cgroup *found)
{
    char path[PATH_MAX];
    const int root = snprintf(path, sizeof path, "%s%s", mounted, v->folder);
    if (root < 0 || (size_t)root + strlen(cgroup) >= sizeof path) return;
    strcpy(path + root, cgroup);
    for (char *end = path; end; end = strrchr(path + root, '/')) {
        if (end > path) *end = 0;
        look(v, path, found);
    }
}

static bool has_memory(const char *controllers)
{
    for (const char *word = controllers; *word; word += strcspn(word, ","), word += *word == ',')
        if (strcspn(word, ",") == 6 && !strncmp(word, "memory", 6)) return true;
    return false;
}

ndft_cgroup ndft_cgroup_memory(const char *named, const char *mounted)
{
    ndft_cgroup found = {SIZE_MAX, SIZE_MAX};
    char line[PATH_MAX];
    FILE *file = fopen(named, "r");
    while (file && fgets(line, sizeof line, file)) { /* 4:memory:/a/b, or of the second 0::/a/b */
        char *controllers = strchr(line, ':');
        char *cgroup = controllers ? strchr(++controllers, ':') : NULL;
        if (!cgroup) continue;
        *cgroup++ = 0;
        cgroup[strcspn(cgroup, "\n")] = 0;
        if (!*controllers)
            climb(&second, mounted, cgroup, &found);
        else if (has_memory(controllers))
            climb(&first, mounted, cgroup, &found);
    }
    if (file) fclose(file);
    return found;
}
