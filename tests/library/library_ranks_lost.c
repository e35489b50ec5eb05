/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* unshare */
#include "ranks_network.h"

#include <sys/time.h>

/* Ranks that die, stop, or do not find each other. */

/* Executes until a rank is killed, or stopped, and destroys all when nobody waits any more. */
static void outlived(double timeout_s, const char *words)
{
    enum { AFTERWARDS_S = 3 };
    static small s;
    static double complex in[COILS * GRID], out[COILS * GRID];
    ndft_communicator *c = connected(timeout_s);
    ndft_group *group;
    ndft_status status = NDFT_OK;
    const void *from = device_take(sizeof in);
    void *to = device_take(sizeof out);
    small_make(&s, 5);
    fill(in, COILS * GRID);
    must(ndft_group_join(c, name_of(0), size, NULL, &group));
    ndft_group_plan *plan = rank_plan(group, &s, NDFT_SPLIT_SAMPLES);
    while (status == NDFT_OK) {
        for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL && status == NDFT_OK; op <<= 1)
            status = ndft_group_execute_host(plan, (ndft_op)op, in, out);
        if (status == NDFT_OK) rank_is_at_work();
    }
    assert_int_equal(status, NDFT_EDEVICE);
    said(words);
    sleep(AFTERWARDS_S);
    assert_int_equal(ndft_group_execute_host(plan, NDFT_NORMAL, in, out), NDFT_EDEVICE);
    said(words);
    assert_int_equal(ndft_group_execute_parts(plan, NDFT_FORWARD, &from, &to), NDFT_EDEVICE);
    said(words);
    device_give((void *)(uintptr_t)from);
    device_give(to);
    ndft_group_plan_destroy(plan);
    ndft_group_destroy(group);
    ndft_communicator_destroy(c);
}

static void killed(void) { outlived(2, " is gone"); }

static void stopped(void) { outlived(1, "; the communicator ends with it, make another"); }

static void unmet(int as_rank, int of, ndft_status status, const char *words)
{
    ndft_communicator *c;
    const ndft_communicator_options o = {
        .struct_size = sizeof o, .rank = as_rank, .size = of, .timeout_s = 0.1, .address = address};
    assert_int_equal(ndft_communicator_create(&o, &c), status);
    assert_null(c);
    said(words);
}

static void lost(void)
{
    unmet(rank, 2, NDFT_EDEVICE,
          rank ? "rank 0 cannot be reached: Connection refused" : "1 of 2 ranks came within 1 s");
}

static void more_ranks(void)
{
    unmet(rank, rank ? 4 : 2, NDFT_EINVAL, "rank 1 says that there are 4 ranks, rank 0 says 2");
}

static void twice(void)
{
    unmet(rank ? 1 : 0, size, NDFT_EINVAL, "two ranks say that they are rank 1 of 3");
}

static void on_alarm(int number) { (void)number; }

static void join_and_leave(void)
{
    ndft_communicator *c = connected(5);
    ndft_group *group;
    must(ndft_group_join(c, name_of(0), 0, NULL, &group));
    ndft_group_destroy(group);
    ndft_communicator_destroy(c);
}

/* Each executes something else: none is told that it went well. */
static void different(void)
{
    static small s;
    static double complex in[COILS * GRID], out[COILS * GRID];
    ndft_communicator *c = connected(2);
    ndft_group *group;
    small_make(&s, 5);
    fill(in, COILS * GRID);
    must(ndft_group_join(c, name_of(0), size, NULL, &group));
    ndft_group_plan *plan = rank_plan(group, &s, NDFT_SPLIT_SAMPLES);
    const ndft_op op = rank ? NDFT_ADJOINT : NDFT_FORWARD;
    assert_int_equal(ndft_group_execute_host(plan, op, in, out), NDFT_EDEVICE);
    said("; the communicator ends with it, make another");
    ndft_group_plan_destroy(plan);
    ndft_group_destroy(group);
    ndft_communicator_destroy(c);
}

/* A signal every few ms, while the first waits for the other. */
static void interrupted(void)
{
    const struct sigaction action = {.sa_handler = on_alarm};
    const struct itimerval often = {{0, 5000}, {0, 5000}};
    if (rank) usleep(300000);
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
    join_and_leave();
}

/* Rank 0 never listens, and the network gives every socket its port. */
static void reaches_itself(void)
{
    if (!is_alone_in_a_network()) return;
    if (!write_text("/proc/sys/net/ipv4/ip_local_port_range", "40000 40001")) return;
    snprintf(address, sizeof address, "127.0.0.1:40000");
    unmet(1, 2, NDFT_EDEVICE, "rank 0 cannot be reached: Connection refused");
}

