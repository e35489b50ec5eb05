/* SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"

#include <stdio.h>
#include <string.h>

/* Uniform transforms: domains x placements x precisions x shapes, and strides that are not the
 * default. Every element is compared, what lies between them must stay as it was, and of the input
 * it is NaN. Variants that serve all of it, and so say unsupported of nothing, are those named
 * here. */

static const char *const domains[] = {"cf", "cb", "rf", "rb"};
static const char *const shapes[] = {"1*3",     "5",         "7.1*2",   "64",      "8.31*3",
                                     "2.6x7*3", "3.4x5x3*2", "9x8x7*2", "2.30x29", "11*2",
                                     "12*3",    "2*5",       "2.7*2"};
/* Padded, permuted and spread, out of place and in. */
static const char *const strided[] = {"scfo16*32i1,1,20",
                                      "scfo16*32i1,1,20o1,2,32",
                                      "scfi16*32i1,1,20o1,1,20",
                                      "scfo12x15i1,15,1,225",
                                      "dcbo2.6x7i1,14,2,99o1,3,20,140",
                                      "srfo11*5i1,3,40o1,2,20",
                                      "srfi3.8*4i1,3,40o1,3,20",
                                      "srbo9*3i1,2,11o1,1,9",
                                      "drbi8x6*2i1,1,7,50o1,1,14,100",
                                      "srfo5x4*3i1,1,7,29",
                                      "scfo2.5*3i1,6,2",
                                      "scfo37*70i1,1,40",
                                      "scbo101*70i1,1,101o1,2,204",
                                      "scfi3.68*35i1,3,206o1,3,206"};

/* Batches that are shared out among threads and blocks, with something left. */
static const char *const batches[] = {
    "scfo4.2*4099", "srfo3*20003",  "drbi2.4*5003", "dcbi16411.2*2", "srbo9001.3*2",
    "scfo7*4099",   "scbi131.31",   "scfo33*17001", "scbo3.34*5701", "scfi127*77",
    "scbo67x95*3",  "srfo33*34001", "srbo47*77",    "srfi3.34*1001", "srbo66.35"};

/* Lengths P with P - 1 = A B, A and B coprime, or 2 A R S of small odd factors, and A B themselves,
 * for a variant that serves such alone. */
static const char *const rader[] = {
    "scfo1009*9",    "scbo3.1783",          "scfi3163*3",
    "scbi307x661",   "scfo2.2179*3",        "scbo2081*2",
    "scfo7687",      "scfo2003*3i1,2,4010", "scfo1303*4 load=zero_pad:700",
    "scfi491x911*2", "scbo3719*2",          "scfo2.1471*5o1,2,2950",
    "scfo1927*9",    "scbi3901*3",          "scbo3.2747*2",
    "scfo7519*2",    "scbo11663",           "scfo527*40o1,2,1060",
};

/* Complex lines of other primes as convolutions, in Rader's order and by a chirp. */
static const char *const convolved[] = {
    "scbo211*1253",
    "scfi641*129i1,1,650o1,1,650",
    "scbo907*36",
    "dcfo293*15",
    "dcfo19*8815",
    "scfo3.149*20",
    "scfo38x19*3",
    "scfi211x17*9",
    "dcbi2.46*7i1,2,99o1,2,99",
    "scfo8191*3",
    "dcfo4096x17",
    "scfo38*9 load=zero_pad:20 store=crop:30",
};

/* Products of primes up to 13 of one to five passes, many lines and few, half spectra that begin
 * anywhere in sectors, lines of two kernels, for a variant that serves such alone. */
