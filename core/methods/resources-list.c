#include "methods/method.h"
#include "methods/offers.h"

/* 2026-07-28 server/resources, "Listing Resources". */
static void run(struct exchange *x)
{
    offers_list(x, OFFER_RESOURCE, "resources");
}

const struct method method_resources_list = {.legacy = true, .modern = true, .run = run};
