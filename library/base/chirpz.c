/* SPDX-License-Identifier: Apache-2.0 */
#include "base/chirpz.h"

#include <float.h>
#include <stdio.h>

static void say(ndft_prec prec, double log_is, double log_most, const char *nearest, double modulus,
                char *why, size_t size)
{
    snprintf(why, size,
             "an entry A^-n W^(n k) reaches 1e%.0f, and %s takes 1e%.0f; a modulus of %s %.6g does",
             log_is / M_LN10, prec == NDFT_F32 ? "f32" : "f64", floor(log_most / M_LN10), nearest,
             modulus);
}

/* Entries are largest at the ends. */
const char *ndft_chirpz_beyond(const ndft_chirpz_problem *c, char *why, size_t size)
{
    const ndft_problem *p = &c->problem;
    const double n = (double)p->n[0] - 1, k = (double)p->n_samples - 1;
    const double most = log(p->prec == NDFT_F32 ? FLT_MAX : DBL_MAX) / 2;
    const double log_w = log(c->w.modulus), log_a = log(c->a.modulus);
    const double first = ndft_chirpz_log(n, 0, log_w, log_a);
    const double last = ndft_chirpz_log(n, k, log_w, log_a);
    if (first > most) {
        say(p->prec, first, most, "at least", exp(-most / n), why, size);
        return "a";
    }
    if (last <= most) return NULL;
    say(p->prec, last, most, "at most", exp((most / n + log_a) / k), why, size);
    return "w";
}
