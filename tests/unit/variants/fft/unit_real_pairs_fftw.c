/* SPDX-License-Identifier: Apache-2.0 */
#include "problem/kinds.h"
#include "registry.h"

#include "base/uniform.h"
#include "prepared.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Real lines share complex lines, but not their errors: whatever its neighbours are, a line comes
 * out as exact as its own size allows, zeros as zeros, and what is no number stays in its line. */

enum { LINES = 24, MOST = 20, ROOM = 2 * LINES * MOST };

typedef double complex number;

/* One transform of so many lines, line after line, of which one is the input's and the result's. */
typedef struct batch {
    ndft_transform t;
    number in[LINES][MOST];
} batch;

static const double sizes[] = {1, 0x1p-60, 0, 0x1p60, NAN, 3};
enum { SIZES = sizeof sizes / sizeof *sizes };

static double next_value(void)
{
    static uint32_t state = 7;
    state = state * 1664525 + 1013904223;
    return (double)state / 4294967296. - 0.5;
}

static int line_of(const ndft_tensor *tensor, const int64_t index[NDFT_MODES])
{
    return (int)(index[NDFT_MODE_M] + tensor->shape[NDFT_MODE_M] * index[NDFT_MODE_K]);
}

/* f of all elements of a tensor: the line, the number in it, the place. */
#define EACH(tensor)                                                                               \
    for (int64_t e = 0, index[NDFT_MODES];                                                         \
         e < ndft_tensor_size(tensor) && (ndft_tensor_index(tensor, e, index), true); e++)

static void fill(batch *b, int first, void *memory)
{
    const ndft_tensor *side = &b->t.in;
    EACH(side)
    {
        const int line = line_of(side, index), n = (int)index[NDFT_MODE_N];
        const double size = sizes[(first + line) % SIZES];
        const bool is_real = side->real || n == 0 || 2 * n == b->t.shape[NDFT_MODE_N];
        number x = next_value();
        if (!is_real) x += I * next_value();
        if (isnan(size)) x = n == 1 ? x * size : x;
        if (!isnan(size)) x *= size;
        const int64_t at = ndft_tensor_offset(side, index);
        ndft_put_real(memory, b->t.prec, side->real ? at : 2 * at, creal(x));
        if (!side->real) ndft_put_real(memory, b->t.prec, 2 * at + 1, cimag(x));
        b->in[line][n] = ndft_real_at(memory, b->t.prec, side->real ? at : 2 * at);
        if (!is_real) b->in[line][n] += I * ndft_real_at(memory, b->t.prec, 2 * at + 1);
    }
}

static number sum(const batch *b, int line, int64_t k)
{
    const int64_t n = b->t.shape[NDFT_MODE_N];
    number y = 0;
    for (int64_t i = 0; i < b->t.in.shape[NDFT_MODE_N]; i++) {
        const double weight = b->t.domain == NDFT_C2R && i > 0 && 2 * i != n ? 2 : 1;
        const double angle = b->t.sign * 2 * M_PI * (double)(i * k % n) / (double)n;
        y += weight * b->in[line][i] * (cos(angle) + I * sin(angle));
    }
    return b->t.out.real ? creal(y) : y;
}

static double size_of(const batch *b, int line)
{
    double size = 0;
    for (int64_t i = 0; i < b->t.in.shape[NDFT_MODE_N]; i++) size += cabs(b->in[line][i]);
    return size;
}

static void expect(const batch *b, const void *memory, const char *text)
{
    const ndft_tensor *side = &b->t.out;
    const double allowed = b->t.prec == NDFT_F32 ? 2e-6 : 4e-15;
    EACH(side)
    {
        const int line = line_of(side, index);
        const int64_t at = ndft_tensor_offset(side, index);
        number y = ndft_real_at(memory, b->t.prec, side->real ? at : 2 * at);
        if (!side->real) y += I * ndft_real_at(memory, b->t.prec, 2 * at + 1);
        const double size = size_of(b, line), error = cabs(y - sum(b, line, index[NDFT_MODE_N]));
        if (isnan(size) ? !isnan(creal(y)) : !(error <= allowed * size))
            fail_msg("%s: line %d of size %g, element %d is off by %g", text, line, size,
                     (int)index[NDFT_MODE_N], error);
    }
}

static void try(const ndft_variant *v, const int *knobs, const char *text, int first)
{
    static double memory[2][ROOM];
    static batch b;
    ndft_case problem;
    ndft_made made;
    ndft_error error;
    ndft_exec *exec;
    ndft_prepared plan;
    assert_int_equal(ndft_case_parse(text, &problem, &error), NDFT_OK);
    assert_int_equal(ndft_uniform_kind.make(&problem, &made, &error), NDFT_OK);
    assert_int_equal(ndft_backend_cpu.open(0, &exec, &error), NDFT_OK);
    b.t = made.uniform.transform;
    exec->threads = 2;
    assert_int_equal(ndft_prepare(v, knobs, &made.problem, NDFT_FORWARD, exec, &plan), NDFT_OK);
    memset(memory, 0, sizeof memory);
    fill(&b, first, memory[0]);
    void *out = b.t.in_place ? memory[0] : memory[1];
    assert_int_equal(ndft_prepared_execute(&plan, NDFT_FORWARD, memory[0], out), NDFT_OK);
    expect(&b, out, text);
    ndft_prepared_destroy(&plan);
    ndft_backend_cpu.close(exec);
    ndft_made_free(&made);
}

static void lines_keep_to_themselves(void **state)
{
    static const char *const texts[] = {
        "uniform:srfo9*2",    "uniform:srfo16*3",   "uniform:drfo15*5", "uniform:srfo4.13*5",
        "uniform:srbo9*3",    "uniform:srbo16*2",   "uniform:drbo16*5", "uniform:srbo3.14*7",
        "uniform:srfo2*5",    "uniform:drbo2*3",    "uniform:srfi10*5", "uniform:drfi9*3",
        "uniform:srbi9*4",    "uniform:drbi12*5",   "uniform:srfo19",   "uniform:srbo20",
        "uniform:drfo2.9*12", "uniform:drbi2.10*7", "uniform:srfo3*4",  "uniform:drbo3*4",
    };
    (void)state;
    for (int i = 0; i < ndft_registry_size; i++) {
        const ndft_registered *entry = &ndft_registry[i];
        if (strncmp(entry->name, "bluestein_", 10) || strcmp(entry->backend, "cpu")) continue;
        ndft_candidate candidate = ndft_candidate_of(entry);
        for (size_t text = 0; text < sizeof texts / sizeof *texts; text++)
            for (int first = 0; first < SIZES; first++)
                try(entry->variant, candidate.knobs, texts[text], first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_keep_to_themselves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
