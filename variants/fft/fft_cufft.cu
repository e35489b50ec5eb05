/* SPDX-License-Identifier: Apache-2.0 */
#include "fft_cufft.cuh"

#include "base/cufft_calls.cuh"

#include <cstring>

struct ndft_cufft {
    ndft_retained kept; /* first; one with callbacks is not, nor one only begun */
    const ndft_cufft_calls *calls;
    ndft_exec *exec;
    void *stream; /* on which the handle works */
    bool made;    /* the handle */
    cufftHandle handle;
    cufftType type;
    ndft_cufft_shape shape;
    size_t work; /* bytes */
};

namespace
{

ndft_status checked(ndft_exec *exec, const char *what, cufftResult result)
{
    if (result == CUFFT_SUCCESS) return NDFT_OK;
    return ndft_fail(exec->error, result == CUFFT_ALLOC_FAILED ? NDFT_ENOMEM : NDFT_EDEVICE,
                     "cuFFT: %s failed with code %d", what, (int)result);
}

/* By precision and domain: a plan's type, and those of its callbacks. */
const struct {
    cufftType plan;
    cufftXtCallbackType load, store;
} types[2][3] = {
    {{CUFFT_C2C, CUFFT_CB_LD_COMPLEX, CUFFT_CB_ST_COMPLEX},
     {CUFFT_R2C, CUFFT_CB_LD_REAL, CUFFT_CB_ST_COMPLEX},
     {CUFFT_C2R, CUFFT_CB_LD_COMPLEX, CUFFT_CB_ST_REAL}},
    {{CUFFT_Z2Z, CUFFT_CB_LD_COMPLEX_DOUBLE, CUFFT_CB_ST_COMPLEX_DOUBLE},
     {CUFFT_D2Z, CUFFT_CB_LD_REAL_DOUBLE, CUFFT_CB_ST_COMPLEX_DOUBLE},
     {CUFFT_Z2D, CUFFT_CB_LD_COMPLEX_DOUBLE, CUFFT_CB_ST_REAL_DOUBLE}},
};

ndft_status set_callbacks(const ndft_cufft *fft, const ndft_cufft_shape *shape,
                          const ndft_cufft_callbacks *c)
{
    const auto &type = types[shape->prec][shape->domain];
    void *info = c->info;
    NDFT_TRY(checked(fft->exec, "taking callbacks",
                     fft->calls->set_callback(fft->handle, "ndft_fft_load", c->load.code,
                                              c->load.size, type.load, &info)));
    return checked(fft->exec, "taking callbacks",
                   fft->calls->set_callback(fft->handle, "ndft_fft_store", c->store.code,
                                            c->store.size, type.store, &info));
}

void unmake(ndft_retained *kept)
{
    ndft_cufft *fft = (ndft_cufft *)kept;
    if (fft->made) fft->calls->destroy(fft->handle);
    free(fft);
}

/* The plan is done with it, other plans of the device may not be. */
void put_away(ndft_retained *kept)
{
    ndft_stock_put(((ndft_cufft *)kept)->exec->stock, kept, unmake);
}

bool same(const ndft_cufft_shape &a, const ndft_cufft_shape &b)
{
    return a.prec == b.prec && a.domain == b.domain && a.dim == b.dim && a.batch == b.batch &&
           !memcmp(a.n, b.n, sizeof a.n) && !memcmp(&a.in, &b.in, sizeof a.in) &&
           !memcmp(&a.out, &b.out, sizeof a.out);
}

/* One that exec keeps of this shape and nobody has; NULL: there is none. */
ndft_cufft *take_kept(ndft_exec *exec, const ndft_cufft_shape &shape)
{
    ndft_cufft *fft = ndft_find_retained<ndft_cufft>(
        exec, put_away, [&](const ndft_cufft &f) { return !f.kept.users && same(f.shape, shape); });
    if (fft) fft->kept.users++;
    return fft;
}

/* One of this shape that another plan has left; NULL: there is none. */
ndft_cufft *take_from_stock(ndft_exec *exec, const ndft_cufft_shape &shape)
{
    for (int i = 0; exec->stock && i < NDFT_STOCK_PLACES; i++) {
        ndft_retained *found = ndft_stock_take(exec->stock, i);
        if (!found) continue;
        if (same(((ndft_cufft *)found)->shape, shape)) return (ndft_cufft *)found;
        ndft_stock_put(exec->stock, found, unmake);
    }
    return nullptr;
}

ndft_status set_stream(ndft_cufft *fft)
{
    fft->stream = fft->exec->stream;
    return checked(fft->exec, "setting its stream",
                   fft->calls->set_stream(fft->handle, ndft_stream(fft->exec)));
}

ndft_status take_over(ndft_exec *exec, ndft_cufft *fft)
{
    fft->exec = exec;
    NDFT_TRY(set_stream(fft));
    ndft_retain(exec, &fft->kept, put_away);
    return NDFT_OK;
}

long long *embedding(ndft_cufft_side *side) { return side->embed[0] ? side->embed : nullptr; }

} // namespace

