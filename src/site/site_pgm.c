#include "site/site_pgm.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define HEAD_MAX 4096 // bytes, comments included
#define SIDE_MAX 65535

// The reader of the head stands on byte c, which is at line:column.
typedef struct Head {
    SitePgm* pgm;
    int c; // EOF at the end
    int line, column;
} Head;

static void advance(Head* head)
{
    bool ended = head->c == '\n';
    head->line += ended;
    head->column = ended ? 1 : head->column + 1;
    head->c = head->pgm->head < HEAD_MAX ? getc(head->pgm->file) : EOF;
    head->pgm->head += head->c != EOF;
}

static bool fail_head(const Head* head, BaseYamlError* error, const char* what)
{
    snprintf(error->text, sizeof error->text, "%.160s:%d:%d: %s", head->pgm->path, head->line,
             head->column, what);
    error->line = head->line;
    error->column = head->column;
    return false;
}

static bool is_space(int c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

// From white space to white space: comments, then a number.
static bool read_number(Head* head, const char* what, BaseYamlError* error, int* out)
{
    char text[96];
    while (is_space(head->c) || head->c == '#') {
        bool comment = head->c == '#';
        while (comment && head->c != '\n' && head->c != EOF) {
            advance(head);
        }
        advance(head);
    }
    Head at = *head;
    int value = 0, digits = 0;
    for (; head->c >= '0' && head->c <= '9'; advance(head)) {
        value = value <= SIDE_MAX ? value * 10 + (head->c - '0') : value;
        ++digits;
    }
    if (digits > 0 && is_space(head->c) && value >= 1 && value <= SIDE_MAX) {
        *out = value;
        return true;
    }
    snprintf(text, sizeof text, "%s %s; allowed is a whole number from 1 to %d", what,
             digits > 0 && is_space(head->c) ? "is out of range" : "is missing", SIDE_MAX);
    return fail_head(&at, error, text);
}

static bool read_head(SitePgm* pgm, BaseYamlError* error)
{
    Head head = {.pgm = pgm, .line = 1, .column = 0};
    advance(&head);
    bool fine = head.c == 'P';
    advance(&head);
    fine = fine && head.c == '5';
    advance(&head);
    if (!fine || !is_space(head.c)) {
        head.line = head.column = 1;
        return fail_head(&head, error, "no binary PGM picture; it must begin with P5");
    }
    return read_number(&head, "the width", error, &pgm->width) &&
           read_number(&head, "the height", error, &pgm->height) &&
           read_number(&head, "the value of white", error, &pgm->white);
}

bool site_pgm_open(SitePgm* pgm, const char* path, BaseYamlError* error)
{
    struct stat status;
    *pgm = (SitePgm){.path = path};
    error->line = error->column = 0;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        snprintf(error->text, sizeof error->text, "%.160s: not a file", path);
        return false;
    }
    pgm->file = fopen(path, "rb");
    if (!pgm->file) {
        snprintf(error->text, sizeof error->text, "%.160s: cannot be opened: %s", path,
                 strerror(errno));
        return false;
    }
    if (read_head(pgm, error)) {
        return true;
    }
    site_pgm_close(pgm);
    return false;
}

void site_pgm_close(SitePgm* pgm)
{
    if (pgm->file) {
        fclose(pgm->file);
    }
    pgm->file = NULL;
}

// Widens bytes in place, from the end, or turns big endian pairs round.
static void decode(uint16_t* out, size_t count, int bytes)
{
    const unsigned char* raw = (const unsigned char*)out;
    if (bytes == 2) {
        for (size_t i = 0; i < count; ++i) {
            out[i] = (uint16_t)(raw[2 * i] << 8 | raw[2 * i + 1]);
        }
    } else {
        for (size_t i = count; i-- > 0;) {
            out[i] = raw[i];
        }
    }
}

bool site_pgm_read(SitePgm* pgm, uint16_t* out, BaseYamlError* error)
{
    size_t count = (size_t)pgm->width * (size_t)pgm->height;
    int bytes = pgm->white > 255 ? 2 : 1;
    size_t want = count * (size_t)bytes, have = fread(out, 1, want, pgm->file);
    error->line = error->column = 0;
    if (have < want) {
        snprintf(error->text, sizeof error->text,
                 "%.160s:byte %zu: ends too early; its head promises %d x %d values of %d bytes, "
                 "%zu bytes in all",
                 pgm->path, (size_t)pgm->head + have, pgm->width, pgm->height, bytes,
                 (size_t)pgm->head + want);
        return false;
    }
    if (getc(pgm->file) != EOF) {
        snprintf(error->text, sizeof error->text,
                 "%.160s:byte %zu: goes on behind the %d x %d values that its head promises",
                 pgm->path, (size_t)pgm->head + want, pgm->width, pgm->height);
        return false;
    }
    decode(out, count, bytes);
    for (size_t i = 0; i < count; ++i) {
        if (out[i] > pgm->white) {
            snprintf(error->text, sizeof error->text,
                     "%.160s:byte %zu: value %d is larger than the %d of white", pgm->path,
                     (size_t)pgm->head + i * (size_t)bytes, out[i], pgm->white);
            return false;
        }
    }
    return true;
}
