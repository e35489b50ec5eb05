/* SPDX-License-Identifier: Apache-2.0 */
#include "outside.h"

#include <dlfcn.h>
#include <pthread.h>
#include <time.h>

/* FFTW belongs to the whole process: what this program had it learn stays, and whoever makes plans
 * beside one that has it try out algorithms waits for a bounded time. */

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ISO C has no conversion from an object to a function pointer. */
static void call_of(const char *name, void *function)
{
    const char *named = getenv("NDFT_HOST_FFT");
    void *library = dlopen("libfftw3f.so.3", RTLD_NOW | RTLD_LOCAL);
    void *address = library ? dlsym(library, name) : NULL;
    if (address && (!named || !strcmp(named, "fftw"))) {
        memcpy(function, &address, sizeof address);
        return;
    }
    puts("skipped: the host's FFT is not FFTW");
    skip();
}

static double plan_s(const char *descriptor, const ndft_plan_options *options)
{
    ndft_transform transform;
    ndft_problem *problem;
    ndft_plan *plan = NULL;
    const double begin = now_s();
    must(ndft_transform_parse(descriptor, &transform));
    must(ndft_transform_create(device, &transform, NULL, &problem));
    must(ndft_plan_create(problem, NDFT_FORWARD, options, &plan));
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
    return now_s() - begin;
}

/* Which FFTW takes longer to try out than anybody is to wait. */
static const char slow[] = "scfo30030*64";
static const ndft_plan_options tries = {.struct_size = sizeof tries,
                                        .variant = "uniform_vendor.cpu:rigor=measure"};

typedef struct other {
    pthread_t thread;
    bool done;
    double seconds;
} other;

static void *try_out(void *given)
{
    other *o = given;
    o->seconds = plan_s(slow, &tries);
    __atomic_store_n(&o->done, true, __ATOMIC_RELEASE);
    return NULL;
}

static void others_wait_for_a_bounded_time(void **state)
{
    (void)state;
    enum { MOST_PLANS = 1000 };
    void (*any)(void);
    static small s;
    other o = {0};
    double worst = 0;
    call_of("fftwf_cleanup", &any);
    small_make(&s, 1);
    s.desc.tol = 1e-6;
    const ndft_plan_options nufft = {.struct_size = sizeof nufft, .variant = "nufft_hybrid.cpu"};
    assert_int_equal(pthread_create(&o.thread, NULL, try_out, &o), 0);
    for (int i = 0; i < MOST_PLANS && !__atomic_load_n(&o.done, __ATOMIC_ACQUIRE); i++) {
        const double begin = now_s();
        ndft_plan_destroy(plan_of(&s, NDFT_FORWARD, &nufft));
        worst = fmax(worst, now_s() - begin);
    }
    pthread_join(o.thread, NULL);
    printf("a plan of %.2f s, and beside it one that waited for %.2f s\n", o.seconds, worst);
    assert_true(o.seconds > 0.4); /* or nobody had to wait */
    assert_true(worst < 2);
}

/* Of lines; of several axes as with rigor=measure. */
static void by_estimate_nothing_is_tried(void **state)
{
    static const ndft_plan_options guesses = {.struct_size = sizeof guesses,
                                              .variant = "uniform_vendor.cpu:rigor=estimate"};
    void (*any)(void);
    (void)state;
    call_of("fftwf_cleanup", &any);
    assert_true(plan_s("scfo65536", NULL) < plan_s("scfo65536", &tries));
    assert_true(plan_s("scfo256x256", &guesses) < plan_s("scfo256x256", NULL));
}

/* Where there is no memory to try algorithms out on, what is not asked to be timed is guessed. */
static void without_memory_it_is_a_guess(void **state)
{
    static const ndft_device_options narrow = {.struct_size = sizeof narrow,
                                               .memory_limit = 1 << 16};
    static const ndft_plan_options preset = {.struct_size = sizeof preset,
                                             .variant = "uniform_vendor.cpu"};
    void (*any)(void);
    ndft_device *own;
    ndft_transform transform;
    ndft_problem *problem;
    ndft_plan *plan;
    (void)state;
    call_of("fftwf_cleanup", &any);
    must(ndft_device_open("cpu", &narrow, &own));
    must(ndft_transform_parse("scfo64x64*20", &transform));
    must(ndft_transform_create(own, &transform, NULL, &problem));
    assert_int_equal(ndft_plan_create(problem, NDFT_FORWARD, &tries, &plan), NDFT_ENOMEM);
    must(ndft_plan_create(problem, NDFT_FORWARD, &preset, &plan));
    ndft_plan_destroy(plan);
    ndft_problem_destroy(problem);
    ndft_device_close(own);
}

static int by_letters(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Lines may come in any order. */
static void sort_lines(char *text)
{
    enum { MOST = 512 };
    char *line[MOST], *copy = strdup(text);
    size_t n = 0;
    for (char *next = strtok(copy, "\n"); next && n < MOST; next = strtok(NULL, "\n"))
        line[n++] = next;
    qsort(line, n, sizeof *line, by_letters);
    *text = 0;
    for (size_t i = 0; i < n; i++) strcat(strcat(text, line[i]), "\n");
    free(copy);
}

static void what_was_learnt_stays(void **state)
{
    (void)state;
    enum { N = 480 };
    char *(*export_wisdom)(void);
    void *(*plan)(int, float complex *, float complex *, int, unsigned);
    void (*destroy)(void *);
    static float complex in[N], out[N];
    call_of("fftwf_export_wisdom_to_string", &export_wisdom);
    call_of("fftwf_plan_dft_1d", &plan);
    call_of("fftwf_destroy_plan", &destroy);
    destroy(plan(N, in, out, -1, 0));
    char *before = export_wisdom();
    (void)plan_s("scfo120*7", &tries);
    char *after = export_wisdom();
    sort_lines(before);
    sort_lines(after);
    assert_non_null(strchr(before, '\n')[1] ? before : NULL);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_wait_for_a_bounded_time),
        cmocka_unit_test(by_estimate_nothing_is_tried),
        cmocka_unit_test(without_memory_it_is_a_guess),
        cmocka_unit_test(what_was_learnt_stays),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
