/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline_cufft.cuh"

#include "core/chosen.h"
#include "shape.h"
#include "transform/grid_fft.cuh"
#include "transform/planar_fft.cuh"
#include "transform/planar_shape.h"

namespace
{

/* The share of memory that grids may take. */
const double grid_share = 0.4;

template <class R> ndft_status make_table(ndft_nufft_plan *plan)
{
    const ndft_window *window = &plan->shape.window;
    plan->density = ndft_window_density(window);
    const int64_t count = (int64_t)(plan->density + 2) * NDFT_MAX_WIDTH;
    R *host = (R *)malloc((size_t)count * sizeof(R)), *device = nullptr;
    if (!host) return ndft_fail(plan->arrays.exec->error, NDFT_ENOMEM, "no memory for a plan");
    ndft_window_put_table(window, plan->density, plan->prec, NDFT_MAX_WIDTH, host);
    ndft_status status = ndft_reserve(&plan->arrays, "weights", count, &device);
    if (status == NDFT_OK)
        status = plan->arrays.exec->upload(plan->arrays.exec, device, host, count * sizeof(R));
    free(host);
    plan->table = device;
    return status;
}

bool spreads(const ndft_nufft_plan *plan) { return plan->ops != NDFT_FORWARD; }

bool reads_by_stage(const ndft_nufft_plan *plan)
{
    return plan->interpolation->prepare == plan->stage->prepare;
}

ndft_status make_grid(ndft_nufft_plan *plan, bool own)
{
    const ndft_nufft_shape *shape = &plan->shape;
    for (int d = 0; d < 3; d++) plan->grid.n[d] = (int)shape->grid[d];
    if (plan->stage->transform) return NDFT_OK;
    char *cells = nullptr;
    NDFT_TRY(ndft_reserve(&plan->arrays, "oversampled grids",
                          (int64_t)shape->column_bytes * shape->chunk, &cells));
    plan->grid.cells = cells;
    if (own)
        return ndft_nufft_planar_make(plan, spreads(plan) && !plan->stage->overwrites,
                                      &plan->planar);
    return ndft_grid_fft_make(&plan->arrays, plan->prec, shape->dim, shape->n, shape->chunk,
                              &plan->grid, &plan->fft);
}

/* Bytes of a pass' columns: a stage's own grids may take twice that, as do sums beside planar ones,
 * and are counted in blocks of a launch's 16 bits. */
size_t grid_budget(const ndft_nufft_plan *plan, bool own)
{
    const size_t budget = (size_t)(grid_share * (double)plan->arrays.exec->room_bytes);
    if (!plan->stage->transform && !own) return budget;
    const size_t most = plan->shape.column_bytes * (UINT16_MAX / 2);
    return budget / 2 < most ? budget / 2 : most;
}

/* Coils that a thread takes, so that threads fill the device. */
int coil_share(const ndft_nufft_plan *plan)
{
    const int64_t all = plan->samples.count * plan->problem->coils;
    const int64_t share = all / (plan->arrays.exec->device.units * 2048) + 1;
    return (int)(share < 8 ? share : 8);
}

ndft_status sort(ndft_nufft_plan *plan, const int *knobs)
{
    int tile[3] = {1, 1, 1}, box = plan->stage->box ? plan->stage->box(&plan->shape) : 1;
    plan->stage->tile(&plan->shape, knobs, tile);
    return ndft_nufft_sort(&plan->arrays, plan->problem, &plan->shape, tile, box, &plan->samples);
}

/* Samples in a stage's order, if it asks for one, and, where it runs, what it keeps. */
ndft_status prepare_stage(ndft_nufft_plan *plan, const int *knobs, bool runs)
{
    if (plan->stage->tile) NDFT_TRY(sort(plan, knobs));
    plan->share = knobs[NDFT_SCATTER_SHARE] ? knobs[NDFT_SCATTER_SHARE] : coil_share(plan);
    if (!runs || !plan->stage->own_bytes) return NDFT_OK;
    plan->own = calloc(1, plan->stage->own_bytes);
    if (!plan->own) return ndft_fail(plan->arrays.exec->error, NDFT_ENOMEM, "no memory for a plan");
    return plan->stage->prepare(plan, knobs);
}

/* Interpolation that keeps something, or sorts samples otherwise, has that for itself, unless
 * spreading prepares the same; the grids are the same. */
ndft_status prepare_reader(ndft_nufft_plan *plan, const int *knobs)
{
    const ndft_nufft_stage *own = plan->interpolation;
    if (own->prepare == plan->stage->prepare || (!own->tile && !own->own_bytes)) return NDFT_OK;
    if (plan->ops == NDFT_ADJOINT) return NDFT_OK;
    ndft_nufft_plan *reader = (ndft_nufft_plan *)malloc(sizeof *reader);
    if (!reader) return ndft_fail(plan->arrays.exec->error, NDFT_ENOMEM, "no memory for a plan");
    *reader = *plan;
    reader->arrays = {plan->arrays.exec};
    reader->stage = own;
    reader->own = nullptr;
    plan->reader = reader;
    return prepare_stage(reader, knobs, true);
}

/* Whether transforms are inside blocks. In one dimension those that are taken by themselves are for
 * devices with clusters. */
bool takes_own(const ndft_nufft_plan *plan, const ndft_problem *p, const int *knobs)
{
    if (plan->stage->transform || !ndft_nufft_planar_takes_own(p, &plan->shape, knobs))
        return false;
    return p->dim > 1 || knobs[NDFT_KNOB_FFT] == NDFT_FFT_OWN ||
           plan->arrays.exec->device.code >= 90;
}

ndft_status prepare(ndft_nufft_plan *plan, const ndft_problem *p, const int *knobs)
{
    ndft_arrays *arrays = &plan->arrays;
    plan->problem = p;
    plan->data = ndft_strides_of(p, p->n_samples);
    NDFT_TRY(ndft_nufft_rank_make(arrays, p, knobs, &plan->rank));
    NDFT_TRY(ndft_nufft_shape_make(p, knobs, plan->rank.terms * plan->rank.nodes,
                                   arrays->exec->error, &plan->shape));
    if (plan->stage->fit) NDFT_TRY(plan->stage->fit(&plan->shape, plan->prec, arrays->exec->error));
    const bool own = takes_own(plan, p, knobs);
    if (own) NDFT_TRY(ndft_nufft_planar_fit(&plan->shape, plan->prec, arrays->exec->error));
    ndft_nufft_chunk(&plan->shape, p->coils, grid_budget(plan, own));
    if (knobs[NDFT_KNOB_WEIGHTS] == NDFT_WEIGHTS_TABLE)
        NDFT_TRY(plan->prec == NDFT_F32 ? make_table<float>(plan) : make_table<double>(plan));
    NDFT_TRY(ndft_nufft_image_make(arrays, p, &plan->shape, &plan->image));
    NDFT_TRY(make_grid(plan, own));
    NDFT_TRY(prepare_stage(plan, knobs, spreads(plan) || reads_by_stage(plan)));
    return prepare_reader(plan, knobs);
}

/* The pass that begins at a column. */
ndft_nufft_pass pass_at(const ndft_nufft_plan *plan, int column)
{
    const int all = plan->problem->coils, chunk = plan->shape.chunk;
    const int term = column / all, coil = column % all;
    const int most = chunk < all ? 1 : chunk / all, left = plan->shape.rank - term;
    const int coils = all - coil < chunk ? all - coil : chunk;
    const bool joins = term > 0 || (plan->image.maps && coil > 0);
    return {term, left < most ? left : most, coil, coils, joins};
}

/* From an image to the transformed grids of a pass. */
ndft_status transform(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    ndft_exec *exec = plan->arrays.exec;
    if (plan->stage->transform) return plan->stage->transform(plan, pass, in);
    if (plan->planar) {
        ndft_mark(exec, "deapodisation"); /* nothing: it is the transform's */
        return ndft_nufft_planar_forward(plan, pass, in);
    }
    NDFT_TRY(ndft_nufft_pad(exec, &plan->image, &plan->rank, &plan->grid, pass, in));
    ndft_mark(exec, "deapodisation");
    return ndft_grid_fft_run(plan->fft, -1, plan->grid.cells);
}

ndft_status forward(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in,
                    void *out)
{
    ndft_exec *exec = plan->arrays.exec;
    NDFT_TRY(transform(plan, pass, in));
    ndft_mark(exec, "fft");
    NDFT_TRY(plan->interpolation->interpolate(plan->reader ? plan->reader : plan, pass, out));
    ndft_mark(exec, "convolution");
    return NDFT_OK;
}

/* With transforms inside blocks, which deapodise, too. */
ndft_status adjoint_inside(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in,
                           void *out)
{
    ndft_exec *exec = plan->arrays.exec;
    ndft_nufft_plan to = *plan;
    NDFT_TRY(ndft_nufft_planar_sums(plan, &to.grid.cells));
    NDFT_TRY(plan->stage->spread(&to, pass, in));
    ndft_mark(exec, "convolution");
    NDFT_TRY(ndft_nufft_planar_adjoint(plan, pass, out));
    ndft_mark(exec, "fft");
    ndft_mark(exec, "deapodisation"); /* nothing */
    return NDFT_OK;
}

ndft_status adjoint(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in,
                    void *out)
{
    ndft_exec *exec = plan->arrays.exec;
    if (plan->planar) return adjoint_inside(plan, pass, in, out);
    if (!plan->stage->overwrites) {
        const size_t bytes = plan->shape.column_bytes * (size_t)plan->shape.chunk;
        NDFT_TRY(ndft_checked(exec, cudaMemsetAsync(plan->grid.cells, 0, bytes, ndft_stream(exec)),
                              "zeroing the grid"));
    }
    NDFT_TRY(plan->stage->spread(plan, pass, in));
    ndft_mark(exec, "convolution");
    NDFT_TRY(plan->stage->restore ? plan->stage->restore(plan, pass, out)
                                  : ndft_grid_fft_run(plan->fft, +1, plan->grid.cells));
    ndft_mark(exec, "fft");
    if (plan->stage->restore) return NDFT_OK;
    NDFT_TRY(ndft_nufft_crop(exec, &plan->image, &plan->rank, &plan->grid, pass, out));
    ndft_mark(exec, "deapodisation");
    return NDFT_OK;
}

} // namespace

