/* SPDX-License-Identifier: Apache-2.0 */
#include "id.h"

#include "base/text.h"
#include "base/words.h"
#include "traits.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ndft_nearest_variants(const char *word, char *text, size_t size)
{
    ndft_text line = ndft_text_in(text, size);
    const char **names = calloc((size_t)ndft_registry_size + 1, sizeof *names);
    if (!names) return;
    for (int i = 0; i < ndft_registry_size; i++) names[i] = ndft_registry[i].name;
    char name[NDFT_ID_MAX];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "."), word);
    const char *nearest = ndft_nearest(name, names);
    for (int i = 0; i < ndft_registry_size; i++) {
        const ndft_registered *entry = &ndft_registry[i];
        if (strcmp(entry->name, nearest)) continue;
        ndft_text_add(&line, "%s%s.%s", line.used ? ", " : "", entry->name, entry->backend);
    }
    free(names);
}

ndft_candidate ndft_candidate_of(const ndft_registered *entry)
{
    ndft_candidate candidate = {.entry = entry};
    if (entry->variant) ndft_presets_of(entry, candidate.knobs);
    return candidate;
}

bool ndft_knob_open(const ndft_registered *entry, int knob)
{
    if (!entry->variant->traits || ndft_is_engine(entry)) return true;
    const ndft_candidate candidate = ndft_candidate_of(entry);
    return ndft_knob_shown(entry, candidate.knobs, knob);
}

/* The first knob of that name from one on, -1: none. */
static int find_knob(const ndft_registered *entry, int from, const char *name, size_t length)
{
    for (int i = from; entry->variant && i < entry->variant->n_knobs; i++) {
        const char *knob = entry->variant->knobs[i].name;
        if (strlen(knob) == length && !strncmp(knob, name, length) && ndft_knob_open(entry, i))
            return i;
    }
    return -1;
}

/* The end of the setting at text, and past the comma that follows it. */
static const char *next_setting(const char *text)
{
    text += strcspn(text, ",");
    return *text ? text + 1 : text;
}

bool ndft_knobs_known(const ndft_registered *entry, const char *text)
{
    for (; *text; text = next_setting(text))
        if (find_knob(entry, 0, text, strcspn(text, "=,")) < 0) return false;
    return true;
}

static ndft_status unknown_knob(const ndft_registered *entry, const char *name, ndft_error *err)
{
    const ndft_variant *v = entry->variant;
    if (!v || !v->n_knobs)
        return ndft_fail(err, NDFT_EINVAL, "%s.%s has no knob '%s', it has none", entry->name,
                         entry->backend, name);
    const char *names[NDFT_MAX_KNOBS + 1] = {NULL};
    for (int i = 0, n = 0; i < v->n_knobs; i++)
        if (ndft_knob_open(entry, i)) names[n++] = v->knobs[i].name;
    return ndft_fail(err, NDFT_EINVAL, "%s.%s has no knob '%s'; nearest: %s", entry->name,
                     entry->backend, name, ndft_nearest(name, names));
}

static ndft_status parse_value(const ndft_knob *knob, const char *value, int *out, ndft_error *err)
{
    for (int i = 0; knob->words && knob->words[i]; i++) {
        if (strcmp(knob->words[i], value)) continue;
        *out = i;
        return NDFT_OK;
    }
    if (knob->words)
        return ndft_fail(err, NDFT_EINVAL, "knob %s cannot be '%s'; nearest: %s", knob->name, value,
                         ndft_nearest(value, knob->words));
    uint64_t number = 0;
    if (ndft_whole_parse(value, &number) || number > INT_MAX)
        return ndft_fail(err, NDFT_EINVAL, "knob %s cannot be '%s': it is a whole number, e.g. %d",
                         knob->name, value, knob->preset);
    *out = (int)number;
    return NDFT_OK;
}

