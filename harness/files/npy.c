/* SPDX-License-Identifier: Apache-2.0 */
#include "npy.h"

#include "base/text.h"
#include "output.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "\x93NUMPY";

enum { MAGIC = 6, HEADER_MAX = 65535, WORD_MAX = 256 };

static const struct {
    const char *descr, *word;
} types[] = {
    [NDFT_ELEMENT_BOOL] = {"|b1", "bool"},        [NDFT_ELEMENT_F32] = {"<f4", "float32"},
    [NDFT_ELEMENT_F64] = {"<f8", "float64"},      [NDFT_ELEMENT_C64] = {"<c8", "complex64"},
    [NDFT_ELEMENT_C128] = {"<c16", "complex128"},
};

enum { TYPES = sizeof types / sizeof *types };

const char *ndft_npy_type(ndft_element element) { return types[element].word; }

void ndft_npy_shape(const int64_t *shape, int rank, char *text, size_t size)
{
    ndft_text line = ndft_text_in(text, size);
    ndft_text_add(&line, "(");
    for (int d = 0; d < rank; d++) ndft_text_add(&line, d ? ",%lld" : "%lld", (long long)shape[d]);
    ndft_text_add(&line, ")");
}

/* The part of the header that the pattern's group matches; false and empty when there is none, or
 * it is longer than any that numpy writes. */
static bool find(const char *header, const char *pattern, char *word)
{
    regex_t regex;
    regmatch_t match[2];
    word[0] = '\0';
    if (regcomp(&regex, pattern, REG_EXTENDED)) return false;
    bool found = regexec(&regex, header, 2, match, 0) == 0;
    regfree(&regex);
    const int length = found ? (int)(match[1].rm_eo - match[1].rm_so) : 0;
    if (!found || length >= WORD_MAX) return false;
    snprintf(word, WORD_MAX, "%.*s", length, header + match[1].rm_so);
    return true;
}

static ndft_status parse_type(const char *path, const char *descr, ndft_array *a, ndft_error *err)
{
    for (int e = 0; e < TYPES; e++) {
        if (strcmp(descr, types[e].descr)) continue;
        a->element = (ndft_element)e;
        return NDFT_OK;
    }
    return ndft_fail(err, NDFT_EINVAL,
                     "%s: the type is '%s'; valid are bool, float32, float64, complex64, "
                     "complex128, little endian",
                     path, descr);
}

static ndft_status parse_shape(const char *path, const char *text, ndft_array *a, ndft_error *err)
{
    int64_t count = 1;
    const char *at = text;
    for (a->rank = 0; at[strspn(at, ", ")]; a->rank++) {
        char *end;
        at += strspn(at, ", ");
        long long length = strtoll(at, &end, 10);
        if (a->rank == NDFT_MAX_RANK || end == at || length < 1 ||
            __builtin_mul_overflow(count, length, &count) || count > INT64_MAX / 16)
            return ndft_fail(err, NDFT_EINVAL, "%s: cannot read an array of shape (%s)", path,
                             text);
        a->shape[a->rank] = length;
        at = end;
    }
    return NDFT_OK;
}

static ndft_status parse_header(const char *path, const char *header, ndft_array *a,
                                ndft_error *err)
{
    char word[WORD_MAX];
    find(header, "'descr': *'([^'[:cntrl:]]*)'", word);
    NDFT_TRY(parse_type(path, word, a, err));
    find(header, "'fortran_order': *(True|False)", word);
    if (strcmp(word, "False"))
        return ndft_fail(err, NDFT_EINVAL,
                         "%s: fortran_order is %s; wanted is C order "
                         "(numpy.ascontiguousarray before saving)",
                         path, word[0] ? word : "missing");
    if (!find(header, "'shape': *\\(([0-9, ]*)\\)", word))
        return ndft_fail(err, NDFT_EINVAL, "%s: the header has no shape of whole numbers", path);
    return parse_shape(path, word, a, err);
}

/* Length of the dictionary's text, which version 1 has in 2 bytes and later ones in 4. */
static ndft_status read_header(FILE *file, const char *path, ndft_array *a, ndft_error *err)
{
    unsigned char start[MAGIC + 6] = {0};
    if (fread(start, 1, MAGIC + 4, file) != MAGIC + 4 || memcmp(start, magic, MAGIC))
        return ndft_fail(err, NDFT_EINVAL, "%s: not an npy file", path);
    int version = start[MAGIC];
    if (version < 1 || version > 3)
        return ndft_fail(err, NDFT_EINVAL, "%s: npy version %d; 1 to 3 are valid", path, version);
    size_t length = start[MAGIC + 2] | (size_t)start[MAGIC + 3] << 8;
    if (version > 1) {
        if (fread(start + MAGIC + 4, 1, 2, file) != 2) length = HEADER_MAX + 1;
        length |= (size_t)start[MAGIC + 4] << 16 | (size_t)start[MAGIC + 5] << 24;
    }
    char header[HEADER_MAX + 1];
    if (length > HEADER_MAX || fread(header, 1, length, file) != length)
        return ndft_fail(err, NDFT_EINVAL, "%s: the npy header is cut short", path);
    header[length] = '\0';
    return parse_header(path, header, a, err);
}

ndft_status ndft_npy_read(const char *path, ndft_arena *arena, ndft_array *a, ndft_error *err)
{
    *a = (ndft_array){.scale = 1};
    FILE *file;
    NDFT_TRY(ndft_stream_open(path, &file, err));
    ndft_status status = read_header(file, path, a, err);
    if (status == NDFT_OK) status = ndft_stream_read_array(file, path, arena, a, err);
    fclose(file);
    return status;
}

ndft_status ndft_npy_write(const char *path, const ndft_array *a, ndft_error *err)
{
    char shape[WORD_MAX], header[WORD_MAX + 128];
    ndft_npy_shape(a->shape, a->rank, shape, sizeof shape);
    if (a->rank == 1) snprintf(shape, sizeof shape, "(%lld,)", (long long)a->shape[0]);
    int length =
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
                 types[a->element].descr, shape);
    /* Blanks up to a newline make the data start at a multiple of 64 bytes. */
    int total = (MAGIC + 4 + length + 1 + 63) / 64 * 64 - (MAGIC + 4);
    unsigned char start[MAGIC + 4] = {
        [MAGIC] = 1, 0, (unsigned char)total, (unsigned char)(total >> 8)};
    memcpy(start, magic, MAGIC);
    ndft_output out;
    NDFT_TRY(ndft_output_open(path, magic, &out, err));
    fwrite(start, 1, sizeof start, out.file);
    fprintf(out.file, "%s%*s\n", header, total - length - 1, "");
    fwrite(a->data, ndft_element_size(a->element), (size_t)ndft_array_count(a), out.file);
    return ndft_output_close(&out, err);
}

ndft_status ndft_npy_allowed(const char *path, ndft_error *err)
{
    return ndft_output_allowed(path, magic, err);
}
