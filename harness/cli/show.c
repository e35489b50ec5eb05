/* SPDX-License-Identifier: Apache-2.0 */
#include "show.h"

#include "base/words.h"
#include "naming/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

const char *ndft_show_energy(double joules, char text[NDFT_SHOWN])
{
    if (joules < 1e-3) return show("%.3g uJ", 1e6 * joules, text);
    if (joules < 1) return show("%.3g mJ", 1e3 * joules, text);
    return show("%.3g J", joules, text);
}

const char *ndft_show_set(double bytes, double l2_bytes, char text[NDFT_SHOWN])
{
    show("%.3g MB", 1e-6 * bytes, text);
    const size_t used = strlen(text);
    if (isfinite(bytes) && l2_bytes > 0)
        snprintf(text + used, NDFT_SHOWN - used, ", %.2g L2", bytes / l2_bytes);
    return text;
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
        printf("  %10s  %8s  %-9s  %9s  %-18s  %9s  %9s  %-18s", "median", "interval", "regime",
               "pairs/s", "bound", "energy", "host call", "working set");
    printf("  %9s  %9s  %9s  %9s  %9s\n", "rel_l2", "claim", "max_err", "any", "adjoint");
}

/* What an execution takes beside its time. */
static void show_means(const json_t *record, double l2_bytes)
{
    char energy[NDFT_SHOWN], call[NDFT_SHOWN], set[NDFT_SHOWN];
    printf("  %9s  %9s  %-18s", ndft_show_energy(ndft_field_number(record, "energy_j"), energy),
           ndft_show_seconds(ndft_field_number(record, "host_call_s"), call),
           ndft_show_set(ndft_field_number(record, "working_set_bytes"), l2_bytes, set));
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
    if (columns.timed) show_means(record, columns.l2_bytes);
    for (int i = 0; i < 5; i++)
        printf("  %9s", ndft_show_error(ndft_field_number(record, errors[i]), text));
    fputs(reason[0] ? "  " : "", stdout);
    ndft_print_plain(stdout, reason);
    putchar('\n');
}
