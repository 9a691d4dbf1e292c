#include "call/tasks.h"
#include "methods/method.h"

const struct method method_tasks_cancel = {.modern = true, .run = tasks_cancel};
