/* SPDX-License-Identifier: Apache-2.0 */
#include "outside.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What plans measure, and what becomes of it. */

enum { TEXT = 4096 };

static char folder[] = "/tmp/ndft-wisdom-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[4][64];
    static int turn;
    char *at = path[turn++ % 4];
    snprintf(at, sizeof path[0], "%s/%s", folder, name);
    return at;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void read_file(const char *path, char text[TEXT])
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, TEXT - 1, file)] = 0;
    fclose(file);
}

/* The text of a member of what a plan says of its first operation. */
static void member(const ndft_plan *plan, const char *name, char word[128])
{
    char text[TEXT], key[32];
    must(ndft_plan_describe(plan, text, sizeof text));
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(text, key);
    assert_non_null(at);
    at += strlen(key);
    snprintf(word, 128, "%.*s", (int)strcspn(at, ",}"), at);
}

static void expect_why(const small *s, const ndft_plan_options *o, const char *why, char id[128])
{
    char word[128];
    ndft_plan *plan = plan_of(s, NDFT_FORWARD, o);
    member(plan, "why", word);
    assert_string_equal(word, why);
    member(plan, "measured_s", word);
    assert_int_equal(!strcmp(word, "null"), !strstr(why, "measured"));
    member(plan, "variant", id);
    ndft_plan_destroy(plan);
}

static const ndft_plan_options measured = {.struct_size = sizeof measured, .mode = NDFT_MEASURE};
static const char by_estimate[] = "\"fastest by estimate\"", now[] = "\"fastest as measured\"",
                  before[] = "\"fastest as measured before\"";

/* One plan measures; those of its shape know, until that is forgotten, and again where it is
 * loaded. */
static void what_is_measured_is_known(void **state)
{
    (void)state;
    static small s, other;
    char id[128], again[128];
    small_make(&s, 31);
    small_make(&other, 32);
    other.desc.n_samples = SAMPLES - 1;
    ndft_wisdom_forget();
    expect_why(&s, NULL, by_estimate, id);
    expect_why(&s, &measured, now, id);
    expect_why(&s, NULL, before, again);
    assert_string_equal(id, again);
    expect_why(&s, &measured, before, again);
    expect_why(&other, NULL, by_estimate, again);
    const ndft_plan_options same = {.struct_size = sizeof same, .deterministic = true};
    expect_why(&s, &same, by_estimate, again);
    must(ndft_wisdom_save(in_folder("wisdom")));
    ndft_wisdom_forget();
    expect_why(&s, NULL, by_estimate, again);
    must(ndft_wisdom_load(in_folder("wisdom")));
    expect_why(&s, NULL, before, again);
    assert_string_equal(id, again);
    ndft_plan *plan = plan_of(&s, NDFT_FORWARD | NDFT_ADJOINT, NULL);
    static double complex image[COILS * GRID], samples[COILS * SAMPLES];
    small_image(&s, image);
    must(ndft_execute_host(plan, NDFT_FORWARD, image, samples));
    assert_true(small_error_forward(&s, 1, samples + SAMPLES) < 1e-9);
    ndft_plan_destroy(plan);
}

/* The line of one entry in a file of one. */
static void parts_of(const char *text, char shape[512], char id[128], char build[64], char ns[32])
{
    char when[32];
    assert_int_equal(sscanf(text,
                            "ndft-wisdom 1\n%511[^\t]\t%127[^\t]\t%63[^\t]\t%31[0-9]\t%31[0-9]\n",
                            shape, id, build, ns, when),
                     5);
    assert_true(strtoll(when, NULL, 10) > 1700000000);
}

/* Measures a problem of its own for a file of one entry. */
static void measure_one(small *s, int seed, char shape[512], char id[128], char build[64],
                        char ns[32])
{
    char text[TEXT], found[128];
    small_make(s, seed);
    ndft_wisdom_forget();
    unlink(in_folder("one"));
    expect_why(s, &measured, now, found);
    must(ndft_wisdom_save(in_folder("one")));
    read_file(in_folder("one"), text);
    parts_of(text, shape, id, build, ns);
}

static void entries_that_do_not_hold(void **state)
{
    (void)state;
    static small s;
    char text[TEXT], shape[512], id[128], build[64], ns[32], found[128];
    measure_one(&s, 33, shape, id, build, ns);
    const struct {
        const char *id, *build, *ns, *when, *why;
    } lines[] = {{id, build, ns, "8", before},
                 {id, "0123456789abcdef", ns, "8", by_estimate},
                 {"no_such_engine.cpu", build, ns, "8", by_estimate},
                 {"naive.cpu:tile=3", build, ns, "8", by_estimate},
                 {id, build, "-4", "8", by_estimate},
                 {id, build, "0", "8", by_estimate},
                 {id, build, "1e3", "8", by_estimate},
                 {id, build, "99999999999999999999999999", "8", by_estimate},
                 {id, build, ns, "", by_estimate},
                 {id, build, ns, "yesterday", by_estimate},
                 {id, build, ns, "99999999999999999999999999", by_estimate},
                 {id, "", ns, "8", by_estimate}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(text, sizeof text, "ndft-wisdom 1\nx\ty\n\n%s\t%s\t%s\t%s\t%s\n%s\t%s", shape,
                 lines[i].id, lines[i].build, lines[i].ns, lines[i].when, shape, id);
        write_file(in_folder("odd"), text);
        ndft_wisdom_forget();
        must(ndft_wisdom_load(in_folder("odd")));
        expect_why(&s, NULL, lines[i].why, found);
    }
}

