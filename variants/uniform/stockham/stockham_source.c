/* SPDX-License-Identifier: Apache-2.0 */
#include "stockham_columns.h"
#include "stockham_convolved.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Texts one after the other, as far as there is room. */
typedef struct writer {
    char *text;
    int used;
} writer;

static __attribute__((format(printf, 2, 3))) void put(writer *w, const char *format, ...)
{
    const int room = NDFT_STOCKHAM_TEXT - w->used;
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(w->text + w->used, (size_t)room, format, list);
    va_end(list);
    w->used += length < room ? length : room - 1;
}

static void put_numbers(writer *w, const char *name, const int *value, int count)
{
    put(w, "static constexpr int %s[] = {", name);
    for (int i = 0; i < count; i++) put(w, "%d, ", value[i]);
    put(w, "};\n");
}

ndft_stockham_calls ndft_stockham_calls_of(const ndft_transform *t, int pass)
{
    const bool last = pass == t->dim - 1;
    ndft_stockham_calls calls = {.load = t->load && pass == 0,
                                 .store = t->store && last,
                                 .axis = t->domain == NDFT_C2R ? t->dim - pass : pass + 1};
    memcpy(calls.modes, last ? t->out.shape : t->in.shape, sizeof calls.modes);
    return calls;
}

static void put_calls(writer *w, const ndft_stockham_calls *calls)
{
    put(w, "static constexpr bool CALLS_LOAD = %d, CALLS_STORE = %d;\n", calls->load, calls->store);
    put(w, "static constexpr int AXIS = %d;\nstatic constexpr unsigned modes[] = {", calls->axis);
    for (int i = 0; i < NDFT_MODES; i++) put(w, "%lldu, ", (long long)calls->modes[i]);
    put(w, "};\n");
}

static void put_side(writer *w, const ndft_pass *p, const char *name, const ndft_line_side *side,
                     bool beside, bool whole, bool halved, int pitch)
{
    put(w, "struct %s {\nstatic constexpr bool BESIDE = %d, WHOLE = %d;\n", name, beside, whole);
    put(w, "static constexpr int MODES = %d, PITCH = %d, NUMBERS = %lld;\n", p->modes, pitch,
        (long long)(side->real && halved ? side->count / 2 : side->count));
    put(w, "static constexpr long long STRIDE = %lld, step[] = {", (long long)side->stride);
    for (int i = 0; i < p->modes; i++) put(w, "%lldll, ", (long long)side->step[i]);
    put(w, "0};\nstatic constexpr unsigned shape[] = {");
    for (int i = 0; i < p->modes; i++) put(w, "%lldu, ", (long long)p->shape[i]);
    put(w, "1};\n};\n");
}

static void put_passes(writer *w, const ndft_stockham_line *line)
{
    put(w, "static constexpr int N = %d, PER = %d, WIDE = %d, PASSES = %d;\n", line->length,
        line->per, line->wide, line->shape.passes);
    put(w, "static constexpr int CONVOLVED = %d, FILTER = %d, ALONG = %d, HELD = %d;\n",
        line->convolved, line->filter, line->along, line->held);
    put(w, "static constexpr bool ORDERED = %d;\n", ndft_stockham_is_ordered(line));
    put_numbers(w, "radix", line->shape.radix, line->shape.passes);
    put_numbers(w, "block", line->block, NDFT_STOCKHAM_PASSES);
    put_numbers(w, "row", line->row, NDFT_STOCKHAM_PASSES);
    put_numbers(w, "turns", line->turns, NDFT_STOCKHAM_PASSES);
}

/* The columns of a line's first pass. */
static void put_columns(writer *w, const ndft_stockham_line *line, ndft_prec prec)
{
    const ndft_stockham_line columns = ndft_stockham_columns_of(line, prec);
    put(w, "struct stockham_line::columns : stockham_line {\n");
    put(w, "static constexpr bool LOADS = 1, STORES = 1, SECTORS = 0;\n");
    put(w, "static constexpr int COLUMNS = %d, NEXT_BLOCK = %d, NEXT_ROW = %d;\n", columns.wide,
        line->block[1], line->row[1]);
    put_passes(w, &columns);
    put(w, "};\n");
}

void ndft_stockham_write(const ndft_pass *p, const ndft_stockham_line *line, ndft_prec prec,
                         const ndft_stockham_calls *calls, char text[NDFT_STOCKHAM_TEXT])
{
    const char *real = prec == NDFT_F32 ? "float" : "double";
    writer w = {NULL, 0};
    w.text = text;
    put(&w, "#include \"stockham_called.cuh\"\nstruct stockham_line {\n");
    put(&w,
        "struct columns;\nstatic constexpr int SIGN = %d, THREADS = %d, TEAMS = %d, ROOM = %d;\n",
        p->sign, line->threads, line->teams, line->room);
    put(&w, "static constexpr int PRIME = %d, COLUMNS = 0;\n", line->prime);
    put(&w, "static constexpr unsigned LINES = %lldu;\n", (long long)p->lines);
    const bool called = calls->store && line->mirrored >= 0; /* which stores numbers itself */
    put(&w, "static constexpr bool LOADS = %d, STORES = %d, WHOLE_TABLE = %d;\n", line->loads,
        line->stores && !called, prec == NDFT_F64);
    put(&w, "static constexpr bool FROM_REALS = %d, TO_REALS = %d, HALVED = %d;\n",
        p->domain == NDFT_R2C, p->domain == NDFT_C2R, line->halved);
    put(&w, "static constexpr int ENDS = %d, FOLDED = %d;\n", line->ends, line->folded);
    put(&w, "static constexpr int WHOLE = %d, TWISTS = %d, LOW = %d;\n", line->whole, line->twists,
        NDFT_STOCKHAM_LOW);
    put(&w, "static constexpr bool STREAMS = %d, PAST_L1 = %d;\n", line->streams, line->past_l1);
    put(&w, "static constexpr bool BULK = %d, SECTORS = %d;\n", line->bulk,
        line->sectors > 0 && !calls->store);
    put(&w, "static constexpr bool SPECTRA = %d, MIRRORED = %d;\n", line->spectra && !calls->load,
        line->mirrored >= 0);
    put_calls(&w, calls);
    put_passes(&w, line);
    put_side(&w, p, "in", &p->in, line->in_beside, line->in_whole, line->halved, line->in_pitch);
    put_side(&w, p, "out", &p->out, line->out_beside, line->out_whole, line->halved,
             line->out_pitch);
    put(&w, "};\n");
    if (line->prime) put_columns(&w, line, prec);
    put(&w, "extern \"C\" __global__ void __launch_bounds__(%d, %d) ndft_stockham(\n",
        line->threads * line->teams, line->blocks);
    put(&w, "const ndft_complex<%s> *turns, const void *in, void *out)\n", real);
    put(&w, "{\nstockham_lines<stockham_line>(turns, in, out);\n}\n");
}
