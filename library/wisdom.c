/* SPDX-License-Identifier: Apache-2.0 */
#include "wisdom.h"

#include "base/words.h"

#include <ndft/wisdom.h>

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sorted by shape. */
static struct {
    pthread_mutex_t lock;
    ndft_wise *entry;
    int n, room;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Where a shape is, or would be. */
static int place_of(const char *shape)
{
    int first = 0, last = table.n;
    while (first < last) {
        const int middle = (first + last) / 2;
        if (strcmp(table.entry[middle].shape, shape) < 0)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

static bool is_at(int place, const char *shape)
{
    return place < table.n && !strcmp(table.entry[place].shape, shape);
}

static bool make_room(void)
{
    if (table.n < table.room) return true;
    const int room = 2 * table.room + 16;
    ndft_wise *entry = realloc(table.entry, (size_t)room * sizeof *entry);
    if (!entry) return false;
    table.entry = entry;
    table.room = room;
    return true;
}

static bool insert(int place, const ndft_wise *entry)
{
    if (!make_room()) return false;
    memmove(&table.entry[place + 1], &table.entry[place],
            (size_t)(table.n - place) * sizeof *table.entry);
    table.entry[place] = *entry;
    table.n++;
    return true;
}

bool ndft_wisdom_find(const char *shape, ndft_wise *entry)
{
    pthread_mutex_lock(&table.lock);
    const int place = place_of(shape);
    const bool found = is_at(place, shape);
    if (found) *entry = table.entry[place];
    pthread_mutex_unlock(&table.lock);
    return found;
}

ndft_status ndft_wisdom_candidate(const ndft_wise *entry, ndft_candidate *candidate,
                                  ndft_error *err)
{
    NDFT_TRY(ndft_id_parse(entry->id, candidate, err));
    if (!strcmp(candidate->entry->build_id, entry->build_id)) return NDFT_OK;
    return ndft_fail(err, NDFT_EUNSUPPORTED, "%s has changed since", entry->id);
}

/* Nobody reads which names are near that of a variant that is not here, and they take long to find.
 */
static bool holds(const ndft_wise *entry)
{
    ndft_candidate candidate;
    ndft_error why = {.status = NDFT_OK};
    return ndft_registered_find(entry->id, strcspn(entry->id, ":")) &&
           ndft_wisdom_candidate(entry, &candidate, &why) == NDFT_OK;
}

static bool is_better(const ndft_wise *entry, const ndft_wise *than)
{
    return holds(entry) == holds(than) ? entry->when >= than->when : holds(entry);
}

ndft_status ndft_wisdom_add(const ndft_wise *entry, ndft_error *err)
{
    pthread_mutex_lock(&table.lock);
    const int place = place_of(entry->shape);
    bool done = true;
    if (!is_at(place, entry->shape))
        done = insert(place, entry);
    else if (is_better(entry, &table.entry[place]))
        table.entry[place] = *entry;
    pthread_mutex_unlock(&table.lock);
    return done ? NDFT_OK : ndft_fail(err, NDFT_ENOMEM, "no memory for wisdom");
}

void ndft_wisdom_forget(void)
{
    pthread_mutex_lock(&table.lock);
    free(table.entry);
    table.entry = NULL;
    table.n = table.room = 0;
    pthread_mutex_unlock(&table.lock);
}

/* Whole nanoseconds, which no locale writes otherwise. */
static int print_line(const ndft_wise *entry, char *line, size_t size)
{
    return snprintf(line, size, "%s\t%s\t%s\t%.0f\t%" PRIu64 "\n", entry->shape, entry->id,
                    entry->build_id, fmax(1, round(1e9 * entry->seconds)), entry->when);
}

/* The part of a line up to a tab, which fits; NULL: there is none. */
static const char *take_word(const char *at, char *word, size_t size)
{
    const size_t length = at ? strcspn(at, "\t\n") : 0;
    if (!length || length >= size || at[length] != '\t') return NULL;
    memcpy(word, at, length);
    word[length] = 0;
    return at + length + 1;
}

static bool parse_line(const char *line, size_t length, ndft_wise *entry)
{
    char number[24], when[24];
    uint64_t nanoseconds = 0;
    const char *at = take_word(line, entry->shape, sizeof entry->shape);
    at = take_word(at, entry->id, sizeof entry->id);
    at = take_word(at, entry->build_id, sizeof entry->build_id);
    at = take_word(at, number, sizeof number);
    if (!at) return false;
    const size_t digits = length - (size_t)(at - line);
    if (digits >= sizeof when) return false;
    memcpy(when, at, digits);
    when[digits] = 0;
    if (ndft_whole_parse(number, &nanoseconds) || !nanoseconds) return false;
    if (ndft_whole_parse(when, &entry->when)) return false;
    entry->seconds = 1e-9 * (double)nanoseconds;
    return true;
}

ndft_status ndft_wisdom_take(const char *lines, ndft_error *err)
{
    while (*lines) {
        ndft_wise entry;
        const size_t length = strcspn(lines, "\n");
        if (lines[length] && parse_line(lines, length, &entry))
            NDFT_TRY(ndft_wisdom_add(&entry, err));
        lines += length + (lines[length] != 0);
    }
    return NDFT_OK;
}

ndft_status ndft_wisdom_give(const char *before, char **text, ndft_error *err)
{
    pthread_mutex_lock(&table.lock);
    const size_t room = strlen(before) + (size_t)table.n * (sizeof(ndft_wise) + 64) + 1;
    char *at = *text = malloc(room);
    if (at) at += snprintf(at, room, "%s", before);
    for (int i = 0; at && i < table.n; i++)
        at += print_line(&table.entry[i], at, room - (size_t)(at - *text));
    pthread_mutex_unlock(&table.lock);
    return at ? NDFT_OK : ndft_fail(err, NDFT_ENOMEM, "no memory for wisdom");
}
