#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

int error_set(struct error *e, const char *format, ...)
{
    if (!e) return -1;
    va_list args;
    va_start(args, format);
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    return -1;
}
