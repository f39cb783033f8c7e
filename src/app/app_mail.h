// app_mail - the newest letter from one thread to another, without locks.
//
// Does:     hold three letters: one being written, one being read, one on its way. A letter that
//           was not fetched is replaced by the next: only the newest counts.
// Threads:  one writes, one reads; neither ever waits.
#ifndef APP_MAIL_H
#define APP_MAIL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct AppMail {
    unsigned char* letter; // [3][size]
    size_t size;
    unsigned back, front; // the writer's and the reader's
    _Atomic unsigned between;
} AppMail;

// All letters are zero in the beginning. False when out of memory.
bool app_mail_init(AppMail* mail, size_t size);
void app_mail_free(AppMail* mail);
void app_mail_send(AppMail* mail, const void* letter);
// The newest letter; the same one again when none has come since (then `fresh`, if given, is false).
const void* app_mail_read(AppMail* mail, bool* fresh);

#endif
