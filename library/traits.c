/* SPDX-License-Identifier: Apache-2.0 */
#include "traits.h"

#include <string.h>

ndft_traits ndft_traits_of(const ndft_variant *v, const int *knobs)
{
    if (v->traits) return v->traits(knobs);
    const unsigned ops = v->ops ? v->ops : NDFT_FORWARD | NDFT_ADJOINT;
    return (ndft_traits){v->summary, ops, v->claim, v->stages, UINT32_MAX};
}

/* The word that a scheme "spread=hybrid interpolate=unsorted" has for a knob, up to a blank; NULL:
 * it leaves it open. */
static const char *word_of(const char *scheme, const ndft_knob *knob)
{
    const size_t length = strlen(knob->name);
    for (; scheme && *scheme; scheme += strspn(scheme, " ")) {
        if (!strncmp(scheme, knob->name, length) && scheme[length] == '=')
            return scheme + length + 1;
        scheme += strcspn(scheme, " ");
    }
    return NULL;
}

static int value_of(const char *word, const ndft_knob *knob)
{
    const size_t length = strcspn(word, " ");
    for (int i = 0; knob->words[i]; i++)
        if (!strncmp(knob->words[i], word, length) && !knob->words[i][length]) return i;
    return knob->preset;
}

void ndft_presets_of(const ndft_registered *entry, int knobs[NDFT_MAX_KNOBS])
{
    const char *scheme = entry->variant->traits ? ndft_scheme_of(entry) : NULL;
    for (int i = 0; i < entry->variant->n_knobs; i++) {
        const ndft_knob *knob = &entry->variant->knobs[i];
        const char *word = word_of(scheme, knob);
        knobs[i] = word ? value_of(word, knob) : knob->preset;
    }
}

/* The first knob of that name which matters. */
static int first_of_name(const ndft_variant *v, uint32_t matter, int knob)
{
    for (int i = 0; i < knob; i++)
        if ((matter >> i & 1) && !strcmp(v->knobs[i].name, v->knobs[knob].name)) return i;
    return knob;
}

void ndft_knobs_settle(const ndft_registered *entry, int *knobs)
{
    const ndft_variant *v = entry->variant;
    if (!v->traits) return;
    const uint32_t matter = v->traits(knobs).matter;
    for (int i = 0; i < v->n_knobs; i++)
        knobs[i] = matter >> i & 1 ? knobs[first_of_name(v, matter, i)] : v->knobs[i].preset;
}

bool ndft_knob_shown(const ndft_registered *entry, const int *knobs, int knob)
{
    const ndft_variant *v = entry->variant;
    if (!v->traits) return true;
    const uint32_t matter = v->traits(knobs).matter;
    return (matter >> knob & 1) && first_of_name(v, matter, knob) == knob &&
           !word_of(ndft_scheme_of(entry), &v->knobs[knob]);
}
