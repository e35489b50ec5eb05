/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include "base/now.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double pause_s = 5; /* between lines where there is no terminal */

/* The columns of the terminal that stderr is, 0 where it is none. */
static int terminal_width(void)
{
    struct winsize size;
    if (!isatty(STDERR_FILENO)) return 0;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || !size.ws_col) return 80;
    return size.ws_col;
}

static void show(ndft_progress *p, const char *what)
{
    char line[512];
    double spent = ndft_now_s() - p->start;
    int left = (int)(spent / p->done * (p->total - p->done) + 0.5);
    snprintf(line, sizeof line, "[%d/%d] ETA %dm%02ds  %s", p->done, p->total, left / 60, left % 60,
             what);
    if (p->width)
        fprintf(stderr, "\r\033[K%.*s", p->width - 1, line); /* a full line would wrap */
    else
        fprintf(stderr, "%s\n", line);
    p->shown = ndft_now_s();
}

ndft_progress ndft_progress_begin(int total)
{
    return (ndft_progress){.total = total, .start = ndft_now_s(), .width = terminal_width()};
}

void ndft_progress_step(ndft_progress *p, const char *what)
{
    p->done++;
    bool due = p->done == 1 || p->done == p->total || ndft_now_s() - p->shown >= pause_s;
    if (p->width || due) show(p, what);
}

void ndft_progress_hide(const ndft_progress *p)
{
    if (p->width) fputs("\r\033[K", stderr);
}

void ndft_progress_end(const ndft_progress *p)
{
    if (p->done && p->width) fputc('\n', stderr);
}
