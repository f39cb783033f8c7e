// input - what the operator asks of the machine in one step, as plain data.
//
// Does:     name the functions of all machines; hold one 60 Hz frame of levers and switches in whole
//           numbers, so that a recording is exact; refuse what no lever can do (NaN, 1e9) and count
//           it.
// Does not: know devices, windows or machines. Sticks become functions in input_pattern, raw values
//           become frames in input_hand, text becomes frames in input_script.
// Units:    levers -1..1 of their full way, stored as -INPUT_FULL..INPUT_FULL.
// Threads:  no shared state.
#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>
#include <stdint.h>

#define INPUT_FULL 32767 // a lever at its stop; -32768 is no value of a lever
#define INPUT_RATE 60    // frames in a second

// What a lever, pedal or wheel moves. The sign is the operator's, not the cylinder's.
typedef enum InputFunction {
    INPUT_SWING,       // + house to the right, seen from above
    INPUT_BOOM,        // + up
    INPUT_STICK,       // + in, towards the cab
    INPUT_BUCKET,      // + curl, - dump
    INPUT_TRACK_LEFT,  // + forward, as the undercarriage sees it
    INPUT_TRACK_RIGHT, // + forward
    INPUT_BLADE,       // + up
    INPUT_BLADE_TILT,  // + right end down
    INPUT_BLADE_ANGLE, // + right end back
    INPUT_BODY,        // + tip up
    INPUT_STEER,       // + to the right
    INPUT_THROTTLE,    // 0..1, trucks
    INPUT_BRAKE,       // 0..1
    INPUT_OFFSET,      // + boom offset or other tool to the right
    INPUT_FUNCTION_COUNT,
} InputFunction;

typedef enum InputPattern {
    INPUT_PATTERN_ISO,
    INPUT_PATTERN_SAE,
    INPUT_PATTERN_DOZER, // layouts of machines without an arm
    INPUT_PATTERN_TRUCK,
    INPUT_PATTERN_COUNT,
} InputPattern;

// How briskly the valves follow. Normal is 0, so that a frame of zeros is a machine in neutral.
typedef enum InputResponse {
    INPUT_RESPONSE_NORMAL,
    INPUT_RESPONSE_SOFT,
    INPUT_RESPONSE_ACTIVE,
    INPUT_RESPONSE_COUNT,
} InputResponse;

// Bits of InputFrame.switches, each for as long as it is on.
typedef enum InputSwitch {
    INPUT_SWITCH_LOCK = 1 << 0,      // the hydraulic lock-out lever is up: nothing moves
    INPUT_SWITCH_HORN = 1 << 1,      //
    INPUT_SWITCH_AUTO_IDLE = 1 << 2, // engine slows down when no lever is used
    INPUT_SWITCH_BOOST = 1 << 3,     // relief raised for lifting
    INPUT_SWITCH_SLOW = 1 << 4,      // travel in the low range only
    INPUT_SWITCH_LIGHTS = 1 << 5,    //
    INPUT_SWITCH_REVERSE = 1 << 6,   // trucks: the throttle drives backwards
    INPUT_SWITCH_UNPLUGGED = 1 << 7, // a device is gone; the levers are neutral since
} InputSwitch;
#define INPUT_SWITCH_COUNT 8

// Bits of InputFrame.buttons: what a lesson asks of its pupil.
typedef enum InputButton {
    INPUT_BUTTON_CONTINUE = 1 << 0,
    INPUT_BUTTON_RETRY = 1 << 1,
    INPUT_BUTTON_HELP = 1 << 2, // the built-in operator works in his place
} InputButton;
#define INPUT_BUTTON_COUNT 3

// What a key or button asks of the trainer round the machine; the simulation never sees it.
typedef enum InputTrainer {
    INPUT_TRAINER_PAUSE,
    INPUT_TRAINER_CAMERA,  // the next one
    INPUT_TRAINER_HOME,    // the camera as it was
    INPUT_TRAINER_PATTERN, // the other one
    INPUT_TRAINER_SHOW,    // show me, my turn
    INPUT_TRAINER_TIMES,
    INPUT_TRAINER_FULL,
    INPUT_TRAINER_PICTURE,
    INPUT_TRAINER_COUNT,
} InputTrainer;

// One step of the simulation as the operator wants it: 40 bytes without padding. All zero is a
// machine in neutral with ISO pattern, full engine speed and normal response.
typedef struct InputFrame {
    int16_t lever[INPUT_FUNCTION_COUNT]; // -INPUT_FULL..INPUT_FULL
    uint16_t switches;                   // InputSwitch bits
    uint8_t buttons;                     // InputButton bits
    uint8_t pattern;                     // InputPattern the hands used; shown and recorded
    uint8_t response;                    // InputResponse
    uint8_t dial;                        // engine speed, 1 (idle)..10 (full); 0: full
    uint8_t spare[6];                    // zero
} InputFrame;

_Static_assert(sizeof(InputFrame) == 40, "InputFrame is hashed and recorded as bytes");

// Wrong values that were met, each put right: told in the report.
typedef struct InputFaults {
    uint32_t not_a_number; // NaN or infinite: taken as neutral
    uint32_t out_of_range; // beyond -1..1: clamped
    uint32_t jumps;        // faster than a hand can move: slowed down
} InputFaults;

// Throttle and brake go from 0 to 1, all else from -1 to 1.
bool input_is_pedal(InputFunction function);

// Whole-number value of a lever; NaN gives 0. `faults` may be NULL.
int16_t input_quantise(float value, InputFaults* faults);

// -1..1, exact for -1, 0 and 1.
float input_lever(const InputFrame* frame, InputFunction function);

// A frame that every part of the program may trust: values no device and no script can give, as
// from a damaged record, are put right and counted. Returns how many there were.
int input_frame_repair(InputFrame* frame, InputFaults* faults);

uint64_t input_frame_hash(const InputFrame* frame, uint64_t seed);

// Words of files and messages, such as "track_left". Each table ends with NULL.
extern const char* const input_function_words[INPUT_FUNCTION_COUNT + 1];
extern const char* const input_pattern_words[INPUT_PATTERN_COUNT + 1];
extern const char* const input_response_words[INPUT_RESPONSE_COUNT + 1];
extern const char* const input_switch_words[INPUT_SWITCH_COUNT + 1];
extern const char* const input_button_words[INPUT_BUTTON_COUNT + 1];
extern const char* const input_trainer_words[INPUT_TRAINER_COUNT + 1];

// Index of a word in such a table, -1 when it is not there.
int input_find_word(const char* const* words, const char* word);

#endif
