/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TEST_RANKS_H
#define NDFT_TEST_RANKS_H

#include "grouped.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Processes of this program, one for each rank: what they are to do is in their environment. */

enum { WORKS_AT = 9 }; /* the file by which a rank says that it executes */

typedef struct started {
    int n;
    pid_t process[MOST];
    int works[MOST];
} started;

static int rank, size;
static char address[64], what[32];

/* Whether it is one; else it is the test. */
static inline bool is_rank(void)
{
    int port;
    const char *given = getenv("NDFT_TEST_RANK");
    if (!given || sscanf(given, "%d %d %d %31s", &rank, &size, &port, what) != 4) return false;
    snprintf(address, sizeof address, "127.0.0.1:%d", port);
    return true;
}

static inline void rank_is_at_work(void)
{
    static bool is_said;
    if (!is_said) is_said = write(WORKS_AT, "w", 1) == 1;
}

/* Devices that NDFT_TEST_DEVICE names. */
static inline int devices_named(void)
{
    int n = 1;
    while (n < MOST && name_of(n) != name_of(0)) n++;
    return n;
}

/* GPUs that there are, or as many as are named with commas between; of processors as many as are
 * asked for. */
static inline int most_ranks(void)
{
    static int n;
    if (!strcmp(name_of(0), "cpu")) return MOST;
    if (devices_named() > 1) return devices_named();
    for (bool is = true; !n || is; n += is) {
        char name[16];
        ndft_device *gpu = NULL;
        snprintf(name, sizeof name, "cuda:%d", n);
        is = n < MOST && ndft_device_open(name, NULL, &gpu) == NDFT_OK;
        ndft_device_close(gpu);
        if (!n && !is) break;
    }
    return n;
}

static inline int open_ranks(void **state)
{
    const int status = open_first(state);
    if (status || most_ranks() >= 2) return status;
    printf("skipped: ranks have a GPU each, and there is one\n");
    exit(77);
}

/* Of GPUs: puts an id of NCCL into the environment of ranks. */
static inline bool give_id(void)
{
    ndft_nccl_id id;
    char text[2 * sizeof id + 1];
    if (!strcmp(name_of(0), "cpu")) return false;
    must(ndft_nccl_id_create(&id));
    for (size_t i = 0; i < sizeof id; i++)
        snprintf(text + 2 * i, 3, "%02x", (unsigned char)id.bytes[i]);
    return !setenv("NDFT_TEST_ID", text, 1);
}

static inline bool id_is_given(ndft_nccl_id *id)
{
    const char *given = getenv("NDFT_TEST_ID");
    for (size_t i = 0; given && i < sizeof *id; i++) {
        unsigned byte;
        assert_int_equal(sscanf(given + 2 * i, "%2x", &byte), 1);
        id->bytes[i] = (char)byte;
    }
    return given;
}

/* A communicator by NCCL's own calls, which is never destroyed. */
static inline void *own_nccl(const ndft_nccl_id *id)
{
    int (*init)(void **, int, ndft_nccl_id, int);
    void *comm;
    const char *named = getenv("NDFT_NCCL");
    void *address = dlsym(dlopen(named ? named : "libnccl.so.2", RTLD_NOW), "ncclCommInitRank");
    assert_non_null(address);
    memcpy(&init, &address, sizeof address);
    of_the_first_gpu();
    assert_int_equal(init(&comm, size, *id, rank), 0);
    return comm;
}

/* By the address; or by NCCL's id, or a communicator that is the test's own. */
static inline ndft_communicator *connected(double timeout_s)
{
    static ndft_nccl_id id;
    ndft_communicator_options o = {.struct_size = sizeof o,
                                   .rank = rank,
                                   .size = size,
                                   .timeout_s = timeout_s,
                                   .address = address};
    ndft_communicator *c;
    if (id_is_given(&id)) {
        o.address = NULL;
        if (getenv("NDFT_TEST_OWN"))
            o.nccl = own_nccl(&id);
        else
            o.id = &id;
    }
    must(ndft_communicator_create(&o, &c));
    return c;
}

static inline ndft_group_plan *rank_plan(ndft_group *group, const small *s, ndft_group_split split)
{
    const ndft_group_plan_options o = {.struct_size = sizeof o, .split = split};
    ndft_problem *problem;
    ndft_group_plan *plan;
    must(ndft_problem_create(device, &s->desc, &problem));
    must(ndft_group_plan_create(group, problem, NORMAL_TOO, &o, &plan));
    ndft_problem_destroy(problem);
    return plan;
}

/* A port that nobody listens at. */
static inline int free_port(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    const int one = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(one, (struct sockaddr *)&at, sizeof at), 0);
    getsockname(one, (struct sockaddr *)&at, &length);
    close(one);
    return ntohs(at.sin_port);
}

