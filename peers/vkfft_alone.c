/* SPDX-License-Identifier: Apache-2.0 */
#include "vkfft_alone.h"

#include "base/text.h"

static void add_numbers(ndft_text *l, const char *name, const int64_t *numbers, int n)
{
    ndft_text_add(l, "%s", name);
    for (int i = 0; i < n; i++) ndft_text_add(l, "%s%lld", i ? "," : "", (long long)numbers[i]);
}

static void add_request(ndft_text *l, const vkfft_request *r)
{
    const struct {
        const char *name;
        const int64_t *numbers;
        int n;
    } all[] = {
        {" dim=", &r->dim, 1},
        {" size=", r->size, VKFFT_AXES},
        {" batches=", &r->batches, 1},
        {" omit=", &r->omit, 1},
        {" f64=", &r->f64, 1},
        {" real=", &r->real, 1},
        {" inverse=", &r->inverse, 1},
        {" in_place=", &r->in_place, 1},
        {" stride=", r->stride, VKFFT_AXES},
        {" input_stride=", r->input_stride, VKFFT_AXES},
        {" bytes=", &r->bytes, 1},
        {" input_bytes=", &r->input_bytes, 1},
        {" coalescedMemory=", &r->coalescedMemory, 1},
        {" aimThreads=", &r->aimThreads, 1},
        {" useLUT=", &r->useLUT, 1},
        {" registerBoost=", &r->registerBoost, 1},
        {" performBandwidthBoost=", &r->performBandwidthBoost, 1},
        {" fixMaxRaderPrimeMult=", &r->fixMaxRaderPrimeMult, 1},
        {" fixMaxRaderPrimeFFT=", &r->fixMaxRaderPrimeFFT, 1},
        {" fixMaxRadixBluestein=", &r->fixMaxRadixBluestein, 1},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].numbers[0]) add_numbers(l, all[i].name, all[i].numbers, all[i].n);
}

void peer_vkfft_alone(const ndft_transform *t, const vkfft_request *r, char *text, size_t size)
{
    ndft_text l = ndft_text_in(text, size);
    add_numbers(&l, "--in ", t->in.stride, NDFT_MODES);
    add_numbers(&l, " --out ", t->out.stride, NDFT_MODES);
    add_request(&l, r);
}
