#include "call/tasks.h"
#include "methods/method.h"

const struct method method_tasks_update = {.modern = true, .run = tasks_update};
