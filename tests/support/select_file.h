/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TEST_SELECT_FILE_H
#define NDFT_TEST_SELECT_FILE_H

#include "device/backend.h"
#include "problem/kinds.h"
#include "select/best.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Decisions written to a file, `path` of the test that includes this, and what is chosen from it.
 */

enum { FILE_MAX = 8192 };

static ndft_exec *exec;
static ndft_error error;

static inline int open_exec(void **state)
{
    (void)state;
    setenv("NDFT_SELECT", path, 1);
    return ndft_backend_cpu.open(0, &exec, &error) != NDFT_OK;
}

static inline int close_exec(void **state)
{
    (void)state;
    ndft_backend_cpu.close(exec);
    return unlink(path);
}

static inline void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static inline const char *build_of(const char *name)
{
    return ndft_registered_find(name, strlen(name))->build_id;
}

static const char order_of_two[] =
    "{\"variant\":\"tiled.cpu:tile=64,outputs=2,threads=0,sincos=auto\",\"record\":\"aaaa\","
    "\"error\":1e-6},{\"variant\":\"fast_math.cpu:outputs=1,threads=0\",\"record\":\"bbbb\","
    "\"error\":2e-6}";

/* One class: forward 2d f32 with a field, 2^11..2^13-1 voxels and samples, one coil. */
static inline void make_file(char text[FILE_MAX], const char *device, const char *build,
                             const char *order)
{
    snprintf(
        text, FILE_MAX,
        "{\"schema\":\"ndft-select/4\",\"devices\":[],\"registry\":{\"tiled.cpu\":\"%s\","
        "\"tiled.cuda\":\"of another backend\"},\"picks\":[{\"class\":{\"kind\":\"nonuniform\","
        "\"device\":\"%s\",\"op\":\"forward\",\"prec\":\"f32\",\"mode\":\"batch\",\"dim\":2,"
        "\"field\":true,\"gradients\":false,\"tol\":1e-4,\"voxels\":[2048,8191],"
        "\"samples\":[2048,8191],\"coils\":[1,1],\"lines\":false,\"per_time\":[1,3],\"turns\":[0,1]"
        "},\"cases\":["
        "\"forward 2d n=64x64 m=4096 "
        "field=random:50Hz t=5ms\"],\"order\":[%s]}]}",
        build, device, order);
}

static inline void write_usual(void)
{
    char text[FILE_MAX];
    make_file(text, exec->device.slug, build_of("tiled.cpu"), order_of_two);
    write_file(text);
}

static inline ndft_made made_of(const char *text, ndft_op *op)
{
    ndft_case c;
    ndft_made made;
    assert_int_equal(ndft_case_parse(text, &c, &error), NDFT_OK);
    assert_int_equal(ndft_nonuniform.make(&c, &made, &error), NDFT_OK);
    *op = c.op;
    return made;
}

/* Plans the best variant of a case, executes it once and returns how it was chosen. */
static inline ndft_choice choose(const char *text)
{
    ndft_op op;
    ndft_choice choice;
    ndft_prepared plan;
    ndft_made made = made_of(text, &op);
    ndft_status status = ndft_plan_best(&made.problem, op, exec, &plan, &choice);
    if (status != NDFT_OK) fail_msg("%s", error.message);
    assert_int_equal(error.status, NDFT_OK);
    assert_non_null(strstr(choice.variant, plan.variant->name));
    void *out = malloc(ndft_output_bytes(&made.problem, op));
    assert_int_equal(ndft_prepared_execute_host(&plan, op, ndft_made_input(&made, op), out),
                     NDFT_OK);
    free(out);
    ndft_prepared_destroy(&plan);
    ndft_made_free(&made);
    return choice;
}

static inline void says(const ndft_choice *choice, const char *words)
{
    if (!strstr(choice->text, words)) fail_msg("no '%s' in: %s", words, choice->text);
}

static const char inside[] = "forward 2d n=50x50 m=2100 field=random:50Hz t=5ms";

static inline void falls_back(const char *text, const char *words)
{
    write_file(text);
    ndft_choice choice = choose(inside);
    assert_int_equal(choice.match, NDFT_MATCH_DEFAULT);
    assert_string_equal(choice.variant, "naive.cpu");
    assert_string_equal(choice.record, "");
    says(&choice, "by the order of variants.def");
    says(&choice, words);
}

#endif