static ndft_status parse_setting(ndft_candidate *candidate, char *setting, ndft_error *err)
{
    char *value = strchr(setting, '=');
    if (!value)
        return ndft_fail(err, NDFT_EINVAL, "'%s' is no knob setting; write knob=value", setting);
    *value++ = 0;
    const size_t length = strlen(setting);
    int i = find_knob(candidate->entry, 0, setting, length);
    if (i < 0) return unknown_knob(candidate->entry, setting, err);
    for (; i >= 0; i = find_knob(candidate->entry, i + 1, setting, length))
        NDFT_TRY(
            parse_value(&candidate->entry->variant->knobs[i], value, &candidate->knobs[i], err));
    return NDFT_OK;
}

/* Whether one of the settings from text to end is of the knob that end sets. */
static bool is_set_before(const char *text, const char *end)
{
    const size_t length = strcspn(end, "=,");
    for (; text < end; text = next_setting(text))
        if (strcspn(text, "=,") == length && !strncmp(text, end, length)) return true;
    return false;
}

ndft_status ndft_knobs_parse(ndft_candidate *candidate, const char *text, ndft_error *err)
{
    for (const char *first = text; *text; text = next_setting(text)) {
        char setting[NDFT_ID_MAX];
        if (is_set_before(first, text))
            return ndft_fail(err, NDFT_EINVAL, "'%.*s': knob %.*s is given twice",
                             (int)strcspn(text, ","), text, (int)strcspn(text, "=,"), text);
        snprintf(setting, sizeof setting, "%.*s", (int)strcspn(text, ","), text);
        NDFT_TRY(parse_setting(candidate, setting, err));
    }
    if (candidate->entry->variant) ndft_knobs_settle(candidate->entry, candidate->knobs);
    return NDFT_OK;
}

const ndft_registered *ndft_registered_find(const char *text, size_t length)
{
    for (int i = 0; i < ndft_registry_size; i++) {
        char full[NDFT_ID_MAX];
        int n =
            snprintf(full, sizeof full, "%s.%s", ndft_registry[i].name, ndft_registry[i].backend);
        if ((size_t)n == length && !strncmp(full, text, length)) return &ndft_registry[i];
    }
    return NULL;
}

ndft_status ndft_id_parse(const char *text, ndft_candidate *candidate, ndft_error *err)
{
    size_t length = strcspn(text, ":");
    const ndft_registered *entry = ndft_registered_find(text, length);
    if (!entry) {
        char nearest[256];
        ndft_nearest_variants(text, nearest, sizeof nearest);
        return ndft_fail(err, NDFT_EINVAL, "there is no variant '%.*s'; nearest: %s", (int)length,
                         text, nearest);
    }
    *candidate = ndft_candidate_of(entry);
    return text[length] ? ndft_knobs_parse(candidate, text + length + 1, err) : NDFT_OK;
}

void ndft_knob_print(const ndft_knob *knob, int value, char text[NDFT_KNOB_TEXT])
{
    if (knob->words)
        snprintf(text, NDFT_KNOB_TEXT, "%s", knob->words[value]);
    else
        snprintf(text, NDFT_KNOB_TEXT, "%d", value);
}

/* but: settings that are left out; NULL: none. */
static int print(const ndft_candidate *candidate, const int *but, char *text, size_t size)
{
    const ndft_registered *entry = candidate->entry;
    ndft_text line = ndft_text_in(text, size);
    ndft_text_add(&line, "%s.%s", entry->name, entry->backend);
    char before = ':';
    for (int i = 0; entry->variant && i < entry->variant->n_knobs; i++) {
        char value[NDFT_KNOB_TEXT];
        if (!ndft_knob_shown(entry, candidate->knobs, i)) continue;
        if (but && but[i] == candidate->knobs[i]) continue;
        ndft_knob_print(&entry->variant->knobs[i], candidate->knobs[i], value);
        ndft_text_add(&line, "%c%s=%s", before, entry->variant->knobs[i].name, value);
        before = ',';
    }
    return (int)line.used;
}

int ndft_id_print(const ndft_candidate *candidate, char *text, size_t size)
{
    return print(candidate, NULL, text, size);
}

int ndft_id_print_short(const ndft_candidate *candidate, char *text, size_t size)
{
    const ndft_candidate presets = ndft_candidate_of(candidate->entry);
    return print(candidate, presets.knobs, text, size);
}
