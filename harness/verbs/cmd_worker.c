/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli.h"
#include "isolate/worker.h"

#include <stdio.h>

/* ndft worker: the other end of harness/isolate, started by other verbs and not by people. */

int ndft_verb_worker(ndft_cli *cli)
{
    if (cli->argc == 3) return ndft_worker_main(cli->argv[1], cli->argv[2]);
    fprintf(stderr, "ndft: worker is started by other verbs\n");
    return NDFT_EXIT_USAGE;
}
