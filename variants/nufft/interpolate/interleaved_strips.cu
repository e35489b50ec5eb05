/* SPDX-License-Identifier: Apache-2.0 */
#include "interleaved_strips.cuh"
#include "strip_order.cuh"

namespace
{

/* Of the boxes that blocks read, of the grid where it is now. */
template <int W> ndft_status make_map(const ndft_nufft_plan *plan, int groups, ndft_tensor_map *map)
{
    using form = strip_form<W>;
    const ndft_nufft_grid &grid = plan->grid;
    const uint64_t line = (uint64_t)grid.n[0] * form::CELL;
    const uint64_t size[3] = {line / sizeof(float), (uint64_t)groups, (uint64_t)grid.n[1]};
    const uint64_t apart[2] = {grid.n[1] * line, line};
    const uint32_t box[3] = {form::PITCH * form::CELL / sizeof(float), NDFT_STRIP_GROUPS,
                             form::EDGE};
    return ndft_tensor_map_make(plan->arrays.exec, grid.cells, size, apart, box, map);
}

template <int W>
ndft_status run(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                const ndft_nufft_lanes &lanes, void *out)
{
    const ndft_nufft_boxes &boxes = ((const ndft_nufft_interleaved *)plan->own)->boxes;
    strip_reader<W> r = {ndft_nufft_view_of<float, W>(plan, pass), boxes.part,
                         (const strip_sample *)boxes.strip, lanes};
    r.view.samples = boxes.samples; /* for its tiles */
    if (plan->arrays.exec->device.code >= 90) NDFT_TRY(make_map<W>(plan, lanes.groups, &r.map));
    return ndft_launch_early(plan->arrays.exec,
                             dim3(boxes.parts, ndft_blocks(lanes.coil_groups, NDFT_STRIP_GROUPS)),
                             NDFT_STRIP_THREADS, sizeof(strip_room<W>),
                             plan->rank.place ? read_strips<true, W> : read_strips<false, W>, r,
                             (ndft_complex<float> *)out);
}

template <int W> ndft_status make(ndft_nufft_plan *plan, ndft_nufft_boxes *boxes)
{
    const size_t bytes = sizeof(strip_room<W>);
    ndft_arrays *arrays = &plan->arrays;
    strip_sample *sample = nullptr;
    NDFT_TRY(ndft_allow_shared(arrays->exec, (const void *)read_strips<true, W>, bytes));
    NDFT_TRY(ndft_allow_shared(arrays->exec, (const void *)read_strips<false, W>, bytes));
    NDFT_TRY(ndft_reserve(arrays, "samples of strips", boxes->samples.count, &sample));
    const strip_order<W> order = {boxes->samples, ndft_weights_of<float, W>(plan), boxes->part,
                                  sample};
    sort_strips<W><<<boxes->parts, NDFT_BOX_SAMPLES, 0, ndft_stream(arrays->exec)>>>(order);
    boxes->strip = sample;
    return ndft_launched(arrays->exec, "sorting strips");
}

/* f of the window's width as a constant; NDFT_OK where boxes do not serve it. */
template <class F> ndft_status by_width(const ndft_nufft_plan *plan, F f)
{
    return ndft_by_width<float>(&plan->shape.window, [&](auto width) {
        if constexpr (width.value <= NDFT_BOX_WIDTH)
            return f(width);
        else
            return NDFT_OK;
    });
}

} // namespace

ndft_status ndft_nufft_strips_make(ndft_nufft_plan *plan, ndft_nufft_boxes *boxes)
{
    return by_width(plan, [&](auto width) { return make<width.value>(plan, boxes); });
}

ndft_status ndft_nufft_strips_read(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                                   const ndft_nufft_lanes &lanes, void *out)
{
    return by_width(plan, [&](auto width) { return run<width.value>(plan, pass, lanes, out); });
}
