/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli.h"
#include "isolate/worker.h"
#include "peak/links.h"
#include "scaling/ranks.h"

#include <stdio.h>
#include <string.h>

/* ndft worker: the other end of harness/isolate and of ranks, started by other verbs and not by
 * people. */

/* For a parent that opens none of them. */
static int count(const char *name)
{
    const ndft_backend *backend = ndft_backend_find(name);
    if (!backend) return NDFT_EXIT_USAGE;
    printf("%d\n", backend->missing() ? 0 : ndft_devices_count(backend));
    return NDFT_EXIT_OK;
}

int ndft_verb_worker(ndft_cli *cli)
{
    if (cli->argc == 3 && !strcmp(cli->argv[2], "count")) return count(cli->argv[1]);
    if (cli->argc == 3) return ndft_worker_main(cli->argv[1], cli->argv[2]);
    if (cli->argc > 3 && !strcmp(cli->argv[1], "rank"))
        return ndft_rank_main(cli->argc - 2, cli->argv + 2);
    fprintf(stderr, "ndft: worker is started by other verbs\n");
    return NDFT_EXIT_USAGE;
}
