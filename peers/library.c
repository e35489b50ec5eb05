/* SPDX-License-Identifier: Apache-2.0 */
#include "library.h"

#include <ctype.h>
#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *open_named(peer_library *l, const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) snprintf(l->missing, sizeof l->missing, "%s", dlerror());
    return library;
}

/* The package's library in the first of the folders where Python environments lie. */
static void *open_package(const char *name)
{
    const char *const roots[] = {getenv("VIRTUAL_ENV"), "/usr/local", "/usr"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof roots / sizeof *roots && !library; i++) {
        char pattern[PATH_MAX];
        glob_t found;
        if (!roots[i]) continue;
        snprintf(pattern, sizeof pattern, "%s/lib/python3*/*-packages/%s/lib%s.so", roots[i], name,
                 name);
        if (glob(pattern, 0, NULL, &found)) continue;
        library = dlopen(found.gl_pathv[0], RTLD_NOW | RTLD_LOCAL);
        globfree(&found);
    }
    return library;
}

static void *open_library(peer_library *l, const char *name)
{
    char variable[64] = "NDFT_", file[96];
    for (size_t i = 0; name[i] && i < sizeof variable - 6; i++)
        variable[5 + i] = (char)toupper((unsigned char)name[i]);
    const char *path = getenv(variable);
    if (path && *path) return open_named(l, path);
    snprintf(file, sizeof file, "lib%s.so", name);
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) library = open_package(name);
    if (!library)
        snprintf(l->missing, sizeof l->missing,
                 "there is no lib%s.so: ./ndft setup --peers installs it, or %s names the file",
                 name, variable);
    return library;
}

/* ISO C has no conversion from an object to a function pointer; POSIX promises the bits agree. */
static bool bind_all(peer_library *l, void *library, const peer_symbol *symbols, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        void *symbol = dlsym(library, symbols[i].name);
        if (!symbol) {
            snprintf(l->missing, sizeof l->missing, "its library has no function %s",
                     symbols[i].name);
            return false;
        }
        memcpy(symbols[i].function, &symbol, sizeof symbol);
    }
    return true;
}

/* FILE.built: a version, then how it was built, in one line. */
static bool read_built(peer_library *l, const char *path)
{
    char name[PATH_MAX + 8], line[sizeof l->version + sizeof l->built];
    snprintf(name, sizeof name, "%s.built", path);
    FILE *file = fopen(name, "r");
    if (!file) return false;
    bool read = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    if (!read) return false;
    line[strcspn(line, "\n")] = 0;
    size_t word = strcspn(line, " ");
    snprintf(l->version, sizeof l->version, "%.*s", (int)(word < 63 ? word : 63), line);
    snprintf(l->built, sizeof l->built, "%s", line[word] ? line + word + 1 : "unknown");
    return true;
}

/* A wheel's folder NAME-VERSION.dist-info stands beside its package's. */
static bool read_wheel(peer_library *l, const char *path, const char *name)
{
    char pattern[PATH_MAX + 128];
    glob_t found;
    const char *file = strrchr(path, '/');
    snprintf(pattern, sizeof pattern, "%.*s/../%s-*.dist-info", (int)(file - path), path, name);
    if (glob(pattern, 0, NULL, &found)) return false;
    const char *version = strrchr(found.gl_pathv[0], '-');
    version = strstr(strrchr(found.gl_pathv[0], '/'), name) + strlen(name) + 1;
    snprintf(l->version, sizeof l->version, "%.*s", (int)(strlen(version) - strlen(".dist-info")),
             version);
    snprintf(l->built, sizeof l->built, "wheel, baseline x86-64");
    globfree(&found);
    return true;
}

/* FNV-1a (Fowler, Noll, Vo), 64 bits. */
static uint64_t hash_of(const char *bytes, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3;
    return hash;
}

static void look_into(peer_library *l, const char *banner, const char *bytes, size_t size)
{
    const char *found = banner ? memmem(bytes, size, banner, strlen(banner)) : NULL;
    if (found && !*l->version) {
        found += strlen(banner);
        snprintf(l->version, sizeof l->version, "%.*s",
                 (int)strspn(found, "0123456789.abcdefghijklmnopqrstuvwxyz-"), found);
    }
    size_t used = strlen(l->built);
    snprintf(l->built + used, sizeof l->built - used, ", file %016llx",
             (unsigned long long)hash_of(bytes, size));
}

/* The file's hash tells two builds of one release apart. */
static void read_file(peer_library *l, const char *path, const char *banner)
{
    FILE *file = fopen(path, "rb");
    long size = file && !fseek(file, 0, SEEK_END) ? ftell(file) : 0;
    char *bytes = size > 0 ? malloc((size_t)size) : NULL;
    if (bytes && !fseek(file, 0, SEEK_SET) && fread(bytes, 1, (size_t)size, file) == (size_t)size)
        look_into(l, banner, bytes, (size_t)size);
    free(bytes);
    if (file) fclose(file);
}

static void describe(peer_library *l, const char *name, const char *banner, void *symbol)
{
    Dl_info info;
    char path[PATH_MAX];
    if (!dladdr(symbol, &info) || !realpath(info.dli_fname, path)) return;
    if (!read_built(l, path) && !read_wheel(l, path, name))
        snprintf(l->built, sizeof l->built, "unknown");
    read_file(l, path, banner);
    if (!*l->version) snprintf(l->version, sizeof l->version, "unknown");
}

void peer_library_load(peer_library *l, const char *name, const char *banner,
                       const peer_symbol *symbols, size_t n)
{
    *l = (peer_library){.missing = ""};
    void *library = open_library(l, name);
    if (!library) return;
    if (bind_all(l, library, symbols, n)) {
        describe(l, name, banner, dlsym(library, symbols[0].name));
        return;
    }
    dlclose(library);
}

const char *peer_missing(const peer_library *l) { return *l->missing ? l->missing : NULL; }
