/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RETAINED_H
#define NDFT_RETAINED_H

#include "exec.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * What is costly to make and may soon be wanted again: while exec keeps memory it keeps these, too
 * (device/guard.h), whoever has them or not. A device has a stock besides, of what outlives the
 * plans that made it.
 */

/* The beginning of any. */
typedef struct ndft_retained {
    struct ndft_retained *next;
    int users;                            /* that have it now */
    void (*free)(struct ndft_retained *); /* of its kind, by which kinds are told apart */
} ndft_retained;

/* From now on exec frees it, which has its first user. */
static inline void ndft_retain(ndft_exec *exec, ndft_retained *kept, void (*kind)(ndft_retained *))
{
    *kept = (ndft_retained){exec->kept, 1, kind};
    exec->kept = kept;
}

/* Frees what is kept and nobody has, of one kind; NULL: of all. */
static inline void ndft_forget(ndft_exec *exec, void (*kind)(ndft_retained *))
{
    for (ndft_retained **at = &exec->kept; *at;) {
        ndft_retained *kept = *at;
        if (kept->users || (kind && kept->free != kind)) {
            at = &kept->next;
            continue;
        }
        *at = kept->next;
        kept->free(kept);
    }
}

/* A user less. */
static inline void ndft_let_go(ndft_exec *exec, ndft_retained *kept)
{
    kept->users--;
    if (!exec->keeps) ndft_forget(exec, kept->free);
}

enum { NDFT_STOCK_PLACES = 8 };

/* Threads of a device take from places and give to them by exchanging what is there. */
typedef struct ndft_stock {
    ndft_retained *place[NDFT_STOCK_PLACES]; /* NULL: free */
    unsigned turn;                           /* whose place is taken where none is free */
} ndft_stock;

/* Lays down what is no longer retained, of a kind, in place of what lay there for long; where there
 * is no stock it is freed. */
static inline void ndft_stock_put(ndft_stock *stock, ndft_retained *kept,
                                  void (*kind)(ndft_retained *))
{
    *kept = (ndft_retained){NULL, 0, kind};
    for (int i = 0; stock && i < NDFT_STOCK_PLACES; i++) {
        ndft_retained *there = NULL;
        if (__atomic_compare_exchange_n(&stock->place[i], &there, kept, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED))
            return;
    }
    if (stock) {
        const unsigned turn = __atomic_fetch_add(&stock->turn, 1, __ATOMIC_RELAXED);
        kept = __atomic_exchange_n(&stock->place[turn % NDFT_STOCK_PLACES], kept, __ATOMIC_ACQ_REL);
    }
    if (kept) kept->free(kept);
}

/* What lies in a place, which is free from then on; NULL: nothing. */
static inline ndft_retained *ndft_stock_take(ndft_stock *stock, int place)
{
    return __atomic_exchange_n(&stock->place[place], (ndft_retained *)NULL, __ATOMIC_ACQ_REL);
}

static inline void ndft_stock_clear(ndft_stock *stock)
{
    for (int i = 0; i < NDFT_STOCK_PLACES; i++) {
        ndft_retained *kept = ndft_stock_take(stock, i);
        if (kept) kept->free(kept);
    }
}

#endif
