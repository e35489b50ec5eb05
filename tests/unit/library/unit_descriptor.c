/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"
#include "case/case.h"
#include "descriptor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Descriptors of uniform transforms: what they mean, that they come back, and what is wrong with
 * those that are none. */

static ndft_transform parsed(const char *text)
{
    ndft_transform t;
    ndft_error err;
    if (ndft_descriptor_parse(text, &t, &err) != NDFT_OK) fail_msg("%s: %s", text, err.message);
    return t;
}

static void expect_tensor(const ndft_tensor *t, bool real, const int64_t shape[NDFT_MODES],
                          const int64_t stride[NDFT_MODES])
{
    assert_int_equal(t->real, real);
    assert_memory_equal(t->shape, shape, sizeof t->shape);
    assert_memory_equal(t->stride, stride, sizeof t->stride);
}

typedef int64_t modes[NDFT_MODES];

static void default_strides_are_packed(void **state)
{
    (void)state;
    const ndft_transform c2c = parsed("dcbo4.5x6*7");
    assert_int_equal(c2c.dim, 2);
    assert_int_equal(c2c.prec, NDFT_F64);
    assert_int_equal(c2c.domain, NDFT_C2C);
    assert_int_equal(c2c.sign, 1);
    assert_false(c2c.in_place);
    expect_tensor(&c2c.in, false, (modes){4, 5, 6, 1, 7}, (modes){1, 4, 20, 0, 120});
    expect_tensor(&c2c.out, false, (modes){4, 5, 6, 1, 7}, (modes){1, 4, 20, 0, 120});

    const ndft_transform out = parsed("srfo4.5x6*7");
    assert_int_equal(out.domain, NDFT_R2C);
    assert_int_equal(out.sign, -1);
    expect_tensor(&out.in, true, (modes){4, 5, 6, 1, 7}, (modes){1, 4, 20, 0, 120});
    expect_tensor(&out.out, false, (modes){4, 3, 6, 1, 7}, (modes){1, 4, 12, 0, 72});

    const ndft_transform in = parsed("srfi4.5x6*7");
    expect_tensor(&in.in, true, (modes){4, 5, 6, 1, 7}, (modes){1, 4, 24, 0, 144});
    expect_tensor(&in.out, false, (modes){4, 3, 6, 1, 7}, (modes){1, 4, 12, 0, 72});

    const ndft_transform back = parsed("srbi8");
    assert_int_equal(back.domain, NDFT_C2R);
    expect_tensor(&back.in, false, (modes){1, 5, 1, 1, 1}, (modes){1, 1, 0, 0, 5});
    expect_tensor(&back.out, true, (modes){1, 8, 1, 1, 1}, (modes){1, 1, 0, 0, 10});
}

static void strides_are_given_for_one_side_or_both(void **state)
{
    (void)state;
    const ndft_transform one = parsed("scfo16*32i1,1,20");
    assert_int_equal(one.in.stride[NDFT_MODE_K], 20);
    assert_int_equal(one.out.stride[NDFT_MODE_K], 16);
    const ndft_transform both = parsed("scfo16*32i1,1,20o1,2,32");
    assert_int_equal(both.out.stride[NDFT_MODE_N], 2);
    assert_int_equal(both.out.stride[NDFT_MODE_K], 32);
    assert_int_equal(ndft_tensor_extent(&both.out), 31 * 32 + 15 * 2 + 1);
}

static void expect_print(const char *text, const char *printed)
{
    char line[256];
    const ndft_transform t = parsed(text);
    ndft_descriptor_print(&t, line, sizeof line);
    assert_string_equal(line, printed);
}

static void defaults_are_not_printed(void **state)
{
    (void)state;
    expect_print("scfo8.1009*33", "scfo8.1009*33");
    expect_print("scfo1.16*1", "scfo16");
    expect_print("scfo0000000000000000000000000016", "scfo16");
    expect_print("scfo16*32i1,1,16o1,1,16", "scfo16*32");
    expect_print("scfo16*32i1,1,20o1,1,16", "scfo16*32i1,1,20");
    expect_print("scfo16*32i1,1,16o1,2,32", "scfo16*32o1,2,32");
    expect_print("drbi4.6x7x8*2", "drbi4.6x7x8*2");
}

/* The message of a text that is none, and the column that it names, from 0. */
static void expect_wrong(const char *text, const char *reason, int column)
{
    ndft_transform t;
    ndft_error err = {0};
    assert_int_equal(ndft_descriptor_parse(text, &t, &err), NDFT_EINVAL);
    if (!strstr(err.message, reason)) fail_msg("%s: '%s' lacks '%s'", text, err.message, reason);
    char place[32];
    snprintf(place, sizeof place, " at character %d: ", column + 1);
    if (!strstr(err.message, place)) fail_msg("%s: '%s' lacks '%s'", text, err.message, place);
}

