#include "call/tasks.h"
#include "methods/method.h"

const struct method method_tasks_get = {.modern = true, .run = tasks_get};
