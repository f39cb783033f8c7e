// What a test has the system's shell do; it fails with the command that failed.
#ifndef TEST_SHELL_H
#define TEST_SHELL_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unity.h>

static void shell(const char* format, ...) __attribute__((format(printf, 1, 2)));

static void shell(const char* format, ...)
{
    char command[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, system(command), command);
}

#endif