static void mistakes_are_shown(void **state)
{
    (void)state;
    expect_wrong("", "the precision", 0);
    expect_wrong("hcfo8", "the precision", 0);
    expect_wrong("sxfo8", "the domain", 1);
    expect_wrong("scxo8", "the direction", 2);
    expect_wrong("scfx8", "the placement", 3);
    expect_wrong("scfo", "expected a length", 4);
    expect_wrong("scfo8x", "expected a length", 6);
    expect_wrong("scfo8*", "the batch K", 6);
    expect_wrong("scfo8.", "expected a length", 6);
    expect_wrong("scfo0.8", "the batch M is at least 1", 4);
    expect_wrong("scfo8x0", "a length is at least 1", 6);
    expect_wrong("scfo8*0", "at least 1", 6);
    expect_wrong("scfo1073741825", "2 N - 1", 4);
    expect_wrong("scfo99999999999999999999999999", "2 N - 1", 4);
    expect_wrong("scfo1000000000x1000000000", "elements", 4);
    expect_wrong("srb4x5*6x7", "the placement", 3);
    expect_wrong("srbo4x5*6x7", "the end", 9);
    expect_wrong("scfo2x3x4x5", "3 dimensions", 9);
    expect_wrong("scfo8 ", "the end", 5);
    expect_wrong("scfo8i1,1", "3 strides", 9);
    expect_wrong("scfo8i1,1,8,9", "the end", 11);
    expect_wrong("scfo8i2,1,8", "s0 is 2, and only 1", 6);
    expect_wrong("scfo8i1,0,8", "at least 1", 8);
    expect_wrong("scfo8*2i1,1,7", "a stride of 7 is within the 8 of the others", 8);
    expect_wrong("scfo8*2o1,1,7", "overlap", 8);
    expect_wrong("scfo3.8i1,2,24", "overlap", 8);
    expect_wrong("scfo8*2i1,1,99999999999999", "a stride is at most", 12);
    expect_wrong("scfo1024*1024i1,1,1000000000000", "span more than", 14);
    expect_wrong("scfi16*32i1,1,20", "the same size; nearest: scfi16*32i1,1,20o1,1,20", 9);
    expect_wrong("scfi16*32o1,1,20", "the same size", 9);
    expect_wrong("srfi16*32i1,1,21", "the same size; nearest: srfi16*32i1,1,22o1,1,11", 9);
    expect_wrong("srfi16*32i1,1,16", "the same size; nearest: srfi16*32", 9);
    expect_wrong("srfi16*32i1,1,20o1,1,20", "the same size", 9);
    expect_wrong("srbi16x4i1,1,9,36o1,1,20,80", "the same size", 8);
}

static int64_t below(ndft_random *r, int64_t limit)
{
    return (int64_t)(ndft_random_bits(r) % (uint64_t)limit);
}

/* Spreads a tensor's strides, the modes in a random order, with gaps. */
static void spread(ndft_random *r, const ndft_transform *t, ndft_tensor *tensor)
{
    int64_t step = tensor->shape[NDFT_MODE_M] + below(r, 3);
    unsigned done = 1u << NDFT_MODE_M;
    while (done != (1u << NDFT_MODES) - 1) {
        const int mode = (int)below(r, NDFT_MODES);
        if (done & 1u << mode) continue;
        done |= 1u << mode;
        if (mode > t->dim && mode != NDFT_MODE_K) continue;
        tensor->stride[mode] = step;
        step = step * tensor->shape[mode] + below(r, 4);
    }
}

static ndft_transform draw(ndft_random *r)
{
    ndft_transform t = {.dim = 1 + (int)below(r, 3), .prec = below(r, 2) ? NDFT_F64 : NDFT_F32};
    t.domain = (ndft_domain)below(r, 3);
    t.in_place = below(r, 2);
    t.sign = t.domain == NDFT_R2C ? -1 : t.domain == NDFT_C2R ? 1 : below(r, 2) ? 1 : -1;
    for (int i = 0; i < NDFT_MODES; i++)
        t.shape[i] = i <= t.dim || i == NDFT_MODE_K ? 1 + below(r, 40) : 1;
    ndft_transform_place(&t);
    if (!t.in_place && below(r, 2)) spread(r, &t, &t.in);
    if (!t.in_place && below(r, 2)) spread(r, &t, &t.out);
    if (t.in_place && t.domain == NDFT_C2C && below(r, 2)) {
        spread(r, &t, &t.in);
        t.out = t.in;
    }
    return t;
}

static void expect_same(const ndft_transform *a, const ndft_transform *b, const char *text)
{
    if (a->dim != b->dim || a->prec != b->prec || a->domain != b->domain || a->sign != b->sign ||
        a->in_place != b->in_place || memcmp(a->shape, b->shape, sizeof a->shape) ||
        memcmp(a->in.stride, b->in.stride, sizeof a->in.stride) ||
        memcmp(a->in.shape, b->in.shape, sizeof a->in.shape) ||
        memcmp(a->out.stride, b->out.stride, sizeof a->out.stride) ||
        memcmp(a->out.shape, b->out.shape, sizeof a->out.shape) || a->in.real != b->in.real ||
        a->out.real != b->out.real)
        fail_msg("%s did not come back", text);
}

