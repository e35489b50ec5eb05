/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include "case_keys.h"
#include "expand.h"
#include "suite_line.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 16 };

/* A file being read, and those that include it. */
typedef struct frame {
    const struct frame *outer;
    const char *path; /* as it was asked for */
    char real[PATH_MAX];
    int line, depth;
} frame;

typedef struct reader {
    ndft_suite *suite;
    ndft_texts sets; /* key=values in force, of equal keys the last */
    ndft_error *err;
} reader;

static ndft_status read_file(reader *, const char *path, const frame *outer);

static ndft_status fail_at(reader *r, const frame *f, ndft_status status, const char *message)
{
    return ndft_fail(r->err, status, "%.300s:%d: %.600s", f->path, f->line, message);
}

/* One key=value of a set line. */
static ndft_status add_set(reader *r, const char *word, const frame *f)
{
    size_t length = strcspn(word, "=");
    if (word[length] && ndft_key_find(word, length))
        return ndft_texts_add(&r->sets, word, strlen(word), r->err);
    char name[64], message[512];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    snprintf(message, sizeof message, "set %.300s: not key=value of a case; nearest: %s=", word,
             ndft_key_nearest(NDFT_NONUNIFORM, name));
    return fail_at(r, f, NDFT_EINVAL, message);
}

/* set key=value...: defaults for later lines, up to the end of this file. */
static ndft_status read_set(reader *r, const ndft_texts *words, const frame *f)
{
    if (words->size < 2)
        return fail_at(r, f, NDFT_EINVAL, "set: key=value is missing, e.g. set t=30ms");
    for (size_t i = 1; i < words->size; i++) NDFT_TRY(add_set(r, words->text[i], f));
    return NDFT_OK;
}

/* include FILE: relative to the including file. */
static ndft_status read_include(reader *r, const ndft_texts *words, const frame *f)
{
    if (words->size != 2)
        return fail_at(r, f, NDFT_EINVAL, "include: takes one file, whose path holds no spaces");
    const char *name = words->text[1], *slash = strrchr(f->path, '/');
    int folder = *name == '/' || !slash ? 0 : (int)(slash - f->path) + 1;
    ndft_texts path = {0};
    ndft_status status = ndft_texts_format(&path, r->err, "%.*s%s", folder, f->path, name);
    if (status == NDFT_OK) status = read_file(r, path.text[0], f);
    ndft_texts_free(&path);
    return status;
}

static ndft_status read_words(reader *r, const ndft_texts *words, const frame *f)
{
    if (!words->size) return NDFT_OK;
    if (strcmp(words->text[0], "set") == 0) return read_set(r, words, f);
    if (strcmp(words->text[0], "include") == 0) return read_include(r, words, f);
    char where[sizeof((ndft_item *)NULL)->where];
    snprintf(where, sizeof where, "%.*s:%d", NDFT_PATH_MAX, f->path, f->line);
    size_t i = r->suite->size;
    NDFT_TRY(ndft_suite_expand(r->suite, words, &r->sets, where, r->err));
    for (ndft_error reason; i < r->suite->size; i++)
        if (ndft_case_runs_no_code(&r->suite->items[i].problem, &reason) != NDFT_OK)
            return fail_at(r, f, NDFT_EINVAL, reason.message);
    return NDFT_OK;
}

static ndft_status read_line(reader *r, const char *line, const frame *f)
{
    ndft_texts words = {0};
    ndft_error reason = {0};
    ndft_status status = ndft_words_split(line, &words, &reason);
    if (status == NDFT_OK)
        status = read_words(r, &words, f);
    else
        fail_at(r, f, status, reason.message);
    ndft_texts_free(&words);
    return status;
}

/* By errno, with the line that includes it. */
static ndft_status cannot_read(reader *r, const char *path, const frame *outer)
{
    char message[512];
    snprintf(message, sizeof message, "%.300s: %s", path, strerror(errno));
    return outer ? fail_at(r, outer, NDFT_EIO, message)
                 : ndft_fail(r->err, NDFT_EIO, "%s", message);
}

static ndft_status read_lines(reader *r, FILE *file, frame *f)
{
    char *line = NULL;
    size_t room = 0, sets = r->sets.size;
    ndft_status status = NDFT_OK;
    while (status == NDFT_OK && ndft_line_read(&line, &room, file)) {
        f->line++;
        status = read_line(r, line, f);
    }
    if (status == NDFT_OK && ferror(file)) status = cannot_read(r, f->path, f->outer);
    free(line);
    ndft_texts_cut(&r->sets, sets);
    return status;
}

/* An include may neither lead back to a file being read nor go on and on. */
static ndft_status check_cycle(reader *r, const frame *f)
{
    for (const frame *o = f->outer; o; o = o->outer)
        if (strcmp(o->real, f->real) == 0)
            return fail_at(r, f->outer, NDFT_EINVAL, "include: this file is being read already");
    if (f->depth > DEPTH_MAX)
        return fail_at(r, f->outer, NDFT_EINVAL, "include: more than 16 files deep");
    return NDFT_OK;
}

static ndft_status read_file(reader *r, const char *path, const frame *outer)
{
    frame f = {.outer = outer, .path = path, .depth = outer ? outer->depth + 1 : 0};
    FILE *file = realpath(path, f.real) ? fopen(f.real, "r") : NULL;
    if (!file) return cannot_read(r, path, outer);
    ndft_status status = check_cycle(r, &f);
    if (status == NDFT_OK) status = read_lines(r, file, &f);
    fclose(file);
    return status;
}

ndft_status ndft_suite_read(const char *path, ndft_suite *suite, ndft_error *err)
{
    *suite = (ndft_suite){0};
    reader r = {.suite = suite, .err = err};
    ndft_status status = read_file(&r, path, NULL);
    ndft_texts_free(&r.sets);
    if (status != NDFT_OK) ndft_suite_free(suite);
    return status;
}

ndft_status ndft_suite_add(ndft_suite *suite, const char *line, const char *where, ndft_error *err)
{
    ndft_texts words = {0}, no_sets = {0};
    ndft_error reason = {0};
    ndft_status status = ndft_words_split(line, &words, &reason);
    if (status == NDFT_OK)
        status = ndft_suite_expand(suite, &words, &no_sets, where, err);
    else
        ndft_fail(err, status, "%.400s: %.500s", where, reason.message);
    ndft_texts_free(&words);
    return status;
}

void ndft_suite_free(ndft_suite *suite)
{
    free(suite->items);
    *suite = (ndft_suite){0};
}
