// base_assert - stops at our own mistakes.
//
// Does:     print file:line: condition on stderr and abort, in every build.
// Does not: judge files or users; their faults are answered with a message, not an abort.
#ifndef BASE_ASSERT_H
#define BASE_ASSERT_H

#define BASE_ASSERT(condition) \
    ((condition) ? (void)0 : base_assert_fail(__FILE__, __LINE__, #condition))

// For inner loops: checked in debug and sanitizer builds, still compiled in all others.
#ifdef MATTOCK_DEBUG
#define BASE_DEBUG_ASSERT(condition) BASE_ASSERT(condition)
#else
#define BASE_DEBUG_ASSERT(condition) ((void)sizeof(!(condition)))
#endif

_Noreturn void base_assert_fail(const char* file, int line, const char* condition);

#endif