/* Of those that are named each rank has its own, which is the only one that it sees. */
static inline void take_device(int one)
{
    char backend[16], number[16];
    const char *name = name_of(one), *colon = strchr(name, ':');
    snprintf(backend, sizeof backend, "%.*s", (int)strcspn(name, ":"), name);
    snprintf(number, sizeof number, "%d", one);
    setenv("NDFT_TEST_DEVICE", backend, 1);
    if (strcmp(backend, "cpu") != 0)
        setenv("CUDA_VISIBLE_DEVICES", devices_named() > 1 && colon ? colon + 1 : number, 1);
}

static inline void become_rank(pid_t parent, const char *task, int one, int n, int port,
                               const char *more, int works)
{
    char text[64], number[16];
    snprintf(text, sizeof text, "%d %d %d %s", one, n, port, task);
    setenv("NDFT_TEST_RANK", text, 1);
    take_device(one);
    snprintf(number, sizeof number, "%d", one + 1);
    if (more) setenv(more, number, 1);
    dup2(works, WORKS_AT);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(2);
    execl("/proc/self/exe", "library_ranks", (char *)NULL);
    _exit(2);
}

static inline void start_process(started *ranks, const char *task, int one, int n, int port,
                                 const char *more)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    const pid_t parent = getpid(), process = fork();
    assert_true(process >= 0);
    if (!process) become_rank(parent, task, one, n, port, more, ends[1]);
    close(ends[1]);
    ranks->process[ranks->n] = process;
    ranks->works[ranks->n++] = ends[0];
}

/* Nothing of the test stays behind, on GPUs least of all: ranks go with it, and both by the clock.
 */
static inline void go_in_time(void)
{
    enum { CPU_S = 280, GPU_S = 55 };
    alarm(strcmp(name_of(0), "cpu") ? GPU_S : CPU_S);
}

/* All of them; more: a variable of the environment that is each one's number, from 1 on. */
static inline started *start_ranks(const char *task, int n, const char *more)
{
    static started ranks;
    const int port = free_port();
    ranks.n = 0;
    for (int one = 0; one < n; one++) start_process(&ranks, task, one, n, port, more);
    return &ranks;
}

static inline started *start_one(const char *task, int number, int n)
{
    static started one;
    one.n = 0;
    start_process(&one, task, number, n, free_port(), NULL);
    return &one;
}

/* When all have executed at least once, and are at it. */
static inline void signal_rank(started *ranks, int victim, int number)
{
    char byte;
    for (int i = 0; i < ranks->n; i++) assert_int_equal(read(ranks->works[i], &byte, 1), 1);
    usleep(50000);
    assert_int_equal(kill(ranks->process[victim], number), 0);
}

/* Within the seconds that a dead rank may cost; where none dies, what a loaded machine may take. */
static inline void expect_others_pass(started *ranks, int victim)
{
    enum { LOOKS = 100 };
    const int seconds = victim >= 0 ? 30 : 90;
    int passed = 0, left = ranks->n - (victim >= 0);
    for (int look = 0; left && look < seconds * LOOKS; look++, usleep(1000000 / LOOKS))
        for (int i = 0; i < ranks->n; i++) {
            int status;
            if (i == victim || waitpid(ranks->process[i], &status, WNOHANG) <= 0) continue;
            passed += WIFEXITED(status) && !WEXITSTATUS(status);
            left--;
        }
    for (int i = 0; i < ranks->n; i++) {
        if (left || i == victim) kill(ranks->process[i], SIGKILL);
        if (i == victim) waitpid(ranks->process[i], NULL, 0);
        close(ranks->works[i]);
    }
    assert_int_equal(passed, ranks->n - (victim >= 0));
}

static inline void expect_all_pass(started *ranks)
{
    enum { NOBODY = -1 };
    expect_others_pass(ranks, NOBODY);
}

/* What a rank may be told to do. */
typedef struct rank_work {
    const char *name;
    void (*does)(void);
} rank_work;

static const rank_work *rank_works;
static size_t rank_works_number;

static void as_rank(void **state)
{
    (void)state;
    size_t i = 0;
    while (i < rank_works_number && strcmp(what, rank_works[i].name) != 0) i++;
    assert_true(i < rank_works_number);
    rank_works[i].does();
}

/* The tests; or of a rank its work. */
static inline int run_ranks(const rank_work *work, size_t works, const struct CMUnitTest *tests,
                            size_t n)
{
    const struct CMUnitTest one[] = {cmocka_unit_test(as_rank)};
    go_in_time();
    rank_works = work;
    rank_works_number = works;
    return is_rank() ? cmocka_run_group_tests(one, open_first, close_device)
                     : _cmocka_run_group_tests("ranks", tests, n, open_ranks, close_device);
}

#endif
