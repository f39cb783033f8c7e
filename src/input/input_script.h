// input_script - levers written down in a text file, for runs without hands (docs/input.md).
//
// Does:     read lines such as "2.5 boom -0.6" and "+1 stick 1 over 0.5", tell file:line:column of
//           what is wrong, give the frame of any step.
// Does not: react to the machine; that is an operator's work.
// Threads:  a script is const after reading; the cursor is the caller's.
#ifndef INPUT_SCRIPT_H
#define INPUT_SCRIPT_H

#include "base/base_yaml.h"
#include "input/input_pattern.h"

#define INPUT_SCRIPT_EVENTS_MAX 65536
#define INPUT_SCRIPT_SECONDS    86400

typedef enum InputScriptDoes {
    INPUT_SCRIPT_AXIS,     // index InputAxis
    INPUT_SCRIPT_SWITCH,   // index = bit number, value 0 or 1
    INPUT_SCRIPT_PRESS,    // index = bit number of a button, for one frame
    INPUT_SCRIPT_RESPONSE, // value InputResponse
    INPUT_SCRIPT_DIAL,     // value 0..10
    INPUT_SCRIPT_NEUTRAL,  // all levers
    INPUT_SCRIPT_END,
} InputScriptDoes;

typedef struct InputScriptEvent {
    int frame; // when it begins
    int over;  // frames until an axis has its value
    int does;  // InputScriptDoes
    int index;
    float value;
} InputScriptEvent;

typedef struct InputScript {
    InputPattern pattern;
    InputScriptEvent* event; // [count] by frame
    int count;
    int frames; // until the last event is done
} InputScript;

// Where one has come to in a script.
typedef struct InputScriptCursor {
    int next; // event
    int frame;
    struct {
        float from, to;
        int begin, over; // frames
    } axis[INPUT_AXIS_COUNT];
    InputFrame last;
} InputScriptCursor;

// False, with file:line:column, when the file is bad. INPUT_SCRIPT_EVENTS_MAX events take 1.3 MiB.
bool input_script_load(const char* path, BaseArena* arena, InputScript* out, BaseYamlError* error);
bool input_script_read(const char* name, const char* text, size_t length, BaseArena* arena,
                       InputScript* out, BaseYamlError* error);

InputScriptCursor input_script_start(const InputScript* script);

// The frame of the next step. After the end everything is neutral; see input_script_done().
InputFrame input_script_step(const InputScript* script, InputScriptCursor* cursor);
bool input_script_done(const InputScript* script, const InputScriptCursor* cursor);

#endif
