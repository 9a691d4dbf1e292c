#include "methods/method.h"
#include "methods/offers.h"

/* 2026-07-28 server/resources, "Resource Templates". */
static void run(struct exchange *x)
{
    offers_list(x, OFFER_TEMPLATE, "resourceTemplates");
}

const struct method method_resources_templates_list = {.legacy = true, .modern = true, .run = run};
