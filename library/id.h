/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ID_H
#define NDFT_ID_H

#include "registry.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A candidate is a registered variant with values for its knobs; its id is the text
 * NAME.BACKEND:knob=value,... with every knob that matters in declared order (no colon without
 * knobs).
 */
typedef struct ndft_candidate {
    const ndft_registered *entry;
    int knobs[NDFT_MAX_KNOBS];
} ndft_candidate;

enum { NDFT_ID_MAX = 256, NDFT_KNOB_TEXT = 32 };

/* The registered variant whose NAME.BACKEND are the first length characters of text, or NULL. */
const ndft_registered *ndft_registered_find(const char *text, size_t length);

/* Writes the full names nearest to word, "tiled.cpu, tiled.cuda", for messages. */
void ndft_nearest_variants(const char *word, char *text, size_t size);

/* The candidate of entry with every knob at its default. */
ndft_candidate ndft_candidate_of(const ndft_registered *entry);

/* Whether a knob of the variant can be set: of an engine any, of a scheme those of its stages. */
bool ndft_knob_open(const ndft_registered *, int knob);

/* Whether entry has every knob that text ("tile=32,sincos=libm") names. */
bool ndft_knobs_known(const ndft_registered *entry, const char *text);

/* Sets the knobs that text names, in any order. NDFT_EINVAL names the knob or value that is wrong
 * and the nearest valid one; values that are merely unsupported are left to the variant. Knobs that
 * do not matter for the stages chosen keep their default. */
ndft_status ndft_knobs_parse(ndft_candidate *, const char *text, ndft_error *);

/* The id of NAME.BACKEND[:knob=value,...]; knobs not named keep their defaults. */
ndft_status ndft_id_parse(const char *text, ndft_candidate *, ndft_error *);

/* Returns the length as snprintf does. */
int ndft_id_print(const ndft_candidate *, char *text, size_t size);

/* Likewise without the knobs that are at their presets: it parses to the same. */
int ndft_id_print_short(const ndft_candidate *, char *text, size_t size);

/* A knob's value as text: its word, or the number. */
void ndft_knob_print(const ndft_knob *, int value, char text[NDFT_KNOB_TEXT]);

#endif
