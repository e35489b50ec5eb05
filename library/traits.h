/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TRAITS_H
#define NDFT_TRAITS_H

#include "registry.h"

/*
 * An engine's knobs choose its stages. A scheme is a published name for some of these choices: a
 * registered entry whose variant is the engine, with the knobs that it names fixed.
 */

/* What a variant is with these knobs. */
ndft_traits ndft_traits_of(const ndft_variant *, const int *knobs);

/* The defaults of an entry's knobs, those that a scheme fixes among them. */
void ndft_presets_of(const ndft_registered *, int knobs[NDFT_MAX_KNOBS]);

/* Gives the default to knobs that do not matter, and one value to those that share a name. */
void ndft_knobs_settle(const ndft_registered *, int *knobs);

/* Whether a knob is part of an id with these values: it matters, is not fixed and comes first of
 * its name. */
bool ndft_knob_shown(const ndft_registered *, const int *knobs, int knob);

#endif
