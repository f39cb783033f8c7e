#include "app/app_mail.h"

#include <stdlib.h>
#include <string.h>

#define MAIL_FRESH 4u // bit of `between`: not fetched yet

bool app_mail_init(AppMail* mail, size_t size)
{
    *mail = (AppMail){.letter = calloc(3, size), .size = size, .back = 0, .front = 1};
    atomic_store(&mail->between, 2u);
    return mail->letter != NULL;
}

void app_mail_free(AppMail* mail)
{
    free(mail->letter);
    mail->letter = NULL;
}

void app_mail_send(AppMail* mail, const void* letter)
{
    memcpy(mail->letter + mail->back * mail->size, letter, mail->size);
    mail->back =
        atomic_exchange_explicit(&mail->between, mail->back | MAIL_FRESH, memory_order_acq_rel) &
        3u;
}

const void* app_mail_read(AppMail* mail, bool* fresh)
{
    bool new = (atomic_load_explicit(&mail->between, memory_order_relaxed) & MAIL_FRESH) != 0;
    if (new)
        mail->front =
            atomic_exchange_explicit(&mail->between, mail->front, memory_order_acq_rel) & 3u;
    if (fresh)
        *fresh = new;
    return mail->letter + mail->front * mail->size;
}
