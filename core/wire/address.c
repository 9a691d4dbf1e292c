#include "wire/address.h"

#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The first `bits` bits of an address. */
struct prefix {
    uint8_t bits;
    uint8_t start[4];
};

static const struct prefix NOT_PUBLIC_4[] = {
    {8, {0}},             /* "this network" */
    {8, {10}},            /* private */
    {10, {100, 64}},      /* shared: carrier-grade NAT */
    {8, {127}},           /* loopback */
    {16, {169, 254}},     /* link-local, where clouds serve credentials */
    {12, {172, 16}},      /* private */
    {24, {192, 0, 0}},    /* IETF protocols */
    {24, {192, 0, 2}},    /* documentation */
    {24, {192, 88, 99}},  /* 6to4 relays */
    {16, {192, 168}},     /* private */
    {15, {198, 18}},      /* benchmarks */
    {24, {198, 51, 100}}, /* documentation */
    {24, {203, 0, 113}},  /* documentation */
    {4, {224}},           /* multicast */
    {4, {240}},           /* reserved, broadcast */
};

/* Of 2000::/3, outside of which nothing is public. */
static const struct prefix NOT_PUBLIC_6[] = {
    {23, {0x20, 0x01, 0x00}},       /* IETF protocols, Teredo among them */
    {32, {0x20, 0x01, 0x0d, 0xb8}}, /* documentation */
    {16, {0x20, 0x02}},             /* 6to4 */
    {20, {0x3f, 0xff}},             /* documentation */
};

static bool has_prefix(const uint8_t *address, const struct prefix *prefix)
{
    size_t whole = prefix->bits / 8, rest = prefix->bits % 8;
    if (memcmp(address, prefix->start, whole) != 0) return false;
    return rest == 0 || (address[whole] ^ prefix->start[whole]) >> (8 - rest) == 0;
}

static bool has_one(const uint8_t *address, const struct prefix *prefixes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (has_prefix(address, &prefixes[i])) return true;
    return false;
}

bool address_is_public(const struct sockaddr *address)
{
    static const struct prefix global_6 = {3, {0x20}};
    if (address->sa_family == AF_INET) {
        struct sockaddr_in v4;
        memcpy(&v4, address, sizeof v4);
        return !has_one((const uint8_t *)&v4.sin_addr, NOT_PUBLIC_4,
                        sizeof NOT_PUBLIC_4 / sizeof NOT_PUBLIC_4[0]);
    }
    if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 v6;
        memcpy(&v6, address, sizeof v6);
        return has_prefix(v6.sin6_addr.s6_addr, &global_6) &&
               !has_one(v6.sin6_addr.s6_addr, NOT_PUBLIC_6,
                        sizeof NOT_PUBLIC_6 / sizeof NOT_PUBLIC_6[0]);
    }
    return false;
}
