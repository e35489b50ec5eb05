/* SPDX-License-Identifier: Apache-2.0 */
#include "model.h"

#include "base/words.h"
#include "model.inc"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 48, MOST_LINES = 512, MOST_DEVICES = 4 };

typedef struct line {
    char engine[WORD];
    int prec; /* -1: any */
    ndft_model_line says;
} line;

/* What a device's engines cost. */
typedef struct model {
    ndft_device device;
    line *lines;
    int n;
} model;

static struct {
    const char *backend, *text;
    model of[MOST_DEVICES];
    int n;
} backends[] = {{.backend = "cpu", .text = cpu_text}, {.backend = "cuda", .text = cuda_text}};

enum { BACKENDS = sizeof backends / sizeof *backends };

const char *ndft_model_term(int term)
{
    static const char *const own[] = {"rough", "rougher", "across", "convolved", "summed",
                                      "line",  "axes",    "depth",  "chirped",   "start"};
    return term < NDFT_COST_FIELDS ? ndft_cost_name(term) : own[term - NDFT_COST_FIELDS];
}

/* Numbers are whole, which no locale writes otherwise; what is none is 0. */
static double number_of(const char *text)
{
    uint64_t value = 0;
    return ndft_whole_parse(text, &value) ? 0 : (double)value;
}

/* The value of a word NAME=VALUE; NULL: it is of another name. */
static const char *value_of(const char *word, const char *name)
{
    const size_t length = strlen(name);
    return !strncmp(word, name, length) && word[length] == '=' ? word + length + 1 : NULL;
}

static void set_device(ndft_device *d, const char *word)
{
    const char *value;
    if ((value = value_of(word, "slug"))) snprintf(d->slug, sizeof d->slug, "%s", value);
    if ((value = value_of(word, "units"))) d->units = (int)number_of(value);
    if ((value = value_of(word, "mhz"))) d->clock_mhz = number_of(value);
    if ((value = value_of(word, "gbs"))) d->bytes_s = 1e9 * number_of(value);
    if ((value = value_of(word, "capability"))) d->capability = (int)number_of(value);
    if ((value = value_of(word, "isa"))) d->isa = (ndft_isa)number_of(value);
}

static void set_number(ndft_model_line *l, const char *word)
{
    const double zeptosecond = 1e-21;
    const char *value = value_of(word, "error");
    if (value) l->error = number_of(value) / 100;
    for (int term = 0; term < NDFT_MODEL_TERMS; term++)
        if ((value = value_of(word, ndft_model_term(term))))
            l->cost[term] = zeptosecond * number_of(value);
}

static int op_of(const char *word)
{
    return !strcmp(word, "forward")   ? NDFT_FORWARD
           : !strcmp(word, "adjoint") ? NDFT_ADJOINT
           : !strcmp(word, "normal")  ? NDFT_NORMAL
                                      : 0;
}

/* "units=2" and more of them: a device, whose lines follow. */
static void take_device(int i, char *rest)
{
    if (backends[i].n == MOST_DEVICES) return;
    model *m = &backends[i].of[backends[i].n];
    m->device.backend = backends[i].backend;
    m->lines = calloc(MOST_LINES, sizeof(line));
    for (const char *word; (word = strtok_r(NULL, " ", &rest));) set_device(&m->device, word);
    m->device.shared_bytes = m->device.capability > 0; /* a GPU */
    backends[i].n += m->lines != NULL;
}

/* "forward f32 fma=81 start=9" of an engine. */
static void take_costs(line *l, const char *engine, char *rest)
{
    const char *word;
    snprintf(l->engine, sizeof l->engine, "%s", engine);
    for (int place = 1; (word = strtok_r(NULL, " ", &rest)); place++) {
        if (place == 1)
            l->says.op = op_of(word);
        else if (place == 2)
            l->prec = !strcmp(word, "f32") ? NDFT_F32 : !strcmp(word, "f64") ? NDFT_F64 : -1;
        else
            set_number(&l->says, word);
    }
}

static void take_line(int i, char *text)
{
    char *rest = NULL;
    const char *word = strtok_r(text, " ", &rest);
    model *last = backends[i].n ? &backends[i].of[backends[i].n - 1] : NULL;
    if (!word || *word == '#') return;
    if (!strcmp(word, "device"))
        take_device(i, rest);
    else if (last && last->n < MOST_LINES)
        take_costs(&last->lines[last->n++], word, rest);
}

