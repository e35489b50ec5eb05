/* SPDX-License-Identifier: Apache-2.0 */
#include "show.h"

#include <math.h>
#include <stdio.h>

static const char *show(const char *format, double value, char text[NDFT_SHOWN])
{
    snprintf(text, NDFT_SHOWN, isfinite(value) ? format : "-", value);
    return text;
}

const char *ndft_show_seconds(double seconds, char text[NDFT_SHOWN])
{
    if (seconds < 1e-6) return show("%.4g ns", 1e9 * seconds, text);
    if (seconds < 1e-3) return show("%.4g us", 1e6 * seconds, text);
    if (seconds < 1) return show("%.4g ms", 1e3 * seconds, text);
    return show("%.4g s", seconds, text);
}

const char *ndft_show_rate(double rate, char text[NDFT_SHOWN]) { return show("%.3g", rate, text); }

const char *ndft_show_error(double error, char text[NDFT_SHOWN])
{
    return show("%.2g", error, text);
}

void ndft_show_header(bool timed, int id_width)
{
    printf("%-*s  %-9s", id_width, "variant", "verdict");
    if (timed) printf("  %10s  %8s  %9s", "median", "interval", "pairs/s");
    printf("  %9s  %9s  %9s\n", "rel_l2", "claim", "adjoint");
}

static void show_timing(const ndft_result *result)
{
    char seconds[NDFT_SHOWN], rate[NDFT_SHOWN], interval[NDFT_SHOWN] = "-";
    const ndft_stats none = {NAN, NAN, NAN, NAN, NAN, NAN};
    const ndft_stats *s = result->timing ? &result->timing->stats : &none;
    double half = 50 * (s->ci_hi - s->ci_lo) / s->median;
    if (isfinite(half)) snprintf(interval, sizeof interval, "+-%.2f %%", half);
    printf("  %10s  %8s  %9s", ndft_show_seconds(s->median, seconds), interval,
           ndft_show_rate(result->coil_pairs / s->median, rate));
}

void ndft_show_result(bool timed, int id_width, const ndft_result *result)
{
    const ndft_check *c = &result->check;
    char id[NDFT_ID_MAX], l2[NDFT_SHOWN], claim[NDFT_SHOWN], adjoint[NDFT_SHOWN];
    ndft_id_print(result->candidate, id, sizeof id);
    printf("%-*s  %-9s", id_width, id, ndft_verdict_name(c->verdict));
    if (c->verdict == NDFT_UNFIT || c->verdict == NDFT_NOT_BUILT) {
        printf("  %s\n", c->reason);
        return;
    }
    if (timed) show_timing(result);
    printf("  %9s  %9s  %9s%s%s\n", ndft_show_error(c->rel_l2, l2),
           ndft_show_error(c->claim, claim), ndft_show_error(c->adjoint_err, adjoint),
           c->reason[0] ? "  " : "", c->reason);
    fflush(stdout);
}