/* Ranks 0 and 1 know their host by a name that is inward there, rank 2 by the address that others
 * have for it. */
static void named(void)
{
    const int port = atoi(strchr(address, ':') + 1);
    snprintf(address, sizeof address, "%s:%d", rank == 2 ? OUTWARD : NAME, port);
    join_and_leave();
}

static void named_inwardly(void)
{
    if (is_alone_in_a_network() && has_own_name()) expect_all_pass(start_ranks("named", 3, NULL));
}

/* Words of a peer that do not end are cut. */
static void endless(void)
{
    enum { MUCH = 4096, MOST_WORDS = 400 };
    static char text[MUCH];
    uint64_t heading[3]; /* length and call as rank 0 has them */
    ndft_group *group;
    if (rank) {
        const int one = told_by_hand(1);
        by_hand_word word = {.status = NDFT_OK};
        memset(text + sizeof(ndft_status), 'A', sizeof text - sizeof(ndft_status));
        assert_int_equal(send(one, &word, sizeof word, 0), sizeof word);
        assert_int_equal(recv(one, &word, sizeof word, MSG_WAITALL), sizeof word);
        assert_int_equal(recv(one, heading, sizeof heading, MSG_WAITALL), sizeof heading);
        assert_int_equal(send(one, heading, sizeof heading, 0), sizeof heading);
        assert_int_equal(send(one, text, sizeof text, 0), sizeof text);
        while (recv(one, text, sizeof text, 0) > 0) {
        }
        close(one);
        return;
    }
    ndft_communicator *c = connected(5);
    assert_int_equal(ndft_group_join(c, name_of(0), size, NULL, &group), NDFT_EINVAL);
    said("rank 1 has AAAA");
    assert_int_equal(strspn(strstr(ndft_message(), "AAAA"), "A"), MOST_WORDS - 1);
    ndft_communicator_destroy(c);
}

static void far_rank(void)
{
    if (rank)
        close(connected_by_hand(7));
    else
        unmet(0, 2, NDFT_EINVAL, "one says that it is rank 7 of 2; nearest: 1");
}

/* One dies when it has said hello to rank 0, and others stay away; or when it was told where they
 * are, to whom it does not connect. */
static void gone(int victim, bool was_told)
{
    const ndft_communicator_options o = {
        .struct_size = sizeof o, .rank = rank, .size = size, .address = address, .meeting_s = 100};
    ndft_communicator *c;
    char words[80];
    if (rank == victim) close(was_told ? told_by_hand(rank) : connected_by_hand(rank));
    if (rank == victim || (rank && !was_told)) return;
    assert_int_equal(ndft_communicator_create(&o, &c), NDFT_EDEVICE);
    snprintf(words, sizeof words, "rank %d of %d is gone, before all ranks had met", victim, size);
    said(words);
}

static void gone_while_others_come(void) { gone(size - 1, false); }

static void gone_behind_others(void) { gone(size - 1, true); }

static void gone_before_others(void) { gone(1, true); }

/* Rank 0 listens where this process does. */
static void taken_port(void)
{
    const struct sockaddr_in at = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)atoi(strchr(address, ':') + 1)),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    char words[128];
    const int one = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(one, (const struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(one, 1), 0);
    snprintf(words, sizeof words, "cannot listen at %s: Address already in use", address);
    unmet(0, 2, NDFT_EDEVICE, words);
    close(one);
}

static void without_nccl(void)
{
    const ndft_nccl_id id = {{0}};
    const ndft_communicator_options o = {.struct_size = sizeof o, .size = 2, .id = &id};
    ndft_communicator *c;
    assert_int_equal(ndft_communicator_create(&o, &c), NDFT_EUNSUPPORTED);
    said("ranks of GPUs need NCCL: 1: cannot open shared object file");
    assert_null(c);
}

static void a_killed_rank_ends_the_call(void **state)
{
    (void)state;
    const int n = most_ranks() < 4 ? most_ranks() : 4;
    for (int victim = 0; victim < n; victim += n - 1) {
        started *ranks = start_ranks("killed", n, NULL);
        signal_rank(ranks, victim, SIGKILL);
        expect_others_pass(ranks, victim);
    }
}

static void a_stopped_rank_ends_the_call(void **state)
{
    (void)state;
    started *ranks = start_ranks("stopped", 2, NULL);
    signal_rank(ranks, 1, SIGSTOP);
    expect_others_pass(ranks, 1);
}

static void ranks_that_do_not_come(void **state)
{
    (void)state;
    expect_all_pass(start_one("lost", 0, 2));
    expect_all_pass(start_one("lost", 1, 2));
    expect_all_pass(start_ranks("more", 2, NULL));
    if (most_ranks() >= 3) expect_all_pass(start_ranks("twice", 3, NULL));
}

