/* SPDX-License-Identifier: Apache-2.0 */
#include "texts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room grows by doubling: a list of power-of-two size is full. */
static ndft_status grow(ndft_texts *texts, ndft_error *err)
{
    if (texts->size & (texts->size - 1)) return NDFT_OK;
    size_t room = texts->size ? 2 * texts->size : 1;
    char **text = realloc(texts->text, room * sizeof *text);
    if (!text) return ndft_fail(err, NDFT_ENOMEM, "no memory for %zu texts", room);
    texts->text = text;
    return NDFT_OK;
}

/* Appends an empty text with room for length characters. */
static ndft_status add_room(ndft_texts *texts, size_t length, ndft_error *err)
{
    NDFT_TRY(grow(texts, err));
    char *text = calloc(length + 1, 1);
    if (!text) return ndft_fail(err, NDFT_ENOMEM, "no memory for %zu characters", length);
    texts->text[texts->size++] = text;
    return NDFT_OK;
}

ndft_status ndft_texts_add(ndft_texts *texts, const char *text, size_t length, ndft_error *err)
{
    NDFT_TRY(add_room(texts, length, err));
    memcpy(texts->text[texts->size - 1], text, length);
    return NDFT_OK;
}

ndft_status ndft_texts_format(ndft_texts *texts, ndft_error *err, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    ndft_status status = add_room(texts, (size_t)length, err);
    if (status == NDFT_OK)
        vsnprintf(texts->text[texts->size - 1], (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    return status;
}

void ndft_texts_cut(ndft_texts *texts, size_t size)
{
    while (texts->size > size) free(texts->text[--texts->size]);
}

void ndft_texts_free(ndft_texts *texts)
{
    ndft_texts_cut(texts, 0);
    free(texts->text);
    *texts = (ndft_texts){0};
}

bool ndft_line_read(char **line, size_t *room, FILE *file)
{
    const ssize_t length = getline(line, room, file);
    for (ssize_t i = 0; i < length; i++)
        if (!(*line)[i]) (*line)[i] = '\1';
    return length >= 0;
}
