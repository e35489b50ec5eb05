/* SPDX-License-Identifier: Apache-2.0 */
#include "vkfft_module.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A libvkfft for unit_vkfft and test_peers: what peers/vkfft_module.h promises, as sums in the
 * host's memory, read from the request as VkFFT's documentation has it. Beside it a CUDA runtime
 * whose device is the host, for alone.py: what is executed on its one stream while that is captured
 * waits for the graph's launches, which FAKE_CUDA_LOG has. Everything takes it 0.1 ms. */

typedef struct fake_plan {
    vkfft_request r;
    double complex *work; /* packed, of one batch */
    void *stream;
} fake_plan;

#pragma GCC visibility push(default)
int cudaStreamCreate(void **);
int cudaStreamBeginCapture(void *, int);
int cudaStreamEndCapture(void *, void **);
int cudaGraphInstantiateWithFlags(void **, void *, unsigned long long);
int cudaGraphLaunch(void *, void *);
int cudaMemsetAsync(void *, int, size_t, void *);
int cudaMalloc(void **, size_t);
int cudaMemcpy(void *, const void *, size_t, int);
int cudaDeviceSynchronize(void);
int cudaEventCreate(void **);
int cudaEventRecord(void *, void *);
int cudaEventElapsedTime(float *, void *, void *);
#pragma GCC visibility pop

static int64_t count(const fake_plan *p)
{
    int64_t numbers = 1;
    for (int d = 0; d < p->r.dim; d++) numbers *= p->r.size[d];
    return numbers;
}

/* Where number e of a batch lies on a side with these strides. */
static int64_t place(const vkfft_request *r, const int64_t *stride, int64_t batch, int64_t e)
{
    int64_t at = batch * stride[r->dim - 1];
    for (int d = 0; d < r->dim; d++) {
        at += e % r->size[d] * (d ? stride[d - 1] : 1);
        e /= r->size[d];
    }
    return at;
}

static double real_at(const fake_plan *p, const void *side, int64_t i)
{
    return p->r.f64 ? ((const double *)side)[i] : (double)((const float *)side)[i];
}

static void put_real(const fake_plan *p, void *side, int64_t i, double value)
{
    if (p->r.f64)
        ((double *)side)[i] = value;
    else
        ((float *)side)[i] = (float)value;
}

/* One axis of the packed numbers. */
static void transform(fake_plan *p, int axis)
{
    const int64_t n = p->r.size[axis];
    const double turn = (p->r.inverse ? 2 : -2) * M_PI / (double)n;
    int64_t step = 1;
    for (int d = 0; d < axis; d++) step *= p->r.size[d];
    double complex *line = malloc((size_t)n * sizeof *line);
    for (int64_t first = 0; line && first < count(p); first++) {
        if (first / step % n) continue;
        for (int64_t i = 0; i < n; i++) line[i] = p->work[first + i * step];
        for (int64_t k = 0; k < n; k++) {
            double complex sum = 0;
            for (int64_t i = 0; i < n; i++) sum += line[i] * cexp(I * turn * (double)(i * k % n));
            p->work[first + k * step] = sum;
        }
    }
    free(line);
}

static int64_t mirrored(const fake_plan *p, int64_t e)
{
    int64_t at = 0, step = 1;
    for (int d = 0; d < p->r.dim; d++) {
        const int64_t n = p->r.size[d];
        at += (n - e % n) % n * step;
        e /= n;
        step *= n;
    }
    return at;
}

static int in_half(const fake_plan *p, int64_t e)
{
    return !p->r.real || e % p->r.size[0] <= p->r.size[0] / 2;
}

static double complex complex_at(const fake_plan *p, const void *side, const int64_t *stride,
                                 int64_t batch, int64_t e)
{
    const int64_t at = 2 * place(&p->r, stride, batch, in_half(p, e) ? e : mirrored(p, e));
    const double im = real_at(p, side, at + 1);
    return real_at(p, side, at) + I * (in_half(p, e) ? im : -im);
}

/* In place rows of reals are twice as long as those of the spectrum. */
static void real_strides(const fake_plan *p, int64_t stride[VKFFT_AXES])
{
    const vkfft_request *r = &p->r;
    for (int d = 0; d < VKFFT_AXES; d++)
        stride[d] = r->in_place ? 2 * r->stride[d] : r->input_stride[d];
}

static void read_batch(fake_plan *p, const void *in, int64_t batch)
{
    const vkfft_request *r = &p->r;
    int64_t reals[VKFFT_AXES];
    real_strides(p, reals);
    for (int64_t e = 0; e < count(p); e++)
        p->work[e] = r->real && !r->inverse   ? real_at(p, in, place(r, reals, batch, e))
                     : r->real || r->in_place ? complex_at(p, in, r->stride, batch, e)
                                              : complex_at(p, in, r->input_stride, batch, e);
}

