/* SPDX-License-Identifier: Apache-2.0 */
#include "interleaf.h"

#include "base/memo.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 6, SHORTEST = 3 }; /* pieces' shifts */
enum { LEAST = 16 };                /* samples of an interleaf */

/* Of the tolerance: what longer pieces may lose, and what the shortest may. */
static const double little = 0.125, most = 0.5;

/* What copies may differ by, relatively, even in double: an angle of many turns is rounded. */
static const double wound = 0x1p-43;

static const char *const on_none = "its samples are neither in uniform lines nor on turned copies "
                                   "of one smooth interleaf, along which "
                                   "to compute them";

static const char no_memory[] = "no memory for the interleaf of its samples";

static double complex *places(const ndft_problem *p)
{
    double complex *q = malloc((size_t)p->n_samples * sizeof *q);
    for (int64_t j = 0; q && j < p->n_samples; j++)
        q[j] = ndft_real_at(p->k[0], p->prec, j) / (double)p->n[0] +
               I * ndft_real_at(p->k[1], p->prec, j) / (double)p->n[1];
    return q;
}

/* a * b without the operator's look for infinities, which takes several times as long. */
static inline double complex times(double complex a, double complex b)
{
    return creal(a) * creal(b) - cimag(a) * cimag(b) +
           I * (creal(a) * cimag(b) + cimag(a) * creal(b));
}

static inline double square(double complex z) { return creal(z) * creal(z) + cimag(z) * cimag(z); }

/* By what angle, in turns, `count` samples are those of an interleaf turned, in least squares. */
static double turned(const double complex *interleaf, const double complex *shot, int64_t count)
{
    double complex sum = 0;
    for (int64_t i = 0; i < count; i++) sum += times(conj(interleaf[i]), shot[i]);
    return carg(sum) / (2 * M_PI);
}

static double complex turn_of(double turn) { return cexp(2 * M_PI * I * turn); }

/* False where no turn brings two samples to those of a shot: conj(q_0) q_1 is the same of all
 * turned copies, but for what each of them may differ by. */
static bool may_be_turned(const double complex *interleaf, const double complex *shot,
                          double within)
{
    const double complex differ =
        times(conj(interleaf[0]), interleaf[1]) - times(conj(shot[0]), shot[1]);
    return square(differ) <=
           3.1 * within * within * (square(interleaf[0]) + square(interleaf[1]) + within * within);
}

/* The first pair of samples that shows that there is no such turn; count - 1: none does. */
static int64_t unlike(const double complex *interleaf, const double complex *shot, int64_t count,
                      double within)
{
    int64_t i = 0;
    while (i < count - 1 && may_be_turned(interleaf + i, shot + i, within)) i++;
    return i;
}

static bool is_copy(const double complex *interleaf, const double complex *shot, int64_t count,
                    double within)
{
    const double complex turn = turn_of(turned(interleaf, shot, count));
    for (int64_t i = 0; i < count; i++)
        if (square(times(turn, interleaf[i]) - shot[i]) > within * within) return false;
    return true;
}

static int64_t cut(int64_t samples, int64_t first, int64_t length)
{
    return samples - first < length ? samples - first : length;
}

/* The pair of samples that shows that they are not, if one does, is put into `odd`. */
static bool are_copies(const double complex *q, int64_t m, int64_t length, double within,
                       int64_t *odd)
{
    for (int64_t first = length; first < m; first += length) {
        const int64_t count = cut(m, first, length), i = unlike(q, q + first, count, within);
        if (i < count - 1) *odd = first + i;
        if (i < count - 1 || !is_copy(q, q + first, count, within)) return false;
    }
    return true;
}

/* Whether the pair of samples that was odd at another length may be that of a copy at this one. */
static bool may_be_even(const double complex *q, int64_t length, double within, int64_t odd)
{
    const int64_t i = odd % length;
    return i + 1 == length || may_be_turned(q + i, q + odd, within);
}

/* The shortest interleaf of which all samples are copies: one shot at the most. Samples that are
 * nearly those of shorter interleaves, as on a ring, are mostly told by where another length
 * failed. */