static void ranks_that_are_disturbed(void **state)
{
    (void)state;
    if (strcmp(name_of(0), "cpu") != 0) skip(); /* they find each other on the host */
    expect_all_pass(start_ranks("interrupted", 2, NULL));
    expect_all_pass(start_one("itself", 1, 2));
    expect_all_pass(start_one("inwardly", 0, 2));
    expect_all_pass(start_one("taken", 0, 2));
    expect_all_pass(start_ranks("far", 2, NULL));
    expect_all_pass(start_ranks("endless", 2, NULL));
    expect_all_pass(start_ranks("different", 2, NULL));
}

static void ranks_that_die_while_they_meet(void **state)
{
    (void)state;
    if (strcmp(name_of(0), "cpu") != 0) skip();
    expect_all_pass(start_ranks("gone", 4, NULL));
    expect_all_pass(start_ranks("gone_behind", 4, NULL));
    expect_all_pass(start_ranks("gone_before", 4, NULL));
}

static void nccl_that_is_not_there(void **state)
{
    (void)state;
    expect_all_pass(start_ranks("without_nccl", 1, "NDFT_NCCL"));
}

static void refused_options(ndft_communicator_options o, const char *words)
{
    ndft_communicator *c;
    o.struct_size = sizeof o;
    assert_int_equal(ndft_communicator_create(&o, &c), NDFT_EINVAL);
    assert_null(c);
    said(words);
}

static void refused_communicators(void **state)
{
    (void)state;
    const ndft_nccl_id id = {{0}};
    ndft_group *group;
    refused_options((ndft_communicator_options){.size = 0}, "size=0; 1 to 64 ranks, nearest: 1");
    refused_options((ndft_communicator_options){.size = 65}, "nearest: 64");
    refused_options((ndft_communicator_options){.size = 2, .rank = 2},
                    "rank=2 of 2; 0 to 1, nearest: 1");
    refused_options((ndft_communicator_options){.size = 2, .rank = -1}, "nearest: 0");
    refused_options((ndft_communicator_options){.size = 2, .timeout_s = -1}, "timeout_s=-1");
    refused_options((ndft_communicator_options){.size = 2, .meeting_s = NAN},
                    "meeting_s=nan; above 0, or 0 for 10 timeouts");
    refused_options((ndft_communicator_options){.size = 2}, "none of address, id and nccl");
    refused_options((ndft_communicator_options){.size = 2, .address = "a:1", .id = &id},
                    "several of address, id and nccl");
    refused_options((ndft_communicator_options){.size = 2, .address = "127.0.0.1"},
                    "address='127.0.0.1'; host:port, as 127.0.0.1:29501");
    refused_options((ndft_communicator_options){.size = 2, .address = "127.0.0.1:"}, "host:port");
    refused_options((ndft_communicator_options){.size = 2, .address = "127.0.0.1:port"},
                    "address='127.0.0.1:port': ");
    refused_options((ndft_communicator_options){.size = 2, .address = "127.0.0.1:0"},
                    "address='127.0.0.1:0'; ports are 1 to 65535, nearest: 1");
    refused_options((ndft_communicator_options){.size = 2, .address = "[::1]:65536"},
                    "ports are 1 to 65535, nearest: 65535");
    assert_int_equal(ndft_communicator_create(NULL, NULL), NDFT_EINVAL);
    assert_int_equal(ndft_group_join(NULL, "cpu", 0, NULL, &group), NDFT_EINVAL);
    ndft_communicator_destroy(NULL);
}

int main(void)
{
    static const rank_work work[] = {{"killed", killed},
                                     {"stopped", stopped},
                                     {"lost", lost},
                                     {"more", more_ranks},
                                     {"twice", twice},
                                     {"without_nccl", without_nccl},
                                     {"interrupted", interrupted},
                                     {"itself", reaches_itself},
                                     {"named", named},
                                     {"inwardly", named_inwardly},
                                     {"taken", taken_port},
                                     {"far", far_rank},
                                     {"endless", endless},
                                     {"different", different},
                                     {"gone", gone_while_others_come},
                                     {"gone_behind", gone_behind_others},
                                     {"gone_before", gone_before_others}};
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_killed_rank_ends_the_call),
        cmocka_unit_test(a_stopped_rank_ends_the_call),
        cmocka_unit_test(ranks_that_do_not_come),
        cmocka_unit_test(ranks_that_are_disturbed),
        cmocka_unit_test(ranks_that_die_while_they_meet),
        cmocka_unit_test(nccl_that_is_not_there),
        cmocka_unit_test(refused_communicators),
    };
    return run_ranks(work, sizeof work / sizeof *work, tests, sizeof tests / sizeof *tests);
}
