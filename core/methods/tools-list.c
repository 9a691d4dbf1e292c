#include "methods/method.h"
#include "methods/offers.h"

/* 2026-07-28 server/tools, "Listing Tools". */
static void run(struct exchange *x)
{
    offers_list(x, OFFER_TOOL, "tools");
}

const struct method method_tools_list = {.legacy = true, .modern = true, .run = run};