static int64_t interleaf_length(const double complex *q, int64_t m, double within)
{
    const double far = cabs(*q), least = fmax(0, far - within), most_far = far + within;
    int64_t odd = 0;
    for (int64_t length = LEAST; length < m; length++)
        if (square(q[length]) >= least * least && square(q[length]) <= most_far * most_far &&
            may_be_even(q, length, within, odd) && are_copies(q, m, length, within, &odd))
            return length;
    return m;
}

/* A cubic in i through value[i] by least squares; terms that the samples do not determine
 * are left out. */
static void fit(const double *value, int count, double cubic[4])
{
    double a[4][5] = {{0}};
    for (int i = 0; i < count; i++) {
        double power[4] = {1};
        for (int c = 1; c < 4; c++) power[c] = power[c - 1] * i / count;
        for (int r = 0; r < 4; r++) {
            for (int c = 0; c < 4; c++) a[r][c] += power[r] * power[c];
            a[r][4] += power[r] * value[i];
        }
    }
    bool known[4];
    for (int c = 0; c < 4; c++) {
        known[c] = a[c][c] > 1e-12 * a[0][0];
        for (int r = c + 1; known[c] && r < 4; r++)
            for (int i = 4; i >= c; i--) a[r][i] -= a[r][c] / a[c][c] * a[c][i];
    }
    for (int c = 3; c >= 0; c--) {
        for (int i = c + 1; i < 4; i++) a[c][4] -= a[c][i] * cubic[i];
        cubic[c] = known[c] ? a[c][4] / a[c][c] : 0;
    }
    for (int c = 1; c < 4; c++) cubic[c] /= pow(count, c);
}

/* The interleaf's radius, and its angle without jumps of turns; its samples as fitted. */
typedef struct polar {
    double *radius, *angle;
    double complex *fitted;
} polar;

static bool polar_make(const double complex *q, int64_t length, polar *out)
{
    double complex *memory = malloc(2 * (size_t)length * sizeof *memory);
    if (!memory) return false;
    double *real = (double *)(memory + length);
    *out = (polar){real, real + length, memory};
    for (int64_t i = 0; i < length; i++) {
        const double before = i ? out->angle[i - 1] : 0;
        const double angle = q[i] == 0 ? before : carg(q[i]) / (2 * M_PI);
        out->radius[i] = cabs(q[i]);
        out->angle[i] = angle - rint(angle - before);
    }
    return true;
}

static void put_pieces(const polar *from, ndft_interleaf *interleaf)
{
    ndft_interleaf_piece *piece = interleaf->piece;
    for (int64_t i = 0; i < interleaf->length; piece++) {
        const int count =
            (int)cut(interleaf->length, i, i < NDFT_INTERLEAF_START ? 4 : 1 << interleaf->shift);
        fit(from->radius + i, count, piece->radius);
        fit(from->angle + i, count, piece->angle);
        i += count;
    }
    interleaf->pieces = (int)(piece - interleaf->piece);
    for (int64_t i = 0; i < interleaf->length; i++) {
        double radius, angle;
        ndft_interleaf_at(interleaf->piece, interleaf->shift, (int)i, &radius, &angle);
        from->fitted[i] = radius * turn_of(angle);
    }
}

/* Mean square of what phases (2 pi k r, r even in [-1/2, 1/2]) differ by, where k/N does by x+iy.
 */
static double phase_squared(const ndft_problem *p, double complex by)
{
    const double x = creal(by) * (double)p->n[0], y = cimag(by) * (double)p->n[1];
    return M_PI * M_PI / 3 * (x * x + y * y);
}

/* The largest of such phases, at a corner of the image. */
static double largest_phase(const ndft_problem *p, double complex by)
{
    return 2 * M_PI *
           (fabs(creal(by)) * (double)(p->n[0] / 2) + fabs(cimag(by)) * (double)(p->n[1] / 2));
}

/* A sine, of an angle rounded once, is off by as many units at most. */
static const double sine_units = 3;

