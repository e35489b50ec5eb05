/* SPDX-License-Identifier: Apache-2.0 */
#include "host_sorted.h"

#include <stdlib.h>

enum {
    HEAVY = 256,        /* of all samples, the share that makes a tile heavy is one in so many */
    PART_SAMPLES = 1024 /* that are worth a part of their own */
};

static int64_t samples_of(const ndft_sorted *s, int64_t tile)
{
    return s->start[tile + 1] - s->start[tile];
}

/* Parts of a tile: none of a light one. */
static int64_t parts_of(const ndft_sorted *s, int64_t tile, int64_t least)
{
    const int64_t samples = samples_of(s, tile);
    return samples < least ? 0 : (samples + PART_SAMPLES - 1) / PART_SAMPLES;
}

static int64_t all_parts(const ndft_sorted *s, int64_t least)
{
    int64_t parts = 0;
    for (int64_t tile = 0; tile < ndft_tile_number(s); tile++) parts += parts_of(s, tile, least);
    return parts;
}

static void split_tile(ndft_turns *t, const ndft_sorted *s, int64_t tile, int64_t parts)
{
    const int64_t begin = s->start[tile], samples = samples_of(s, tile);
    for (int64_t i = 0; i < parts; i++)
        t->part[t->parts++] =
            (ndft_heavy_part){tile, begin + i * samples / parts, begin + (i + 1) * samples / parts};
}

static void split_tiles(ndft_turns *t, const ndft_sorted *s, int64_t least)
{
    for (int64_t stripe = 0; stripe < s->stripes; stripe++) {
        t->first_part[stripe] = t->parts;
        for (int64_t i = 0; i < s->per_stripe; i++) {
            const int64_t tile = stripe * s->per_stripe + i;
            split_tile(t, s, tile, parts_of(s, tile, least));
        }
    }
    t->first_part[s->stripes] = t->parts;
}

/* Samples that make a tile heavy. */
static int64_t least_of(const ndft_sorted *s, int64_t most_parts)
{
    const int64_t share = s->start[ndft_tile_number(s)] / HEAVY;
    int64_t least = share > PART_SAMPLES / 2 ? share : PART_SAMPLES / 2;
    while (all_parts(s, least) > most_parts) least *= 2;
    return least;
}

/* A stripe in its turn. */
typedef struct stripe_turn {
    int64_t samples; /* but those of heavy tiles */
    int32_t stripe, queue;
    int colour;
} stripe_turn;

static int by_turn(const void *a, const void *b)
{
    const stripe_turn *p = a, *q = b;
    if (p->queue != q->queue) return p->queue - q->queue;
    if (p->colour != q->colour) return p->colour - q->colour;
    if (p->samples != q->samples) return p->samples > q->samples ? -1 : 1;
    return p->stripe < q->stripe ? -1 : 1;
}

static stripe_turn turn_of(const ndft_turns *t, const ndft_sorted *s, int32_t queue, int32_t stripe)
{
    const int64_t begin = s->start[stripe * s->per_stripe];
    stripe_turn turn = {.samples = s->start[(stripe + 1) * s->per_stripe] - begin,
                        .stripe = stripe,
                        .queue = queue,
                        .colour = ndft_stripe_colour(s, stripe)};
    for (int64_t i = t->first_part[stripe]; i < t->first_part[stripe + 1]; i++)
        turn.samples -= t->part[i].end - t->part[i].begin;
    return turn;
}

static void take_turns(ndft_turns *t, const ndft_sorted *s, int queues, const int32_t *begin,
                       stripe_turn *turns)
{
    int32_t queue = 0;
    for (int32_t i = 0; i < s->stripes; i++) {
        while (queue + 1 < queues && i >= begin[queue + 1]) queue++;
        turns[i] = turn_of(t, s, queue, i);
    }
    qsort(turns, (size_t)s->stripes, sizeof *turns, by_turn);
    for (int64_t i = 0; i < s->stripes; i++) t->turn[i] = turns[i].stripe;
}

bool ndft_turns_make(ndft_turns *t, const ndft_sorted *s, int queues, const int32_t *begin,
                     int64_t most_parts)
{
    const int64_t least = most_parts > 0 ? least_of(s, most_parts) : INT64_MAX;
    const int64_t parts = most_parts > 0 ? all_parts(s, least) : 0;
    stripe_turn *turns = malloc((size_t)s->stripes * sizeof *turns);
    *t = (ndft_turns){0};
    t->turn = malloc((size_t)s->stripes * sizeof *t->turn);
    t->part = malloc((size_t)(parts + 1) * sizeof *t->part);
    t->first_part = calloc((size_t)(s->stripes + 1), sizeof *t->first_part);
    const bool made = turns && t->turn && t->part && t->first_part;
    if (made && parts) split_tiles(t, s, least);
    if (made) take_turns(t, s, queues, begin, turns);
    free(turns);
    if (!made) ndft_turns_free(t);
    return made;
}

void ndft_turns_free(ndft_turns *t)
{
    free(t->turn);
    free(t->part);
    free(t->first_part);
    *t = (ndft_turns){0};
}
