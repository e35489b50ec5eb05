/* SPDX-License-Identifier: Apache-2.0 */
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A libfinufft for test_peers: the calls of FINUFFT's C interface as sums, right or wrong
 * (FAKE_FINUFFT_WRONG), and without the first transform where FAKE_FINUFFT_DROP is set. Every plan
 * appends what it was asked for to the file that FAKE_FINUFFT_LOG names; its version is read from
 * the text of that line. */

typedef struct fake_opts {
    int modeord, spreadinterponly, debug, spread_debug, showwarn, nthreads, fftw, spread_sort;
    int spread_kerevalmeth, spread_kerpad;
    double upsampfac;
    int spread_thread, maxbatchsize;
} fake_opts;

typedef struct fake_plan {
    int type, dim, sign, transforms;
    int64_t n[3], m;
    const void *x[3];
} fake_plan;

void finufft_default_opts(fake_opts *);
int finufft_makeplan(int, int, const int64_t *, int, int, double, fake_plan **, const fake_opts *);
int finufftf_makeplan(int, int, const int64_t *, int, int, float, fake_plan **, const fake_opts *);
int finufft_setpts(fake_plan *, int64_t, const void *, const void *, const void *, int64_t,
                   const void *, const void *, const void *);
int finufftf_setpts(fake_plan *, int64_t, const void *, const void *, const void *, int64_t,
                    const void *, const void *, const void *);
int finufft_execute(fake_plan *, double complex *, double complex *);
int finufftf_execute(fake_plan *, float complex *, float complex *);
int finufft_destroy(fake_plan *);
int finufftf_destroy(fake_plan *);

#ifdef FAKE_FINUFFT_WRONG
static const double scale = 1.001;
#else
static const double scale = 1;
#endif

void finufft_default_opts(fake_opts *opts)
{
    *opts = (fake_opts){.showwarn = 1, .fftw = 64, .spread_sort = 2};
}

static void tell(const fake_plan *p, double eps, const fake_opts *opts)
{
    const char *path = getenv("FAKE_FINUFFT_LOG");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file) return;
    fprintf(file,
            "FINUFFT version 9.8.7 type=%d dim=%d n=%dx%dx%d sign=%d transforms=%d eps=%.17g "
            "upsampfac=%g spread_sort=%d spread_thread=%d maxbatchsize=%d nthreads=%d fftw=%d\n",
            p->type, p->dim, (int)p->n[0], (int)p->n[1], (int)p->n[2], p->sign, p->transforms, eps,
            opts->upsampfac, opts->spread_sort, opts->spread_thread, opts->maxbatchsize,
            opts->nthreads, opts->fftw);
    fclose(file);
}

int finufft_makeplan(int type, int dim, const int64_t *modes, int sign, int transforms, double eps,
                     fake_plan **plan, const fake_opts *opts)
{
    fake_plan *p = calloc(1, sizeof *p);
    if (!p) return 11;
    *p = (fake_plan){.type = type, .dim = dim, .sign = sign, .transforms = transforms};
    for (int d = 0; d < 3; d++) p->n[d] = d < dim ? modes[d] : 1;
    tell(p, eps, opts);
    *plan = p;
    return opts->maxbatchsize == 16 ? 9 : 0; /* what it refuses */
}

int finufftf_makeplan(int type, int dim, const int64_t *modes, int sign, int transforms, float eps,
                      fake_plan **plan, const fake_opts *opts)
{
    return finufft_makeplan(type, dim, modes, sign, transforms, eps, plan, opts);
}

int finufft_setpts(fake_plan *p, int64_t m, const void *x, const void *y, const void *z, int64_t n,
                   const void *s, const void *t, const void *u)
{
    (void)s, (void)t, (void)u;
    p->m = m;
    p->x[0] = x;
    p->x[1] = y;
    p->x[2] = z;
    return n ? 21 : 0;
}

int finufftf_setpts(fake_plan *p, int64_t m, const void *x, const void *y, const void *z, int64_t n,
                    const void *s, const void *t, const void *u)
{
    return finufft_setpts(p, m, x, y, z, n, s, t, u);
}

static double at(const void *x, int64_t j, int single)
{
    return single ? (double)((const float *)x)[j] : ((const double *)x)[j];
}

static double complex phasor(const fake_plan *p, int64_t j, int64_t k, int single)
{
    double phase = 0;
    for (int d = 0; d < p->dim; d++) {
        phase += at(p->x[d], j, single) * (double)(k % p->n[d] - p->n[d] / 2);
        k /= p->n[d];
    }
    return cexp(p->sign * I * phase);
}

static double complex get(const void *v, int64_t i, int single)
{
    return single ? ((const float complex *)v)[i] : ((const double complex *)v)[i];
}

static void put(void *v, int64_t i, int single, double complex value)
{
    if (single)
        ((float complex *)v)[i] = (float complex)value;
    else
        ((double complex *)v)[i] = value;
}

static int execute(const fake_plan *p, void *samples, void *modes, int single)
{
    const int64_t n = p->n[0] * p->n[1] * p->n[2];
    const int64_t outputs = p->type == 1 ? n : p->m, inputs = p->type == 1 ? p->m : n;
    void *in = p->type == 1 ? samples : modes, *out = p->type == 1 ? modes : samples;
    for (int64_t c = 0; c < p->transforms; c++)
        for (int64_t o = 0; o < outputs; o++) {
            double complex sum = 0;
            for (int64_t i = 0; i < inputs; i++)
                sum += get(in, c * inputs + i, single) *
                       phasor(p, p->type == 1 ? i : o, p->type == 1 ? o : i, single);
            put(out, c * outputs + o, single, c || !getenv("FAKE_FINUFFT_DROP") ? scale * sum : 0);
        }
    return 0;
}

int finufft_execute(fake_plan *p, double complex *samples, double complex *modes)
{
    return execute(p, samples, modes, 0);
}

int finufftf_execute(fake_plan *p, float complex *samples, float complex *modes)
{
    return execute(p, samples, modes, 1);
}

int finufft_destroy(fake_plan *p)
{
    free(p);
    return 0;
}

int finufftf_destroy(fake_plan *p) { return finufft_destroy(p); }