/* Sets both errors. */
static void find_errors(const ndft_problem *p, const double complex *q,
                        const double complex *fitted, ndft_interleaf *interleaf)
{
    const int64_t m = p->n_samples;
    double sum = 0;
    interleaf->worst = 0;
    for (int64_t s = 0; s < interleaf->shots; s++) {
        const double complex turn = turn_of(interleaf->turn[s]), *shot = q + s * interleaf->length;
        for (int64_t i = 0; i < cut(m, s * interleaf->length, interleaf->length); i++) {
            const double complex off = turn * fitted[i] - shot[i],
                                 rounded = ndft_roundoff(p->prec) * shot[i];
            const double far = sine_units * cabs(rounded); /* of either coordinate */
            sum += phase_squared(p, off) + phase_squared(p, rounded);
            interleaf->worst =
                fmax(interleaf->worst, largest_phase(p, off) + largest_phase(p, far + I * far));
        }
    }
    interleaf->error = 1.5 * sqrt(sum / (double)m);
}

static double asked(const ndft_problem *p, const ndft_interleaf *interleaf)
{
    return p->tol_kind == NDFT_TOL_ANY ? interleaf->worst : interleaf->error;
}

static const char *fit_pieces(const ndft_problem *p, const double complex *q,
                              ndft_interleaf *interleaf)
{
    polar from;
    if (!polar_make(q, interleaf->length, &from)) return no_memory;
    for (interleaf->shift = LONGEST; interleaf->shift >= SHORTEST; interleaf->shift--) {
        put_pieces(&from, interleaf);
        find_errors(p, q, from.fitted, interleaf);
        if (asked(p, interleaf) <= little * p->tol || interleaf->shift == SHORTEST) break;
    }
    free(from.fitted);
    return asked(p, interleaf) <= most * p->tol ? NULL : on_none;
}

static const char *find(const ndft_problem *p, const double complex *q, ndft_interleaf *interleaf)
{
    const double farthest = fmax(p->k_max[0] / (double)p->n[0], p->k_max[1] / (double)p->n[1]);
    const int64_t m = p->n_samples;
    interleaf->length = interleaf_length(q, m, fmax(4 * ndft_roundoff(p->prec), wound) * farthest);
    interleaf->shots = (m + interleaf->length - 1) / interleaf->length;
    interleaf->piece =
        calloc((size_t)(interleaf->length >> SHORTEST) + NDFT_INTERLEAF_START / 4 + 1,
               sizeof *interleaf->piece);
    interleaf->turn = calloc((size_t)interleaf->shots, sizeof *interleaf->turn);
    if (!interleaf->piece || !interleaf->turn) return no_memory;
    for (int64_t s = 1; s < interleaf->shots; s++)
        interleaf->turn[s] =
            turned(q, q + s * interleaf->length, cut(m, s * interleaf->length, interleaf->length));
    return fit_pieces(p, q, interleaf);
}

const char *ndft_interleaf_find(const ndft_problem *p, ndft_interleaf *interleaf)
{
    memset(interleaf, 0, sizeof *interleaf);
    if (p->dim != 2 || !p->k[0] || p->n_samples < LEAST) return on_none;
    double complex *q = places(p);
    const char *why = q ? find(p, q, interleaf) : no_memory;
    free(q);
    if (why) ndft_interleaf_free(interleaf);
    return why;
}

void ndft_interleaf_free(ndft_interleaf *interleaf)
{
    free(interleaf->piece);
    free(interleaf->turn);
    memset(interleaf, 0, sizeof *interleaf);
}

/* What comes of a problem, which is asked for again and again. */
typedef struct answer {
    const char *why;
    double error, worst;
} answer;

static answer answer_of(const ndft_problem *p)
{
    const ndft_question question = {"interleaf", {0}};
    answer found = {.error = INFINITY, .worst = INFINITY};
    if (ndft_memo_recall(p, question, &found, sizeof found)) return found;
    ndft_interleaf interleaf;
    found.why = ndft_interleaf_find(p, &interleaf);
    if (found.why == no_memory) return found;
    if (!found.why) found = (answer){NULL, interleaf.error, interleaf.worst};
    ndft_interleaf_free(&interleaf);
    ndft_memo_remember(p, question, &found, sizeof found);
    return found;
}

const char *ndft_interleaf_unsupported(const ndft_problem *p) { return answer_of(p).why; }

double ndft_interleaf_error(const ndft_problem *p) { return answer_of(p).error; }

double ndft_interleaf_worst(const ndft_problem *p) { return answer_of(p).worst; }
