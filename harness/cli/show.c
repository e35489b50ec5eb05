/* SPDX-License-Identifier: Apache-2.0 */
#include "show.h"

#include "base/words.h"
#include "naming/verdict.h"

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

void ndft_show_json(json_t *json, size_t flags)
{
    json_dumpf(json, stdout, flags);
    putchar('\n');
    json_decref(json);
}

void ndft_show_header(ndft_columns columns)
{
    printf("%-*s", columns.id_width, "variant");
    if (columns.modes) printf("  %-10s", "mode");
    printf("  %-9s", "verdict");
    if (columns.timed)
        printf("  %10s  %8s  %-9s  %9s  %-18s", "median", "interval", "regime", "pairs/s", "bound");
    printf("  %9s  %9s  %9s  %9s  %9s\n", "rel_l2", "claim", "max_err", "any", "adjoint");
}

static void show_timing(const json_t *record)
{
    char seconds[NDFT_SHOWN], rate[NDFT_SHOWN], interval[NDFT_SHOWN] = "-";
    char roof[NDFT_SHOWN] = "-";
    double median = ndft_field_number(record, "median_s");
    double half =
        50 * (ndft_field_number(record, "ci_hi_s") - ndft_field_number(record, "ci_lo_s")) / median;
    if (isfinite(half)) snprintf(interval, sizeof interval, "+-%.2f %%", half);
    const char *bound = ndft_field_text(record, "bound");
    double reached = 100 * ndft_field_number(record, "bound_fraction");
    if (isfinite(reached)) snprintf(roof, sizeof roof, "%.15s %.0f %%", bound, reached);
    const char *doubt = ndft_field_doubt(record);
    printf("  %10s  %8s  %-9s  %9s  %-18s", ndft_show_seconds(median, seconds), interval,
           doubt ? doubt : ndft_field_text(record, "regime"),
           ndft_show_rate(ndft_field_number(record, "coil_pairs_per_s"), rate), roof);
}

static const char *const errors[] = {"rel_l2", "claim", "max_err", "claim_any", "adjoint_err"};

void ndft_show_record(ndft_columns columns, const json_t *record)
{
    char text[NDFT_SHOWN];
    const char *name = ndft_field_text(record, "verdict"), *reason;
    ndft_verdict verdict = ndft_verdict_find(name);
    reason = ndft_field_text(record, "reason");
    printf("%-*s", columns.id_width, ndft_field_text(record, "variant"));
    if (columns.modes) printf("  %-10s", ndft_field_text(record, "mode"));
    printf("  %-9s", name);
    if (verdict == NDFT_UNSUPPORTED || verdict == NDFT_NOT_BUILT) {
        fputs("  ", stdout);
        ndft_print_plain(stdout, reason);
        putchar('\n');
        return;
    }
    if (columns.timed) show_timing(record);
    for (int i = 0; i < 5; i++)
        printf("  %9s", ndft_show_error(ndft_field_number(record, errors[i]), text));
    fputs(reason[0] ? "  " : "", stdout);
    ndft_print_plain(stdout, reason);
    putchar('\n');
}
