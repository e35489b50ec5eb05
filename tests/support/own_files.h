/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TEST_OWN_FILES_H
#define NDFT_TEST_OWN_FILES_H

#include "make_case.h"

#include "files/cfl.h"
#include "files/npy.h"
#include "make/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Files that a test writes and a case reads. */

/* All files are in a fresh folder, which is where the test runs. */
static inline int enter_folder(void **state)
{
    static char name[] = "/tmp/ndft-files-XXXXXX";
    *state = name;
    return mkdtemp(name) && chdir(name) == 0 ? 0 : -1;
}

static inline int leave_folder(void **state)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", (char *)*state);
    return chdir("/") || system(command);
}

static inline void write_npy(const char *path, ndft_element element, void *data, int rank,
                             const int64_t *shape)
{
    ndft_error err;
    ndft_array a = {.element = element, .rank = rank, .data = data};
    memcpy(a.shape, shape, (size_t)rank * sizeof *shape);
    remove(path); /* it may be damaged, and then would not be replaced */
    assert_int_equal(ndft_npy_write(path, &a, &err), NDFT_OK);
}

static inline void use(ndft_source *source, const char *path)
{
    *source = (ndft_source){.kind = NDFT_SOURCE_FILE, .a = 1};
    strcpy(source->path, path);
}

/* An export of the case has that file of its source, and comes to the same problem. */
static inline void exports_its(ndft_source *source, const char *file, ndft_case *c)
{
    ndft_error err;
    ndft_made made = made_of(c);
    assert_int_equal(ndft_export(c, &made, "out", &err), NDFT_OK);
    use(source, file);
    ndft_made again = made_of(c);
    assert_memory_equal(made.hash, again.hash, sizeof made.hash);
    ndft_made_free(&made);
    ndft_made_free(&again);
}

/* A case whose files a test names. */
static inline ndft_case file_case(void)
{
    ndft_case c = a_case(2, 5, 4, 1, 6);
    c.coils = 2;
    return c;
}

static inline void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

#endif