static void random_descriptors_come_back(void **state)
{
    (void)state;
    ndft_random r = {20261121};
    for (int i = 0; i < 20000; i++) {
        char text[256], again[256];
        const ndft_transform drawn = draw(&r);
        assert_in_range(ndft_descriptor_print(&drawn, text, sizeof text), 1, sizeof text - 1);
        const ndft_transform back = parsed(text);
        expect_same(&drawn, &back, text);
        ndft_descriptor_print(&back, again, sizeof again);
        assert_string_equal(text, again);
    }
}

/* What a message has for nearest is a descriptor. */
static void expect_nearest(const char *message)
{
    static const char word[] = "nearest: ";
    const char *nearest = strstr(message, word);
    if (!nearest) return;
    char text[256];
    nearest += sizeof word - 1;
    snprintf(text, sizeof text, "%s", nearest);
    parsed(text);
}

/* Any bytes are parsed or refused; what is parsed comes back. Half of the texts are descriptors
 * with a character changed, left out or added. */
static void any_text_is_answered(void **state)
{
    (void)state;
    static const char letters[] = "scdrfbio0123456789.x*,- \n\377";
    ndft_random r = {7};
    int good = 0;
    for (int i = 0; i < 50000; i++) {
        char text[300] = "", line[300];
        const ndft_transform drawn = draw(&r);
        if (i % 2) ndft_descriptor_print(&drawn, text, sizeof text - 2);
        const size_t length = i % 2 ? strlen(text) : (size_t)below(&r, 24);
        for (size_t c = 0; !(i % 2) && c < length; c++)
            text[c] = letters[below(&r, sizeof letters - 1)];
        const size_t at = (size_t)below(&r, (int64_t)length + 1);
        if (below(&r, 2)) memmove(text + at + 1, text + at, sizeof text - at - 2);
        text[at] = below(&r, 4) ? letters[below(&r, sizeof letters - 1)] : '\0';
        ndft_transform t, back;
        ndft_error err = {0};
        if (ndft_descriptor_parse(text, &t, &err) != NDFT_OK) {
            assert_non_null(strstr(err.message, " at character "));
            expect_nearest(err.message);
            continue;
        }
        good++;
        ndft_descriptor_print(&t, line, sizeof line);
        back = parsed(line);
        expect_same(&t, &back, line);
    }
    assert_in_range(good, 1000, 40000);
}

/* Overlap, against marking every element. */
static void overlaps_are_found(void **state)
{
    (void)state;
    ndft_random r = {3};
    int overlapping = 0;
    for (int i = 0; i < 20000; i++) {
        ndft_tensor t = {.real = false};
        for (int m = 0; m < NDFT_MODES; m++) {
            t.shape[m] = 1 + below(&r, 4);
            t.stride[m] = 1 + below(&r, 60);
        }
        char *seen = calloc((size_t)ndft_tensor_extent(&t), 1);
        bool twice = false;
        for (int64_t e = 0; e < ndft_tensor_size(&t); e++)
            twice |= seen[ndft_tensor_place(&t, e)]++ > 0;
        free(seen);
        overlapping += twice;
        int64_t span;
        if (twice) assert_true(ndft_tensor_overlap(&t, &span) >= 0);
    }
    assert_in_range(overlapping, 100, 19999);
}

static void cases_have_keys_of_their_own(void **state)
{
    (void)state;
    ndft_case c;
    ndft_error err;
    char line[NDFT_CASE_MAX];
    assert_int_equal(ndft_case_parse(" uniform:scfo8.1009*33 seed=7", &c, &err), NDFT_OK);
    assert_int_equal(c.kind, NDFT_UNIFORM);
    assert_int_equal(c.prec, NDFT_F32);
    assert_int_equal(c.n[0], 1009);
    assert_int_equal(c.seed, 7);
    const int length = ndft_case_print(&c, line, sizeof line);
    assert_string_equal(line, "uniform:scfo8.1009*33 tol=1e-4 seed=7");
    assert_int_equal(ndft_case_print(&c, NULL, 0), length);
    assert_int_equal(ndft_case_parse("uniform:scfo8 prec=f64", &c, &err), NDFT_EINVAL);
    assert_non_null(strstr(err.message, "prec=f64"));
    assert_int_equal(ndft_case_parse("uniform:scfo8 tol=1 tol=2", &c, &err), NDFT_EINVAL);
    assert_int_equal(ndft_case_parse("uniform:", &c, &err), NDFT_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_strides_are_packed),
        cmocka_unit_test(strides_are_given_for_one_side_or_both),
        cmocka_unit_test(defaults_are_not_printed),
        cmocka_unit_test(mistakes_are_shown),
        cmocka_unit_test(random_descriptors_come_back),
        cmocka_unit_test(any_text_is_answered),
        cmocka_unit_test(overlaps_are_found),
        cmocka_unit_test(cases_have_keys_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