/* What another build of an engine was found to take later is not known. */
static void what_holds_stays(void **state)
{
    (void)state;
    static small s;
    char text[TEXT], shape[512], id[128], build[64], ns[32], found[128];
    measure_one(&s, 35, shape, id, build, ns);
    snprintf(text, sizeof text, "ndft-wisdom 1\n%s\t%s\t0123456789abcdef\t1\t9999999999\n", shape,
             id);
    write_file(in_folder("stale"), text);
    must(ndft_wisdom_load(in_folder("stale")));
    expect_why(&s, NULL, before, found);
    ndft_wisdom_forget();
    must(ndft_wisdom_load(in_folder("stale")));
    expect_why(&s, &measured, now, found);
    must(ndft_wisdom_save(in_folder("stale")));
    expect_why(&s, NULL, before, found);
    ndft_wisdom_forget();
    must(ndft_wisdom_load(in_folder("stale")));
    expect_why(&s, NULL, before, found);
}

/* A zero byte in a line costs that line alone. */
static void zero_bytes(void **state)
{
    (void)state;
    static const char damaged[] = "ndft-wisdom 1\ndam\0aged\nb shape\tnaive.cpu\tb\t5\t8\n";
    char text[TEXT];
    FILE *file = fopen(in_folder("zero"), "w");
    fwrite(damaged, 1, sizeof damaged - 1, file);
    fclose(file);
    ndft_wisdom_forget();
    must(ndft_wisdom_load(in_folder("zero")));
    must(ndft_wisdom_save(in_folder("whole")));
    read_file(in_folder("whole"), text);
    assert_string_equal(text, "ndft-wisdom 1\nb shape\tnaive.cpu\tb\t5\t8\n");
    file = fopen(in_folder("binary"), "w");
    fwrite("\0\1\2", 1, 3, file);
    fclose(file);
    assert_int_equal(ndft_wisdom_load(in_folder("binary")), NDFT_EINVAL);
    assert_int_equal(ndft_wisdom_save(in_folder("binary")), NDFT_EINVAL);
    file = fopen(in_folder("binary"), "r");
    assert_int_equal(fread(text, 1, sizeof text, file), 3);
    fclose(file);
}

/* Of two the newer stays, wherever it comes from: a lucky one does not stay for ever. */
static void the_newer_stays(void **state)
{
    (void)state;
    char text[TEXT];
    write_file(in_folder("old"), "ndft-wisdom 1\na shape\tnaive.cpu\tb\t300\t7\n");
    write_file(in_folder("new"),
               "ndft-wisdom 1\na shape\ttiled.cpu\tb\t500\t8\nother\tx\tb\t9\t6\n");
    for (int turn = 0; turn < 2; turn++) {
        ndft_wisdom_forget();
        must(ndft_wisdom_load(in_folder(turn ? "old" : "new")));
        must(ndft_wisdom_load(in_folder(turn ? "new" : "old")));
        unlink(in_folder("both"));
        must(ndft_wisdom_save(in_folder("both")));
        read_file(in_folder("both"), text);
        assert_string_equal(text,
                            "ndft-wisdom 1\na shape\ttiled.cpu\tb\t500\t8\nother\tx\tb\t9\t6\n");
    }
    ndft_wisdom_forget();
    must(ndft_wisdom_load(in_folder("old")));
    must(ndft_wisdom_save(in_folder("both"))); /* with what it has already */
    read_file(in_folder("both"), text);
    assert_non_null(strstr(text, "tiled.cpu\tb\t500\t8\nother\tx\tb\t9\t6\n"));
}