static const char *const smooth[] = {
    "scfo15*1001",        "scbo343*77",
    "scfi2187*3",         "scbi625*35",
    "dcfo3125*2",         "dcbi4050*3",
    "scfo4096*3",         "scbo2.2401",
    "dcfo4.1024*2",       "scfo5.1000*2",
    "scbi360x48",         "scfo2016*301",
    "scbo16.30x21*2",     "scfo18.4096",
    "scfo100*40i1,2,208", "dcbo64*20i1,20,1o1,1,64",
    "scfi252x15x14*2",    "scfo720*9 load=zero_pad:700",
    "srfo1000*7",         "srfo150*2003",
    "srfi96*333",         "srfo105*401",
    "srbo105*401",        "srbo1176*5",
    "srbi945*3",          "srfo600*9 store=crop:200",
    "srfo42x21*3",        "srbo500*7 store=crop:300",
    "scfo20*701i1,1,27",  "scbo49*401o1,1,56",
    "scfo3.162*77",       "scbi7.24*501",
    "scfo9*40001",        "scfo343*12301",
    "srfo40*701o1,1,25",  "scbo30*400o1,1,37",
    "scbo12000*3",        "srfo16384*2",
    "srbo5145*3",         "dcfi8192*2",
    "scfo20000*2",        "scbi3.17500*2",
    "dcfo10000",          "scfo19683*2i1,2,40000o1,1,19700",
    "scfo1430*50",        "dcbo1859*3",
    "srfo286*701",        "srbo143*401",
    "scfi66*1001",        "scbo26x33*9",
    "srfo22*1001o1,1,17", "scfo11*4001i1,3,40",
};

/* Load and store functions, which variants that have none say unsupported of. */
static const char *const called[] = {
    "scfo3.31*5 load=zero_pad:17",
    "dcbi3.12x5*2 store=crop:7x5",
    "scfo16*32i1,1,20o1,2,32 load=zero_pad:9 store=crop:5",
    "scfi12x15*2 load=zero_pad:5x15 store=deapodise:6",
    "srfo2.9x6*3 load=zero_pad:5x4 store=crop:5x3",
    "srfi8x6*2i1,1,14,100o1,1,7,50 store=deapodise:4",
    "drbo4.8x6x5 load=zero_pad:3x6x5 store=crop:8x3x2",
    "srbi9*3 store=crop:2",
};

static void check(variant_suite *s, const ndft_candidate *candidate, const char *descriptor)
{
    char text[160];
    snprintf(text, sizeof text, "uniform:%s tol=%s", descriptor,
             descriptor[0] == 'd' ? "1e-11" : "1e-3");
    suite_check(s, candidate, text);
}

void test_uniform(variant_suite *s, const ndft_registered *entry)
{
    ndft_candidate candidate = ndft_candidate_of(entry);
    for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++) {
        for (int c = 0; c < 16; c++) {
            char descriptor[96];
            snprintf(descriptor, sizeof descriptor, "%c%s%c%s", c / 8 ? 'd' : 's', domains[c % 4],
                     c / 4 % 2 ? 'i' : 'o', shapes[shape]);
            check(s, &candidate, descriptor);
        }
    }
    for (size_t i = 0; i < sizeof strided / sizeof *strided; i++) check(s, &candidate, strided[i]);
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) check(s, &candidate, batches[i]);
    for (size_t i = 0; i < sizeof called / sizeof *called; i++) check(s, &candidate, called[i]);
    if (strcmp(entry->name, "stockham") == 0) {
        for (size_t i = 0; i < sizeof smooth / sizeof *smooth; i++) check(s, &candidate, smooth[i]);
        for (size_t i = 0; i < sizeof convolved / sizeof *convolved; i++)
            check(s, &candidate, convolved[i]);
    }
    if (strcmp(entry->name, "rader") == 0)
        for (size_t i = 0; i < sizeof rader / sizeof *rader; i++) check(s, &candidate, rader[i]);
}

void test_uniform_knobs(variant_suite *s, const ndft_registered *entry)
{
    for (int k = 0; k < entry->variant->n_knobs; k++) {
        const ndft_knob *knob = &entry->variant->knobs[k];
        for (int i = 0; i < knob->n_candidates; i++) {
            ndft_candidate candidate = ndft_candidate_of(entry);
            if (knob->candidates[i] == knob->preset) continue;
            candidate.knobs[k] = knob->candidates[i];
            check(s, &candidate, "scfo4.97*3");
            check(s, &candidate, "scfo2.13*5");
            check(s, &candidate, "drbi30x29");
        }
    }
}
