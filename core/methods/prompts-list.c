#include "methods/method.h"
#include "methods/offers.h"

/* 2026-07-28 server/prompts, "Listing Prompts". */
static void run(struct exchange *x)
{
    offers_list(x, OFFER_PROMPT, "prompts");
}

const struct method method_prompts_list = {.legacy = true, .modern = true, .run = run};