ndft_status ndft_cufft_make(ndft_exec *exec, const ndft_cufft_shape *shape,
                            const ndft_cufft_callbacks *callbacks, ndft_cufft **out)
{
    if (!callbacks && (*out = take_kept(exec, *shape))) return NDFT_OK;
    if (!callbacks && (*out = take_from_stock(exec, *shape))) return take_over(exec, *out);
    ndft_cufft *fft = (ndft_cufft *)calloc(1, sizeof *fft);
    *out = fft;
    if (!fft) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a plan");
    fft->exec = exec;
    fft->calls = ndft_cufft_calls_find();
    if (!fft->calls) return ndft_fail(exec->error, NDFT_EUNSUPPORTED, "%s", ndft_cufft_missing());
    fft->shape = *shape;
    fft->type = types[shape->prec][shape->domain].plan;
    NDFT_TRY(checked(exec, "its handle", fft->calls->create(&fft->handle)));
    fft->made = true;
    if (callbacks) NDFT_TRY(set_callbacks(fft, shape, callbacks));
    ndft_cufft_shape s = *shape; /* cuFFT's pointers are not const */
    NDFT_TRY(checked(exec, "leaving memory to its user",
                     fft->calls->set_auto_allocation(fft->handle, 0)));
    NDFT_TRY(set_stream(fft));
    NDFT_TRY(checked(exec, "its plan",
                     fft->calls->make_plan(fft->handle, s.dim, s.n, embedding(&s.in), s.in.stride,
                                           s.in.distance, embedding(&s.out), s.out.stride,
                                           s.out.distance, fft->type, s.batch, &fft->work)));
    if (!callbacks) ndft_retain(exec, &fft->kept, put_away);
    return NDFT_OK;
}

ndft_status ndft_cufft_give_work(ndft_arrays *arrays, ndft_cufft *const plans[], int count)
{
    size_t bytes = 0;
    for (int i = 0; i < count; i++) bytes = plans[i]->work > bytes ? plans[i]->work : bytes;
    if (bytes == 0) return NDFT_OK;
    char *work = nullptr;
    NDFT_TRY(ndft_reserve(arrays, "the FFT's work area", (int64_t)bytes, &work));
    for (int i = 0; i < count; i++)
        NDFT_TRY(checked(arrays->exec, "setting its work area",
                         plans[i]->calls->set_work_area(plans[i]->handle, work)));
    return NDFT_OK;
}

ndft_cufft_shape ndft_cufft_grids(ndft_prec prec, int dim, const int64_t *n, int64_t stride,
                                  int64_t distance, int64_t grids)
{
    ndft_cufft_shape shape = {};
    for (int d = 0; d < dim; d++) shape.n[dim - 1 - d] = shape.in.embed[dim - 1 - d] = n[d];
    shape.prec = prec;
    shape.dim = dim;
    shape.batch = grids;
    shape.in.stride = stride;
    shape.in.distance = distance;
    shape.out = shape.in;
    return shape;
}

ndft_status ndft_cufft_make_grids(ndft_arrays *arrays, ndft_prec prec, int dim, const int64_t n[3],
                                  int grids, ndft_cufft **out)
{
    int64_t cells = 1;
    for (int d = 0; d < dim; d++) cells *= n[d];
    const ndft_cufft_shape shape = ndft_cufft_grids(prec, dim, n, 1, cells, grids);
    NDFT_TRY(ndft_cufft_make(arrays->exec, &shape, nullptr, out));
    return ndft_cufft_give_work(arrays, out, 1);
}

static cufftResult launch(const ndft_cufft *fft, int direction, void *in, void *out)
{
    switch (fft->type) {
    case CUFFT_R2C:
        return fft->calls->r2c(fft->handle, (cufftReal *)in, (cufftComplex *)out);
    case CUFFT_D2Z:
        return fft->calls->d2z(fft->handle, (cufftDoubleReal *)in, (cufftDoubleComplex *)out);
    case CUFFT_C2R:
        return fft->calls->c2r(fft->handle, (cufftComplex *)in, (cufftReal *)out);
    case CUFFT_Z2D:
        return fft->calls->z2d(fft->handle, (cufftDoubleComplex *)in, (cufftDoubleReal *)out);
    case CUFFT_C2C:
        return fft->calls->c2c(fft->handle, (cufftComplex *)in, (cufftComplex *)out, direction);
    default:
        return fft->calls->z2z(fft->handle, (cufftDoubleComplex *)in, (cufftDoubleComplex *)out,
                               direction);
    }
}

ndft_status ndft_cufft_run(ndft_cufft *fft, int sign, void *in, void *out)
{
    if (fft->stream != fft->exec->stream) NDFT_TRY(set_stream(fft));
    return checked(fft->exec, "a transform",
                   launch(fft, sign < 0 ? CUFFT_FORWARD : CUFFT_INVERSE, in, out));
}

void ndft_cufft_destroy(ndft_cufft *fft)
{
    if (!fft) return;
    if (fft->kept.users)
        ndft_let_go(fft->exec, &fft->kept);
    else
        unmake(&fft->kept);
}