static void write_batch(const fake_plan *p, void *out, int64_t batch)
{
    const vkfft_request *r = &p->r;
    int64_t reals[VKFFT_AXES];
    real_strides(p, reals);
    for (int64_t e = 0; e < count(p); e++) {
        const int64_t at = 2 * place(r, r->stride, batch, e);
        if (r->real && r->inverse) {
            put_real(p, out, place(r, reals, batch, e), creal(p->work[e]));
        } else if (in_half(p, e)) {
            put_real(p, out, at, creal(p->work[e]));
            put_real(p, out, at + 1, cimag(p->work[e]));
        }
    }
}

int ndft_vkfft_plan(const vkfft_request *r, void *stream, void **made)
{
    if (r->aimThreads == 512) return 3002; /* what it refuses */
    fake_plan *p = malloc(sizeof *p);
    if (!p) return 1;
    p->r = *r;
    p->stream = stream;
    p->work = malloc((size_t)count(p) * sizeof *p->work);
    *made = p;
    return p->work ? 0 : 1;
}

/* A graph: the executions that one capture saw. */
typedef struct fake_graph {
    int n;
    struct fake_call {
        fake_plan *plan;
        void *in, *out;
    } calls[256];
} fake_graph;

static char the_stream;
static fake_graph *capturing;
static long done; /* on the stream */

static void execute(fake_plan *p, void *in, void *out)
{
    done++;
    for (int64_t batch = 0; batch < p->r.batches; batch++) {
        read_batch(p, in, batch);
        for (int d = p->r.omit ? 1 : 0; d < p->r.dim; d++) transform(p, d);
        write_batch(p, out, batch);
    }
}

int ndft_vkfft_execute(void *plan, void *in, void *out)
{
    fake_plan *p = plan;
    if (capturing && p->stream == &the_stream)
        capturing->calls[capturing->n++] = (struct fake_call){p, in, out};
    else
        execute(p, in, out);
    return 0;
}

void ndft_vkfft_destroy(void *plan)
{
    free(((fake_plan *)plan)->work);
    free(plan);
}

const char *ndft_vkfft_error(int result)
{
    return result == 3002 ? "VKFFT_ERROR_UNSUPPORTED_FFT_LENGTH" : "another error";
}

int cudaStreamCreate(void **stream)
{
    *stream = &the_stream;
    return 0;
}

int cudaStreamBeginCapture(void *stream, int mode)
{
    capturing = calloc(1, sizeof *capturing);
    return capturing && stream == &the_stream && mode == 1 ? 0 : 1;
}

int cudaStreamEndCapture(void *stream, void **graph)
{
    (void)stream;
    *graph = capturing;
    capturing = NULL;
    return 0;
}

int cudaGraphInstantiateWithFlags(void **ready, void *graph, unsigned long long flags)
{
    *ready = graph;
    return flags != 0;
}

int cudaGraphLaunch(void *ready, void *stream)
{
    const fake_graph *graph = ready;
    const char *path = getenv("FAKE_CUDA_LOG");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (file) fprintf(file, "%d\n", graph->n);
    if (file) fclose(file);
    for (int i = 0; i < graph->n; i++)
        execute(graph->calls[i].plan, graph->calls[i].in, graph->calls[i].out);
    return stream != &the_stream;
}

/* What keeps a device busy is larger than any result, and nobody reads it. */
int cudaMemsetAsync(void *memory, int value, size_t bytes, void *stream)
{
    memset(memory, value, bytes < 1 << 20 ? bytes : 1 << 20);
    done++;
    return stream != &the_stream;
}

int cudaMalloc(void **memory, size_t bytes)
{
    *memory = malloc(bytes);
    return *memory ? 0 : 2;
}

int cudaMemcpy(void *to, const void *from, size_t bytes, int kind)
{
    (void)kind;
    memcpy(to, from, bytes);
    return 0;
}

int cudaDeviceSynchronize(void) { return 0; }

int cudaEventCreate(void **event)
{
    *event = calloc(1, sizeof done);
    return !*event;
}

int cudaEventRecord(void *event, void *stream)
{
    *(long *)event = done;
    return stream != &the_stream;
}

int cudaEventElapsedTime(float *milliseconds, void *begin, void *end)
{
    *milliseconds = 0.1F * (float)(*(long *)end - *(long *)begin);
    return 0;
}