static void read_text(int i)
{
    char text[1024];
    for (const char *at = backends[i].text; *at;) {
        const size_t length = strcspn(at, "\n");
        snprintf(text, sizeof text, "%.*s", (int)length, at);
        take_line(i, text);
        at += length + (at[length] != 0);
    }
}

static void read_texts(void)
{
    for (int i = 0; i < BACKENDS; i++) read_text(i);
}

/* The device's own, else the first of its instruction set, else the first. */
static const model *model_of(const ndft_device *device)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_texts);
    const int i = strcmp(device->backend, backends[0].backend) ? 1 : 0;
    const model *first = &backends[i].of[0], *alike = NULL;
    for (const model *m = first; m < first + backends[i].n; m++) {
        if (!strcmp(m->device.slug, device->slug)) return m;
        if (!alike && m->device.isa == device->isa) alike = m;
    }
    return alike ? alike : first;
}

const ndft_device *ndft_model_device(const ndft_device *device)
{
    return &model_of(device)->device;
}

const ndft_model_line *ndft_model_of(const ndft_registered *entry, ndft_op op, ndft_prec prec,
                                     const ndft_device *device)
{
    const model *m = model_of(device);
    const line *best = NULL;
    int best_fit = 0;
    for (int j = 0; j < m->n; j++) {
        const line *l = &m->lines[j];
        const bool of_op = l->says.op == (int)op, of_prec = l->prec == (int)prec;
        if (strcmp(l->engine, entry->name) || (!of_op && l->says.op) || (!of_prec && l->prec >= 0))
            continue;
        const int fit = 1 + 2 * of_op + of_prec;
        if (fit > best_fit) {
            best = l;
            best_fit = fit;
        }
    }
    return best ? &best->says : NULL;
}

/* Traffic of the axes that no short kernels make up: of a prime factor p up to 127, which is
 * summed, sqrt(p) of it; of one beyond, which is convolved; and how many are. */
static void add_rough(double p, double traffic, double amount[NDFT_MODEL_TERMS])
{
    if (p > 127) {
        amount[NDFT_MODEL_ROUGHER] += traffic;
        amount[NDFT_MODEL_CONVOLVED] += 1;
    } else if (p > 13) {
        amount[NDFT_MODEL_ROUGH] += traffic * sqrt(p);
        amount[NDFT_MODEL_SUMMED] += p;
    }
}

/* However few lines there are, the p steps of a prime's sum follow each other, as passes do, and a
 * block works a line off. */
static void add_axes(const ndft_transform *t, double traffic, double amount[NDFT_MODEL_TERMS])
{
    enum { LONGEST = 16384, RADIX = 31 };
    double lengths = 0;
    for (int d = 0; d < t->dim; d++) {
        const int64_t n = t->shape[NDFT_MODE_N + d];
        const double p = (double)ndft_largest_prime(n);
        const double cells = (double)n * (t->prec == NDFT_F64 ? 2 : 1);
        if (n < 2) continue;
        lengths++;
        add_rough(p, traffic / t->dim, amount);
        amount[NDFT_MODEL_DEPTH] += log2((double)n);
        if (n <= LONGEST) amount[NDFT_MODEL_LINE] += cells;
        if (p > RADIX) amount[NDFT_MODEL_CHIRPED] += cells;
    }
    if (lengths < 2) return;
    amount[NDFT_MODEL_ACROSS] = traffic * (1 - 1 / lengths);
    amount[NDFT_MODEL_AXES] = lengths - 1;
}

void ndft_model_amounts(const ndft_cost *cost, ndft_kind_of_problem kind, const ndft_problem *p,
                        int units, double amount[NDFT_MODEL_TERMS])
{
    const double idle = cost->threads > 0 ? fmax(1, units / cost->threads) : 1;
    for (int i = 0; i < NDFT_COST_FIELDS; i++)
        amount[i] =
            ndft_cost_amount(cost, i) * (p->prec == NDFT_F64 && ndft_cost_is_arithmetic(i) ? 2 : 1);
    for (int i = NDFT_COST_FIELDS; i < NDFT_MODEL_START; i++) amount[i] = 0;
    if (kind == NDFT_UNIFORM) add_axes(ndft_transform_of(p), cost->dram_bytes, amount);
    for (int i = 0; i < NDFT_MODEL_CONVOLVED; i++)
        if (i != NDFT_COST_LAUNCHES) amount[i] *= idle;
    amount[NDFT_MODEL_START] = 1;
}
