/* SPDX-License-Identifier: Apache-2.0 */
#include "execution.h"

#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

/* The other end of ranks.c: a rank that is told what to do on its standard input, and says there
 * what it took. */

typedef struct rank {
    ndft_contest contest;
    ndft_contestant whole, parts;
    ndft_communicator *communicator;
    ndft_error err;
} rank;

static ndft_status plan(rank *r, ndft_contestant *one)
{
    one->communicator = r->communicator;
    one->shares = one->in_parts;
    if (one->shares) one->group = r->whole.group;
    return ndft_execution_open(&r->contest, one);
}

static ndft_status compare(const rank *r)
{
    const ndft_contest *c = &r->contest;
    void *out = malloc(c->out_bytes);
    puts(NDFT_COMPARES);
    fflush(stdout);
    const ndft_status status = out ? ndft_contest_by_parts(c, r->communicator, r->whole.n, out)
                                   : ndft_fail(c->err, NDFT_ENOMEM, "no host memory for results");
    free(out);
    return status;
}

static ndft_status obey(rank *r, const char order[2], double *seconds)
{
    ndft_contestant *one = order[0] == NDFT_PARTS ? &r->parts : &r->whole;
    if (order[1] == NDFT_TO_PLAN) return plan(r, one);
    if (order[1] == NDFT_TO_COMPARE) return compare(r);
    return ndft_execution_time(&r->contest, one, order[1] == NDFT_TO_EXECUTE_TWICE, seconds);
}

static ndft_status say(const rank *r, double seconds)
{
    if (printf("%.9g\n", seconds) > 0 && !fflush(stdout)) return NDFT_OK;
    return ndft_fail(r->contest.err, NDFT_EDEVICE, "whoever started this rank has ended");
}

static ndft_status live(rank *r)
{
    char order[2];
    ndft_status status = NDFT_OK;
    while (status == NDFT_OK && fread(order, 1, sizeof order, stdin) == sizeof order) {
        double seconds = 0;
        status = obey(r, order, &seconds);
        if (status == NDFT_OK) status = say(r, seconds);
    }
    return status;
}

static ndft_status open_rank(rank *r, char **argv)
{
    ndft_contest *c = &r->contest;
    int size, parent;
    c->err = &r->err;
    c->backend = ndft_backend_find(argv[1]);
    c->devices = 1;
    c->variant = *argv[4] ? argv[4] : NULL;
    if (!c->backend || sscanf(argv[3], "%d %d %d %d %d", &c->first, &size, &c->each.threads,
                              &c->iterations, &parent) != 5)
        return ndft_fail(c->err, NDFT_EINVAL, "a rank is started by bench --ranks");
    if (getppid() != parent) /* it died before it could take this one along */
        return ndft_fail(c->err, NDFT_EDEVICE, "bench has ended before its rank %d", c->first);
    r->whole = (ndft_contestant){.n = size, .by_ranks = true};
    r->parts = (ndft_contestant){.n = size, .by_ranks = true, .in_parts = true};
    NDFT_TRY(ndft_contest_parse(c, argv[0]));
    NDFT_TRY(ndft_contest_make(c));
    return ndft_contest_open(c);
}

/* Whoever waits for it is told that it comes. */
static ndft_status meet(rank *r, const char *address)
{
    const ndft_communicator_options o = {.struct_size = sizeof o,
                                         .rank = r->contest.first,
                                         .size = r->whole.n,
                                         .timeout_s = NDFT_RANKS_TIMEOUT_S,
                                         .address = address};
    NDFT_TRY(say(r, 0));
    return ndft_contest_status(&r->contest, ndft_communicator_create(&o, &r->communicator));
}

int ndft_rank_main(int argc, char **argv)
{
    rank *r = argc == 5 ? calloc(1, sizeof *r) : NULL;
    if (!r) return NDFT_EXIT_ENVIRONMENT;
    signal(SIGINT, SIG_IGN);          /* a terminal tells all; whoever started this one ends it, */
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* dying, too, before they have met */
    ndft_status status = open_rank(r, argv);
    if (status == NDFT_OK) status = meet(r, argv[2]);
    if (status == NDFT_OK) status = live(r);
    const int code = status == NDFT_OK ? NDFT_EXIT_OK : ndft_cli_fail(&r->err);
    ndft_contestant_free(&r->contest, &r->parts);
    ndft_contestant_free(&r->contest, &r->whole);
    ndft_communicator_destroy(r->communicator);
    ndft_contest_close(&r->contest);
    free(r);
    return code;
}
