/* SPDX-License-Identifier: Apache-2.0 */
#include "cfl.h"

#include "output.h"

#include <stdlib.h>
#include <string.h>

enum { DIMS = NDFT_MAX_RANK, NAME_MAX_BYTES = 1024 };

bool ndft_is_cfl(const char *path)
{
    const char *end = strrchr(path, '.');
    return end && (strcmp(end, ".cfl") == 0 || strcmp(end, ".hdr") == 0);
}

static void pair_name(const char *path, const char *extension, char name[NAME_MAX_BYTES])
{
    size_t length = strlen(path) - (ndft_is_cfl(path) ? 4 : 0);
    snprintf(name, NAME_MAX_BYTES, "%.*s%s", (int)length, path, extension);
}

/* The numbers after "# Dimensions"; those left out are 1. */
static ndft_status parse_dimensions(FILE *file, const char *name, ndft_array *a, ndft_error *err)
{
    char line[1024];
    bool found = false;
    while (!found && fgets(line, sizeof line, file))
        found = strncmp(line, "# Dimensions", strlen("# Dimensions")) == 0;
    if (!found || !fgets(line, sizeof line, file))
        return ndft_fail(err, NDFT_EINVAL, "%s: no line '# Dimensions' with numbers below", name);
    line[strcspn(line, "\r\n")] = '\0';

    int64_t count = 1;
    a->rank = DIMS;
    for (int d = 0; d < DIMS; d++) a->shape[d] = 1;
    char *at = line, *end;
    for (int d = 0;; d++, at = end) {
        long long length = strtoll(at, &end, 10);
        if (end == at) break;
        if (d == DIMS || length < 1 || __builtin_mul_overflow(count, length, &count) ||
            count > INT64_MAX / 16)
            return ndft_fail(err, NDFT_EINVAL, "%s: cannot read the dimensions %s", name, line);
        a->shape[DIMS - 1 - d] = length;
    }
    end += strspn(end, " \t");
    if (*end)
        return ndft_fail(err, NDFT_EINVAL, "%s: '%.*s' is not a dimension", name,
                         (int)strcspn(end, " \t"), end);
    return NDFT_OK;
}

ndft_status ndft_cfl_read(const char *path, ndft_arena *arena, ndft_array *a, ndft_error *err)
{
    char name[NAME_MAX_BYTES];
    FILE *file;
    *a = (ndft_array){.element = NDFT_ELEMENT_C64, .scale = 1};
    pair_name(path, ".hdr", name);
    NDFT_TRY(ndft_stream_open(name, &file, err));
    ndft_status status = parse_dimensions(file, name, a, err);
    fclose(file);
    NDFT_TRY(status);

    pair_name(path, ".cfl", name);
    NDFT_TRY(ndft_stream_open(name, &file, err));
    status = ndft_stream_read_array(file, name, arena, a, err);
    fclose(file);
    return status;
}

ndft_status ndft_cfl_write(const char *path, const ndft_array *a, ndft_error *err)
{
    char name[NAME_MAX_BYTES];
    ndft_output out;
    if (a->element != NDFT_ELEMENT_C64)
        return ndft_fail(err, NDFT_EINVAL, "%s: a cfl file holds complex float only", path);
    pair_name(path, ".hdr", name);
    NDFT_TRY(ndft_output_open(name, NULL, &out, err));
    fprintf(out.file, "# Dimensions\n");
    for (int d = 0; d < DIMS; d++)
        fprintf(out.file, "%lld ", d < a->rank ? (long long)a->shape[a->rank - 1 - d] : 1LL);
    fprintf(out.file, "\n");
    NDFT_TRY(ndft_output_close(&out, err));

    pair_name(path, ".cfl", name);
    NDFT_TRY(ndft_output_open(name, NULL, &out, err));
    fwrite(a->data, ndft_element_size(a->element), (size_t)ndft_array_count(a), out.file);
    return ndft_output_close(&out, err);
}
