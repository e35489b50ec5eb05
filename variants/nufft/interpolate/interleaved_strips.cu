/* SPDX-License-Identifier: Apache-2.0 */
#include "interleaved_strips.cuh"
#include "strip_order.cuh"

namespace
{

template <int W>
ndft_status run(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                const ndft_nufft_lanes &lanes, void *out)
{
    const ndft_nufft_boxes &boxes = ((const ndft_nufft_interleaved *)plan->own)->boxes;
    strip_reader<W> r = {ndft_nufft_view_of<float, W>(plan, pass), boxes.part,
                         (const strip_sample *)boxes.strip, lanes};
    r.view.samples = boxes.samples; /* for its tiles */
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
