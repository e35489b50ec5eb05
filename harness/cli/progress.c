/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include "seconds.h"

#include <stdio.h>
#include <unistd.h>

ndft_progress ndft_progress_begin(int total)
{
    return (ndft_progress){.total = total, .start = ndft_seconds()};
}

void ndft_progress_step(ndft_progress *p, const char *what)
{
    p->done++;
    double spent = ndft_seconds() - p->start;
    int left = (int)(spent / p->done * (p->total - p->done) + 0.5);
    const char *before = isatty(STDERR_FILENO) ? "\r\033[K" : "";
    const char *after = isatty(STDERR_FILENO) ? "" : "\n";
    fprintf(stderr, "%s[%d/%d] ETA %dm%02ds  %s%s", before, p->done, p->total, left / 60, left % 60,
            what, after);
}

void ndft_progress_end(const ndft_progress *p)
{
    if (p->done && isatty(STDERR_FILENO)) fputc('\n', stderr);
}