const char *const ndft_nufft_planar_stages[] = {"deapodisation", "fft", "convolution", nullptr};

/* Without one for padding where the transform does it. */
const char *const *ndft_nufft_stages(const ndft_nufft_stage *stage)
{
    return ndft_nufft_planar_stages + (stage->transform ? 1 : 0);
}

ndft_status ndft_nufft_plan_cuda(const ndft_nufft_stage *stage,
                                 const ndft_nufft_stage *interpolation, const ndft_problem *p,
                                 const int *knobs, unsigned ops, ndft_exec *exec, void **out)
{
    ndft_nufft_plan *plan = (ndft_nufft_plan *)calloc(1, sizeof *plan);
    if (!plan) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a plan");
    plan->arrays.exec = exec;
    plan->prec = p->prec;
    plan->stage = stage;
    plan->interpolation = interpolation;
    plan->ops = ops;
    const ndft_status status = prepare(plan, p, knobs);
    if (status != NDFT_OK) {
        ndft_nufft_destroy_cuda(plan);
        return status;
    }
    *out = plan;
    return NDFT_OK;
}

ndft_status ndft_nufft_execute_cuda(void *state, ndft_op op, const void *in, void *out)
{
    const ndft_nufft_plan *plan = (const ndft_nufft_plan *)state;
    for (int column = 0; column < plan->shape.columns;) {
        const ndft_nufft_pass pass = pass_at(plan, column);
        NDFT_TRY(op == NDFT_FORWARD ? forward(plan, &pass, in, out)
                                    : adjoint(plan, &pass, in, out));
        column += pass.terms * pass.coils;
    }
    return NDFT_OK;
}