static void many_save_at_once(void **state)
{
    (void)state;
    enum { WRITERS = 8, EACH = 40 };
    char text[WRITERS * EACH * 36], line[32], path[64];
    pid_t writer[WRITERS];
    snprintf(path, sizeof path, "%s", in_folder("shared"));
    for (int w = 0; w < WRITERS; w++) {
        if ((writer[w] = fork())) continue;
        ndft_wisdom_forget();
        for (int i = 0; i < EACH; i++) {
            snprintf(text, sizeof text, "ndft-wisdom 1\ns %d %d\tid\tb\t7\t8\n", w, i);
            snprintf(line, sizeof line, "own%d", w);
            write_file(in_folder(line), text);
            if (ndft_wisdom_load(in_folder(line)) != NDFT_OK || ndft_wisdom_save(path) != NDFT_OK)
                _exit(1);
        }
        _exit(0);
    }
    for (int w = 0; w < WRITERS; w++) {
        int ended;
        waitpid(writer[w], &ended, 0);
        assert_int_equal(ended, 0);
    }
    FILE *file = fopen(path, "r");
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    for (int w = 0; w < WRITERS; w++)
        for (int i = 0; i < EACH; i++) {
            snprintf(line, sizeof line, "\ns %d %d\t", w, i);
            if (!strstr(text, line)) fail_msg("'%s' is lost", line + 1);
        }
}

static void full_disk_leaves_what_was_there(void)
{
    static const char old[] = "ndft-wisdom 1\ns 7 7\tid\tb\t7\t8\n";
    char text[TEXT];
    int ended;
    write_file(in_folder("more"), "ndft-wisdom 1\ns 1 1\tid\tb\t7\t8\n");
    must(ndft_wisdom_load(in_folder("more")));
    write_file(in_folder("old"), old);
    if (!fork()) {
        (void)signal(SIGXFSZ, SIG_IGN);
        (void)setrlimit(RLIMIT_FSIZE, &(struct rlimit){sizeof old, sizeof old});
        _exit(ndft_wisdom_save(in_folder("old")) != NDFT_EIO);
    }
    wait(&ended);
    assert_int_equal(ended, 0);
    read_file(in_folder("old"), text);
    assert_string_equal(text, old);
}

static void files_that_are_none(void **state)
{
    (void)state;
    char text[TEXT];
    assert_int_equal(ndft_wisdom_load(in_folder("nowhere")), NDFT_EIO);
    said("nowhere cannot be read: No such file");
    assert_int_equal(ndft_wisdom_load(folder), NDFT_EIO);
    said("it is no file");
    assert_int_equal(ndft_wisdom_save(folder), NDFT_EIO);
    assert_int_equal(ndft_wisdom_save("/nowhere/at all"), NDFT_EIO);
    assert_int_equal(ndft_wisdom_load(NULL), NDFT_EINVAL);
    said("path is NULL");
    assert_int_equal(ndft_wisdom_save(""), NDFT_EINVAL);
    said("path is empty; the name of a file is valid");
    write_file(in_folder("letter"), "Dear all,\n");
    assert_int_equal(ndft_wisdom_load(in_folder("letter")), NDFT_EINVAL);
    said("is no wisdom: it does not begin with 'ndft-wisdom 1'");
    assert_int_equal(ndft_wisdom_save(in_folder("letter")), NDFT_EINVAL);
    read_file(in_folder("letter"), text);
    assert_string_equal(text, "Dear all,\n");
    write_file(in_folder("empty"), "");
    must(ndft_wisdom_load(in_folder("empty")));
    full_disk_leaves_what_was_there();
}

static void options_of_measuring(void **state)
{
    (void)state;
    static small s;
    ndft_problem *problem;
    ndft_plan *plan;
    char id[128];
    small_make(&s, 34);
    ndft_wisdom_forget();
    must(ndft_problem_create(device, &s.desc, &problem));
    const ndft_plan_options other = {.struct_size = sizeof other, .mode = (ndft_plan_mode)3};
    assert_int_equal(ndft_plan_create(problem, NDFT_FORWARD, &other, &plan), NDFT_EINVAL);
    said("mode=3; NDFT_ESTIMATE, NDFT_MEASURE or NDFT_EXHAUSTIVE");
    const ndft_plan_options late = {.struct_size = sizeof late, .time_limit_s = -1};
    assert_int_equal(ndft_plan_create(problem, NDFT_FORWARD, &late, &plan), NDFT_EINVAL);
    said("time_limit_s=-1; at least 0");
    ndft_problem_destroy(problem);
    const ndft_plan_options all = {
        .struct_size = sizeof all, .mode = NDFT_EXHAUSTIVE, .time_limit_s = 0.2};
    expect_why(&s, &all, now, id);
    ndft_wisdom_forget();
    const ndft_plan_options no_time = {
        .struct_size = sizeof no_time, .mode = NDFT_MEASURE, .time_limit_s = 1e-12};
    expect_why(&s, &no_time, by_estimate, id);
}

static int make_folder(void **state) { return !mkdtemp(folder) || open_device(state); }

static int remove_folder(void **state)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) || close_device(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_measured_is_known), cmocka_unit_test(entries_that_do_not_hold),
        cmocka_unit_test(what_holds_stays),          cmocka_unit_test(zero_bytes),
        cmocka_unit_test(the_newer_stays),           cmocka_unit_test(many_save_at_once),
        cmocka_unit_test(files_that_are_none),       cmocka_unit_test(options_of_measuring),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
