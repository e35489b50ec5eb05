/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAMES = 4 };

static char folder[64], made[NAMES][128];

void fuzz_holds(bool promise, const char *format, ...)
{
    if (promise) return;
    va_list args;
    va_start(args, format);
    fprintf(stderr, "broken promise: ");
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    va_end(args);
    abort();
}

void fuzz_refused(ndft_status found, ndft_status wanted, const ndft_error *err)
{
    fuzz_holds(found == wanted && err->status == wanted, "status %d, in the error %d, not %d: %s",
               found, err->status, wanted, err->message);
    fuzz_holds(err->message[0] && !strchr(err->message, '\n'), "a reason is one line: '%s'",
               err->message);
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = calloc(size + 1, 1);
    fuzz_holds(text != NULL, "no memory for %zu characters", size);
    if (size) memcpy(text, data, size);
    return text;
}

static void remove_files(void)
{
    for (int i = 0; i < NAMES && made[i][0]; i++) unlink(made[i]);
    rmdir(folder);
}

static void make_folder(void)
{
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.40s/ndft-fuzz-XXXXXX", parent ? parent : "/tmp");
    fuzz_holds(mkdtemp(folder) != NULL, "cannot make %s", folder);
    atexit(remove_files);
}

const char *fuzz_path(const char *name)
{
    if (!folder[0]) make_folder();
    const size_t start = strlen(folder) + 1;
    int i = 0;
    while (i < NAMES - 1 && made[i][0] && strcmp(made[i] + start, name)) i++;
    snprintf(made[i], sizeof made[i], "%s/%.32s", folder, name);
    return made[i];
}

const char *fuzz_file(const char *name, const void *data, size_t size)
{
    const char *path = fuzz_path(name);
    FILE *file = fopen(path, "wb");
    fuzz_holds(file && fwrite(data, 1, size, file) == size && !fclose(file), "cannot write %s",
               path);
    return path;
}