ndft_status ndft_nufft_take_maps_cuda(void *state, const void *maps)
{
    ndft_nufft_plan *plan = (ndft_nufft_plan *)state;
    NDFT_TRY(ndft_nufft_image_through(&plan->arrays, plan->problem->coils, maps, &plan->image));
    return plan->planar ? ndft_nufft_planar_allow_any(plan, plan->planar) : NDFT_OK;
}

void ndft_nufft_chosen_cuda(const void *state, char *text, size_t size)
{
    const auto *plan = (const ndft_nufft_plan *)state;
    const ndft_nufft_shape *shape = &plan->shape;
    text[0] = 0;
    ndft_chosen_one(text, size, "width", shape->window.width);
    ndft_chosen_add(text, size, "grid", shape->grid, shape->dim);
    ndft_chosen_one(text, size, "terms", plan->rank.terms);
    ndft_chosen_one(text, size, "nodes", plan->rank.nodes);
    ndft_chosen_one(text, size, "columns_of_pass", shape->chunk);
    if (plan->planar) ndft_chosen_word(text, size, "fft", "own");
    int64_t tile[3];
    for (int d = 0; d < shape->dim; d++) tile[d] = plan->samples.tile[d];
    ndft_chosen_add(text, size, "tile", tile, shape->dim);
    if (plan->stage->chosen) plan->stage->chosen(plan, text, size);
}

void ndft_nufft_destroy_cuda(void *state)
{
    ndft_nufft_plan *plan = (ndft_nufft_plan *)state;
    if (plan->reader) {
        free(plan->reader->own);
        ndft_destroy_plan(plan->reader);
    }
    ndft_grid_fft_destroy(plan->fft);
    ndft_nufft_planar_destroy(plan->planar);
    free(plan->own);
    ndft_destroy_plan(plan);
}
