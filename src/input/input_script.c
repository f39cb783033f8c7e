#include "input/input_script.h"

#include "base/base_math.h"
#include "base/base_text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define WORD_MAX   40 // bytes of a word
#define BYTES_MAX  (4u << 20)
#define TIME_RANGE "a time in s from 0 to 86400, not before the line above"

// Reads words of a line and remembers where each began.
typedef struct Reader {
    const char* name;
    const char *at, *end;
    int line;
    const char* line_start;
    int column; // of `word`, from 1
    char word[WORD_MAX];
    bool cut; // the word is longer
    BaseYamlError* error;
} Reader;

static bool fail(Reader* r, const char* format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(Reader* r, const char* format, ...)
{
    va_list args;
    r->error->line = r->line;
    r->error->column = r->column;
    int used =
        snprintf(r->error->text, sizeof r->error->text, "%s:%d:%d: ", r->name, r->line, r->column);
    if (used < 0 || used >= (int)sizeof r->error->text)
        return false;
    va_start(args, format);
    vsnprintf(r->error->text + used, sizeof r->error->text - (size_t)used, format, args);
    va_end(args);
    return false;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool line_ended(const Reader* r)
{
    return r->at == r->end || *r->at == '\n' || *r->at == '#';
}

// The next word of this line into r->word; false, with an empty word, at the line's end.
static bool next_word(Reader* r)
{
    while (r->at < r->end && is_space(*r->at))
        ++r->at;
    r->column = (int)(r->at - r->line_start) + 1;
    size_t length = 0;
    r->cut = false;
    for (; !line_ended(r) && !is_space(*r->at); ++r->at) {
        // what is not plain text is shown as ?
        char c = *r->at > ' ' && *r->at < 127 ? *r->at : '?';
        r->cut = r->cut || length == WORD_MAX - 1;
        if (length < WORD_MAX - 1)
            r->word[length++] = c;
    }
    r->word[length] = '\0';
    return length > 0;
}

static void next_line(Reader* r)
{
    while (r->at < r->end && *r->at != '\n')
        ++r->at;
    r->at += r->at < r->end;
    r->line_start = r->at;
    ++r->line;
}

static bool read_number(Reader* r, const char* what, double low, double high, double* out)
{
    if (!next_word(r))
        return fail(r, "%s: missing; allowed is a number from %g to %g", what, low, high);
    if (r->cut || !base_text_double(r->word, out))
        return fail(r, "%s: %s is not a number; allowed is one from %g to %g", what, r->word, low,
                    high);
    if (*out < low || *out > high)
        return fail(r, "%s: %s is too %s; allowed is a number from %g to %g", what, r->word,
                    *out < low ? "small" : "large", low, high);
    return true;
}

static bool fail_word(Reader* r, const char* what, const char* const* words)
{
    char allowed[300];
    size_t used = 0;
    allowed[0] = '\0';
    for (int i = 0; words[i] && used < sizeof allowed; ++i)
        used += (size_t)snprintf(allowed + used, sizeof allowed - used, "%s%s", i ? ", " : "",
                                 words[i]);
    if (!r->word[0])
        return fail(r, "%s: missing; allowed is one of %s", what, allowed);
    const char* near = base_text_nearest(r->word, words);
    return fail(r, "%s: %s is unknown; %s%s%sallowed is one of %s", what, r->word,
                near ? "did you mean " : "", near ? near : "", near ? "? " : "", allowed);
}

static bool read_choice(Reader* r, const char* what, const char* const* words, int* out)
{
    next_word(r);
    *out = input_find_word(words, r->word);
    return *out >= 0 || fail_word(r, what, words);
}

static int to_frames(double seconds)
{
    return (int)(seconds * INPUT_RATE + 0.5);
}

// "T" or "+T" after the line before.
static bool read_time(Reader* r, double* time)
{
    double value, start = r->word[0] == '+' ? *time : 0.0;
    const char* text = r->word + (r->word[0] == '+');
    if (r->cut || !base_text_double(text, &value) || value < 0.0 ||
        start + value > INPUT_SCRIPT_SECONDS)
        return fail(r, "time: %s is no time; allowed is " TIME_RANGE, r->word);
    if (start + value < *time)
        return fail(r, "time: %s lies before the line above; allowed is " TIME_RANGE, r->word);
    *time = start + value;
    return true;
}

// An optional "over S" behind the value of an axis.
static bool read_over(Reader* r, int* frames)
{
    Reader before = *r;
    double seconds;
    *frames = 0;
    if (!next_word(r) || strcmp(r->word, "over") != 0) {
        *r = before;
        return true;
    }
    if (!read_number(r, "over", 0.0, 3600.0, &seconds))
        return false;
    *frames = to_frames(seconds);
    return true;
}

static const char* const onoff[] = {"off", "on", NULL};
static const char* const verbs[] = {"press", "response", "dial", "neutral", "end", NULL};

// All words that may follow a time, for the message.
static bool fail_verb(Reader* r)
{
    const char* words[INPUT_AXIS_COUNT + INPUT_SWITCH_COUNT + 6];
    int count = 0;
    for (int i = 0; input_axis_words[i]; ++i)
        words[count++] = input_axis_words[i];
    for (int i = 0; input_switch_words[i]; ++i)
        words[count++] = input_switch_words[i];
    for (int i = 0; verbs[i]; ++i)
        words[count++] = verbs[i];
    words[count] = NULL;
    return fail_word(r, "what", words);
}

static bool read_axis(Reader* r, InputScriptEvent* e)
{
    char what[WORD_MAX];
    double value;
    bool pedal = e->index >= INPUT_STICK_AXES &&
                 input_is_pedal((InputFunction)(e->index - INPUT_STICK_AXES));
    memcpy(what, r->word, sizeof what);
    if (!read_number(r, what, pedal ? 0.0 : -1.0, 1.0, &value))
        return false;
    e->value = (float)value;
    return read_over(r, &e->over);
}

static bool read_verb(Reader* r, InputScriptEvent* e)
{
    double value = 0.0;
    int choice = 0;
    bool fine = true;
    switch (input_find_word(verbs, r->word)) {
    case 0:
        e->does = INPUT_SCRIPT_PRESS;
        fine = read_choice(r, "press", input_button_words, &e->index);
        break;
    case 1:
        e->does = INPUT_SCRIPT_RESPONSE;
        fine = read_choice(r, "response", input_response_words, &choice);
        value = choice;
        break;
    case 2:
        e->does = INPUT_SCRIPT_DIAL;
        fine = read_number(r, "dial", 0.0, 10.0, &value);
        value = (int)value;
        break;
    case 3: e->does = INPUT_SCRIPT_NEUTRAL; break;
    case 4: e->does = INPUT_SCRIPT_END; break;
    default: return fail_verb(r);
    }
    e->value = (float)value;
    return fine;
}

// What the word in r->word, and those behind it, ask for.
static bool read_event(Reader* r, InputScriptEvent* e)
{
    e->index = input_find_word(input_axis_words, r->word);
    if (e->index >= 0 && !r->cut) {
        e->does = INPUT_SCRIPT_AXIS;
        return read_axis(r, e);
    }
    e->index = input_find_word(input_switch_words, r->word);
    if (e->index >= 0) {
        int on = 0;
        e->does = INPUT_SCRIPT_SWITCH;
        bool fine = read_choice(r, input_switch_words[e->index], onoff, &on);
        e->value = (float)on;
        return fine;
    }
    e->index = 0;
    return read_verb(r, e);
}

static bool read_line(Reader* r, InputScript* out, double* time)
{
    if (strcmp(r->word, "pattern") == 0) {
        int pattern = 0;
        if (out->count > 0)
            return fail(r, "pattern: comes too late; it must stand before the first time");
        if (!read_choice(r, "pattern", input_pattern_words, &pattern))
            return false;
        out->pattern = (InputPattern)pattern;
        return !next_word(r) || fail(r, "pattern: %s is too much in this line", r->word);
    }
    if (out->count > 0 && out->event[out->count - 1].does == INPUT_SCRIPT_END)
        return fail(r, "%s: stands behind the end; remove it or the end", r->word);
    if (!read_time(r, time))
        return false;
    if (!next_word(r))
        return fail_verb(r);
    do {
        InputScriptEvent e = {.frame = to_frames(*time)};
        if (!read_event(r, &e))
            return false;
        if (out->count == INPUT_SCRIPT_EVENTS_MAX)
            return fail(r, "the script is too long; allowed are %d events",
                        INPUT_SCRIPT_EVENTS_MAX);
        out->event[out->count++] = e;
        out->frames =
            e.does == INPUT_SCRIPT_END ? e.frame : base_maxi(out->frames, e.frame + e.over);
    } while (next_word(r));
    return true;
}

bool input_script_read(const char* name, const char* text, size_t length, BaseArena* arena,
                       InputScript* out, BaseYamlError* error)
{
    Reader r = {.name = name,
                .at = text,
                .end = text + length,
                .line = 1,
                .line_start = text,
                .error = error};
    size_t before = arena->used;
    InputScript script = {
        .event = base_arena_try_alloc(arena, INPUT_SCRIPT_EVENTS_MAX * sizeof(InputScriptEvent))};
    double time = 0.0;
    bool fine = script.event != NULL;
    if (!fine)
        snprintf(error->text, sizeof error->text, "%s: out of memory", name);
    for (; fine && r.at < r.end; next_line(&r))
        fine = !next_word(&r) || read_line(&r, &script, &time);
    if (!fine) {
        base_arena_rewind(arena, before);
        return false;
    }
    // what the events did not need goes back
    size_t need = (size_t)((unsigned char*)(script.event + script.count) - arena->base);
    base_arena_rewind(arena, (need + BASE_ARENA_ALIGN - 1) / BASE_ARENA_ALIGN * BASE_ARENA_ALIGN);
    *out = script;
    return true;
}

bool input_script_load(const char* path, BaseArena* arena, InputScript* out, BaseYamlError* error)
{
    BaseArena whole;
    *error = (BaseYamlError){0};
    FILE* file = fopen(path, "rb");
    if (!file || !base_arena_init(&whole, BYTES_MAX + 1)) {
        snprintf(error->text, sizeof error->text, "%s: cannot be opened: %s", path,
                 strerror(errno));
        if (file)
            fclose(file);
        return false;
    }
    char* text = base_arena_alloc(&whole, BYTES_MAX + 1);
    size_t length = fread(text, 1, BYTES_MAX + 1, file);
    bool fine = !ferror(file) && length <= BYTES_MAX;
    fclose(file);
    if (!fine)
        snprintf(error->text, sizeof error->text,
                 "%s: cannot be read; a script is a file of at most 4 MiB", path);
    fine = fine && input_script_read(path, text, length, arena, out, error);
    base_arena_free(&whole);
    return fine;
}

// --- playing -------------------------------------------------------------------------------------

InputScriptCursor input_script_start(const InputScript* script)
{
    InputScriptCursor cursor = {0};
    cursor.last.pattern = (uint8_t)script->pattern;
    return cursor;
}

bool input_script_done(const InputScript* script, const InputScriptCursor* cursor)
{
    return cursor->next >= script->count && cursor->frame > script->frames;
}

static float axis_now(const InputScriptCursor* c, int i)
{
    int since = c->frame - c->axis[i].begin;
    if (since >= c->axis[i].over)
        return c->axis[i].to;
    return c->axis[i].from +
           (c->axis[i].to - c->axis[i].from) * (float)since / (float)c->axis[i].over;
}

static void move_axis(InputScriptCursor* c, int i, float to, int over)
{
    c->axis[i].from = axis_now(c, i);
    c->axis[i].to = to;
    c->axis[i].begin = c->frame;
    c->axis[i].over = over;
}

static void begin(InputScriptCursor* c, const InputScriptEvent* e)
{
    switch ((InputScriptDoes)e->does) {
    case INPUT_SCRIPT_AXIS: move_axis(c, e->index, e->value, e->over); break;
    case INPUT_SCRIPT_SWITCH:
        c->last.switches &= (uint16_t) ~(1u << e->index);
        c->last.switches |= (uint16_t)(e->value > 0.0f ? 1u << e->index : 0u);
        break;
    case INPUT_SCRIPT_PRESS: c->last.buttons |= (uint8_t)(1u << e->index); break;
    case INPUT_SCRIPT_RESPONSE: c->last.response = (uint8_t)e->value; break;
    case INPUT_SCRIPT_DIAL: c->last.dial = (uint8_t)e->value; break;
    case INPUT_SCRIPT_END:
    case INPUT_SCRIPT_NEUTRAL:
        for (int i = 0; i < INPUT_AXIS_COUNT; ++i)
            move_axis(c, i, 0.0f, 0);
        break;
    }
}

InputFrame input_script_step(const InputScript* script, InputScriptCursor* cursor)
{
    float axis[INPUT_AXIS_COUNT], function[INPUT_FUNCTION_COUNT];
    cursor->last.buttons = 0;
    while (cursor->next < script->count && script->event[cursor->next].frame <= cursor->frame)
        begin(cursor, &script->event[cursor->next++]);
    for (int i = 0; i < INPUT_AXIS_COUNT; ++i)
        axis[i] = cursor->frame > script->frames ? 0.0f : axis_now(cursor, i);
    input_pattern_apply(script->pattern, axis, function);
    for (int i = 0; i < INPUT_FUNCTION_COUNT; ++i)
        cursor->last.lever[i] = input_quantise(function[i], NULL);
    ++cursor->frame;
    return cursor->last;
}
