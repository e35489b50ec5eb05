/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LIBRARY_ADDRESS_H
#define NDFT_LIBRARY_ADDRESS_H

#include "base/status.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

/* Where a rank listens: an address of IPv4 or IPv6, and a port. */
typedef struct sockaddr_storage ndft_address;

socklen_t ndft_address_length(const ndft_address *);
in_port_t ndft_address_port(const ndft_address *); /* as it is in there */
void ndft_address_set_port(ndft_address *, in_port_t);

/*
 * Of "host:port", of IPv6 "[::1]:port". its_own: the host is a name, and what this host has for it
 * nobody else can reach, as 127.0.1.1: it is this host's own name, which others know otherwise.
 */
ndft_status ndft_address_find(const char *text, ndft_address *, bool *its_own);

/* Whether it reaches its own host alone. */
bool ndft_address_is_inward(const ndft_address *);
/* Where it is for who knows the first rank by that address: an inward one of another host is on
 * that of the first. */
ndft_address ndft_address_from(const ndft_address *, const ndft_address *first);
/* All addresses of this host, with the same port. */
void ndft_address_widen(ndft_address *);

#endif
