/* SPDX-License-Identifier: Apache-2.0 */
#include "winners.h"

#include "case/case.h"
#include "show.h"

#include <stdlib.h>
#include <string.h>

static ndft_winner *find(ndft_winners *winners, const char *text)
{
    if (!winners->places) winners->places = json_object();
    const json_t *known = json_object_get(winners->places, text);
    if (known) return &winners->items[json_integer_value(known)];
    ndft_winner *items = realloc(winners->items, (size_t)(winners->size + 1) * sizeof *items);
    if (!items) return NULL;
    winners->items = items;
    items[winners->size] = (ndft_winner){.text = strdup(text)};
    if (!items[winners->size].text) return NULL;
    json_object_set_new(winners->places, text, json_integer(winners->size));
    return &items[winners->size++];
}

static bool beats(const ndft_winner *w, int rank, double median)
{
    return !w->id[rank] || median < w->median_s[rank];
}

static void place(ndft_winner *w, int rank, const char *id, double median)
{
    free(w->id[rank == NDFT_FIRST ? NDFT_SECOND : rank]);
    if (rank == NDFT_FIRST) {
        w->id[NDFT_SECOND] = w->id[NDFT_FIRST];
        w->median_s[NDFT_SECOND] = w->median_s[NDFT_FIRST];
    }
    w->id[rank] = strdup(id);
    w->median_s[rank] = median;
}

void ndft_winners_take(ndft_winners *winners, const json_t *record)
{
    const char *name = ndft_field_text(record, "case"), *mode = ndft_field_text(record, "mode");
    const char *id = ndft_field_text(record, "variant");
    const char *verdict = ndft_field_text(record, "verdict");
    double median = ndft_field_number(record, "median_s");
    char text[NDFT_CASE_MAX + 32];
    bool plain = !*mode || !strcmp(mode, "batch");
    snprintf(text, sizeof text, "%s%s%s", name, plain ? "" : "  ", plain ? "" : mode);
    ndft_winner *w = *name ? find(winners, text) : NULL;
    if (!w || !*id || strcmp(verdict, "pass") || !(median > 0)) return;
    const char *doubt = ndft_field_doubt(record);
    if (doubt) {
        if (!beats(w, NDFT_IN_DOUBT, median)) return;
        place(w, NDFT_IN_DOUBT, id, median);
        w->doubt = doubt;
    } else if (beats(w, NDFT_FIRST, median)) {
        place(w, NDFT_FIRST, id, median);
        w->rate = ndft_field_number(record, "coil_pairs_per_s");
    } else if (beats(w, NDFT_SECOND, median)) {
        place(w, NDFT_SECOND, id, median);
    }
}

/* A rank's variant and its time. */
static void print_place(const ndft_winner *w, int rank, FILE *out)
{
    char seconds[NDFT_SHOWN];
    fprintf(out, "    %-40s %10s", w->id[rank], ndft_show_seconds(w->median_s[rank], seconds));
}

/* Where it might have won. */
static void print_doubtful(const ndft_winner *w, FILE *out)
{
    if (!w->id[NDFT_IN_DOUBT] ||
        (w->id[NDFT_FIRST] && w->median_s[NDFT_IN_DOUBT] >= w->median_s[NDFT_FIRST]))
        return;
    print_place(w, NDFT_IN_DOUBT, out);
    if (w->id[NDFT_FIRST])
        fprintf(out, "  %s: does not rank\n", w->doubt);
    else
        fputs("  provisionally\n", out);
}

void ndft_winners_print(const ndft_winners *winners, FILE *out)
{
    for (int i = 0; i < winners->size; i++) {
        const ndft_winner *w = &winners->items[i];
        char rate[NDFT_SHOWN];
        fprintf(out, "%s\n", w->text);
        if (w->id[NDFT_FIRST]) {
            print_place(w, NDFT_FIRST, out);
            fprintf(out, " %10s pairs/s\n", ndft_show_rate(w->rate, rate));
        } else if (w->doubt) {
            fprintf(out, "    %s: no winner\n", w->doubt);
        } else {
            fputs("    nothing passed\n", out);
        }
        if (w->id[NDFT_SECOND]) {
            print_place(w, NDFT_SECOND, out);
            fprintf(out, " %9.2fx slower\n", w->median_s[NDFT_SECOND] / w->median_s[NDFT_FIRST]);
        }
        print_doubtful(w, out);
    }
}

void ndft_winners_free(ndft_winners *winners)
{
    for (int i = 0; i < winners->size; i++) {
        free(winners->items[i].text);
        for (int rank = 0; rank < NDFT_PLACES; rank++) free(winners->items[i].id[rank]);
    }
    free(winners->items);
    json_decref(winners->places);
    *winners = (ndft_winners){0};
}
