/* SPDX-License-Identifier: Apache-2.0 */
#include "group/address.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Where ranks find each other. */

static ndft_address found(const char *text, bool inward)
{
    ndft_address a;
    bool its_own;
    assert_int_equal(ndft_address_find(text, &a, &its_own), NDFT_OK);
    assert_false(its_own); /* numbers, and what every host calls itself, are meant */
    assert_int_equal(ndft_address_is_inward(&a), inward);
    return a;
}

static void ports_are_kept(void **state)
{
    (void)state;
    const ndft_address a = found("10.9.8.7:29501", false), b = found("[::1]:29502", true);
    assert_int_equal(ntohs(ndft_address_port(&a)), 29501);
    assert_int_equal(ntohs(ndft_address_port(&b)), 29502);
    found("localhost:1", true);
    found("127.0.1.1:1", true);
    found("[fe80::1]:1", false);
}

static void expect_from(const char *listens, const char *first, const char *right)
{
    ndft_address a, b, c;
    bool its_own;
    assert_int_equal(ndft_address_find(listens, &a, &its_own), NDFT_OK);
    assert_int_equal(ndft_address_find(first, &b, &its_own), NDFT_OK);
    assert_int_equal(ndft_address_find(right, &c, &its_own), NDFT_OK);
    b = ndft_address_from(&a, &b);
    assert_int_equal(ndft_address_length(&b), ndft_address_length(&c));
    assert_memory_equal(&b, &c, ndft_address_length(&b));
}

static void inward_ones_of_another_host_are_on_that_of_the_first(void **state)
{
    (void)state;
    expect_from("127.0.0.1:5", "10.9.8.7:29501", "10.9.8.7:5");
    expect_from("127.0.0.1:5", "127.0.1.1:29501", "127.0.0.1:5"); /* the same host */
    expect_from("10.0.0.2:5", "10.9.8.7:29501", "10.0.0.2:5");
    expect_from("10.0.0.2:5", "127.0.1.1:29501", "10.0.0.2:5");
    expect_from("127.0.0.1:5", "[fe80::1]:29501", "[fe80::1]:5");
}

static void all_of_a_host(void **state)
{
    (void)state;
    ndft_address a = found("127.0.0.1:5", true), b = found("[::1]:5", true);
    ndft_address_widen(&a);
    ndft_address_widen(&b);
    assert_int_equal(((const struct sockaddr_in *)&a)->sin_addr.s_addr, htonl(INADDR_ANY));
    assert_true(IN6_IS_ADDR_UNSPECIFIED(&((const struct sockaddr_in6 *)&b)->sin6_addr));
    assert_int_equal(ntohs(ndft_address_port(&b)), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ports_are_kept),
        cmocka_unit_test(inward_ones_of_another_host_are_on_that_of_the_first),
        cmocka_unit_test(all_of_a_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
