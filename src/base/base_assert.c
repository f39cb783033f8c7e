#include "base/base_assert.h"

#include <stdio.h>
#include <stdlib.h>

void base_assert_fail(const char* file, int line, const char* condition)
{
    fprintf(stderr, "%s:%d: this must hold and does not: %s\n", file, line, condition);
    abort();
}
