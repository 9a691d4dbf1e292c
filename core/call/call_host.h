/* What a running handler reaches of its call: the struct run_host that script/run.h asks for. */
#ifndef LUNASK_CALL_CALL_HOST_H
#define LUNASK_CALL_CALL_HOST_H

#include "script/run.h"

/* Its `call` argument is a struct call. */
extern const struct run_host CALL_HOST;

#endif
