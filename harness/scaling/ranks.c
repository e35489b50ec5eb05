/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where nobody listens yet, on this host. */
static int free_port(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    const int one = socket(AF_INET, SOCK_STREAM, 0);
    const bool is_bound = one >= 0 && !bind(one, (struct sockaddr *)&at, length) &&
                          !getsockname(one, (struct sockaddr *)&at, &length);
    if (one >= 0) close(one);
    return is_bound ? ntohs(at.sin_port) : 0;
}

static ndft_status start(const ndft_contest *c, const char *text, const char *address, int rank,
                         ndft_ranks *r)
{
    static const char *const as_it_is[] = {NULL};
    char numbers[64];
    snprintf(numbers, sizeof numbers, "%d %d %d %d %d", rank, r->n, c->each.threads, c->iterations,
             (int)getpid());
    const char *const argv[] = {"ndft",
                                "worker",
                                "rank",
                                text,
                                c->backend->name,
                                address,
                                numbers,
                                c->variant ? c->variant : "",
                                NULL};
    return ndft_child_start((char *const *)(size_t)argv, as_it_is, &r->child[rank], c->err);
}

ndft_status ndft_ranks_tell(const ndft_ranks *r, ndft_ranks_arrays arrays, ndft_ranks_task task)
{
    for (int i = 1; r && i < r->n; i++)
        if (fprintf(r->child[i].in, "%c%c", arrays, task) != 2 || fflush(r->child[i].in))
            return ndft_fail(r->err, NDFT_EDEVICE, "rank %d has ended", i);
    return NDFT_OK;
}

ndft_status ndft_ranks_wait(const ndft_ranks *r, double *seconds)
{
    for (int i = 1; r && i < r->n; i++) {
        double took;
        if (fscanf(r->child[i].out, "%lf", &took) != 1)
            return ndft_fail(r->err, NDFT_EDEVICE, "rank %d has ended", i);
        if (took > *seconds) *seconds = took;
    }
    return NDFT_OK;
}

ndft_status ndft_ranks_compare(const ndft_ranks *r, bool *all)
{
    *all = true;
    NDFT_TRY(ndft_ranks_tell(r, NDFT_WHOLE, NDFT_TO_COMPARE));
    for (int i = 1; r && i < r->n; i++) {
        char word[sizeof NDFT_COMPARES];
        if (fscanf(r->child[i].out, " %8[^\n]", word) != 1)
            return ndft_fail(r->err, NDFT_EDEVICE, "rank %d has ended", i);
        *all = *all && !strcmp(word, NDFT_COMPARES);
    }
    return NDFT_OK;
}

static ndft_status start_all(const ndft_contest *c, const char *text, ndft_ranks *r)
{
    char address[32];
    snprintf(address, sizeof address, "127.0.0.1:%d", free_port());
    const ndft_communicator_options o = {.struct_size = sizeof o,
                                         .size = r->n,
                                         .timeout_s = NDFT_RANKS_TIMEOUT_S,
                                         .address = address,
                                         .meeting_s = NDFT_RANKS_MEETING_S};
    double ignored = 0;
    for (int i = 1; i < r->n; i++) NDFT_TRY(start(c, text, address, i, r));
    NDFT_TRY(ndft_ranks_wait(r, &ignored)); /* for those that can come */
    return ndft_contest_status(c, ndft_communicator_create(&o, &r->communicator));
}

ndft_status ndft_ranks_start(const ndft_contest *c, const char *text, int n, ndft_ranks **ranks)
{
    ndft_ranks *r = *ranks = calloc(1, sizeof *r);
    if (!r) return ndft_fail(c->err, NDFT_ENOMEM, "no host memory for ranks");
    *r = (ndft_ranks){.n = n, .err = c->err};
    return start_all(c, text, r);
}

/* All are told before one is waited for: a communicator ends with its ranks together. Where there
 * is none they may still look for this one. */
void ndft_ranks_end(ndft_ranks *r)
{
    for (int i = 1; r && !r->communicator && i < r->n; i++)
        if (r->child[i].out) kill(r->child[i].pid, SIGKILL);
    for (int i = 1; r && i < r->n; i++)
        if (r->child[i].out) ndft_child_tell_no_more(&r->child[i]);
    if (r) ndft_communicator_destroy(r->communicator);
    for (int i = 1; r && i < r->n; i++)
        if (r->child[i].out) ndft_child_end(&r->child[i]);
    free(r);
}
