// record - what was done in a lesson, so that it can be done again.
//
// Does:     write inputs, state hashes, events and key frames into one file while the lesson runs;
//           read such files, whole or cut off; go to any second; compare two of them.
// Does not: know the world. Inputs and key frames are bytes to it, hashes are numbers.
// Format:   docs/recordings.md. Explicit little-endian fields, chunks with length and checksum, each
//           checksum seeded with the one before: nothing can be left out, swapped or altered without
//           notice, and the last one stands for the whole file.
// Threads:  one thread may call record_step(), record_event(), record_second() and record_key()
//           while another calls record_pump(); they meet in a ring without locks.
// Promise:  those four never allocate, wait or touch a file.
#ifndef RECORD_H
#define RECORD_H

#include "base/base_yaml.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORD_VERSION      1
#define RECORD_INPUT_MAX    256 // bytes of an InputFrame
#define RECORD_RATE_MAX     1000
#define RECORD_MODULES_MAX  16
#define RECORD_SECTIONS_MAX 16
#define RECORD_NAME         96
#define RECORD_TEXT         120 // bytes of an event's text, without its end
#define RECORD_KEY_SECONDS  10
#define RECORD_FILE_MAX     (256u << 20) // bytes of a file that is read
#define RECORD_KEY_MAX      (64u << 20)  // bytes of a key frame, unpacked

typedef struct RecordFile {
    char name[RECORD_NAME]; // as it was asked for
    uint64_t hash;          // of its bytes
} RecordFile;

// All that must be equal for the same inputs to give the same states, and whose lesson it was.
typedef struct RecordHead {
    char program[32]; // version
    RecordFile scenario, site, vehicle, materials;
    char trainee[64];         // pseudonym
    char driver[64];          // "hand", or the built-in operator's name
    char pattern[16];         // of the controls
    char device[RECORD_NAME]; // stick, keyboard
    uint64_t seed;
    int64_t started; // s since 1970, by the computer's clock
    uint32_t rate;   // steps per second
    uint32_t input_bytes;
    uint32_t module_count;
    char module[RECORD_MODULES_MAX][16]; // whose hashes each second has, besides the total
    // the recording that was taken over, its chain's hash then, and from which step; or 0
    char parent[RECORD_NAME];
    uint64_t parent_hash;
    uint32_t parent_step;
} RecordHead;

typedef struct RecordEvent {
    uint32_t step;
    uint16_t kind;   // the caller's numbering
    double value[2]; // finite
    char text[RECORD_TEXT + 1];
} RecordEvent;

// A piece of a snapshot: one module's, say.
typedef struct RecordSection {
    const void* data;
    size_t bytes;
} RecordSection;

// --- writing -------------------------------------------------------------------------------------

typedef struct RecordWriter RecordWriter;

// Opens PATH.part, which becomes PATH in record_finish(); PATH itself may exist and is not touched
// before. `key_bytes` is the most a key frame may have; 0, or more
// than RECORD_KEY_MAX, for none. NULL with the reason in error.
RecordWriter* record_begin(const char* path, const RecordHead* head, size_t key_bytes,
                           BaseYamlError* error);

// After each simulation step, in order from 0.
void record_step(RecordWriter* writer, uint32_t step, const void* input);
// At any time; belongs to the second in work. Text behind RECORD_TEXT bytes is cut.
void record_event(RecordWriter* writer, uint16_t kind, double a, double b, const char* text);
// When a second of steps is complete: the hashes of module_count modules, then the total.
void record_second(RecordWriter* writer, const uint64_t* hashes);

// The state in which step 0 begins. It is not stored, because the scenario gives it; the first key
// frame holds what changed since. Call it once, before the first step.
void record_key_base(RecordWriter* writer, const RecordSection* section, int count);
// True when a key frame is due and one can be taken without waiting; ask after record_second().
bool record_key_wanted(const RecordWriter* writer);
void record_key(RecordWriter* writer, const RecordSection* section, int count);

// Packs and writes what has come in; at least once a second, outside the step. False while the file
// refuses: the lesson goes on, what is to be written is kept (hours of it) and tried again.
bool record_pump(RecordWriter* writer);
// One sentence when writing begins to fail or works again; each told once. NULL: nothing new.
const char* record_news(RecordWriter* writer);
uint64_t record_written(const RecordWriter* writer); // bytes in the file

// Closes the file and moves it to its place; frees the writer. When false, error tells why, and what
// could be written stays as PATH.part.
bool record_finish(RecordWriter* writer, const char* reason, uint64_t* hash, BaseYamlError* error);
// Frees the writer and leaves PATH.part behind, as a crash would.
void record_abandon(RecordWriter* writer);

// --- reading -------------------------------------------------------------------------------------

typedef struct RecordReader RecordReader;

typedef struct RecordInfo {
    RecordHead head;
    uint32_t steps;   // that can be played
    uint32_t seconds; // blocks of steps, the last one may be short
    uint32_t hashed;  // seconds that have hashes
    uint32_t keys;
    uint32_t events;
    bool complete;      // ends as record_finish() ends it
    char reason[64];    // why it ended
    uint64_t hash;      // of the last good chunk: of all before
    uint64_t good;      // bytes of the good prefix
    uint64_t bytes;     // of the file
    uint64_t key_bytes; // of the key frames in it
    char damage[256];   // names the bad chunk; empty when there is none
} RecordInfo;

// True when the file begins as recordings do.
bool record_recognise(const char* path);
// Takes the good prefix. NULL when not even the head is good.
RecordReader* record_open(const char* path, BaseYamlError* error);
RecordReader* record_open_memory(const char* name, const void* data, size_t bytes,
                                 BaseYamlError* error);
void record_close(RecordReader* reader);
const RecordInfo* record_info(const RecordReader* reader);

// Random access; a second is unpacked once and then remembered. False past the end.
bool record_input(RecordReader* reader, uint32_t step, void* out);
// Hashes at the end of second `second`, modules then total; NULL when it has none.
const uint64_t* record_hashes(const RecordReader* reader, uint32_t second);
// Events of a second, in order; returns how many.
int record_events(RecordReader* reader, uint32_t second, const RecordEvent** out);

// A state put together again. Give it back to record_restore() to go on from where it is.
typedef struct RecordSnapshot {
    unsigned char* data; // sections one after the other
    size_t bytes;        // in use
    size_t size;         // reserved
    int sections;
    size_t section[RECORD_SECTIONS_MAX]; // bytes of each
    int key;                             // which key frame; -1: the base
} RecordSnapshot;

bool record_snapshot_init(RecordSnapshot* snapshot, const RecordSection* base, int count);
void record_snapshot_free(RecordSnapshot* snapshot);
// The last key frame at or before this step; -1 when only the base is.
int record_key_before(const RecordReader* reader, uint32_t step);
uint32_t record_key_step(const RecordReader* reader, int key);
// Moves a snapshot to key frame `key`, which must not lie behind it. False when the file does not fit
// the base or memory runs out; the snapshot is then of no more use.
bool record_restore(RecordReader* reader, int key, RecordSnapshot* snapshot);

// A new recording that begins with the first `steps` steps of an old one. It stands on its own: the
// old file is named in it but not needed. Its writer has got base and key frames as far as they go.
RecordWriter* record_take_over(RecordReader* parent, uint32_t steps, const char* path,
                               const RecordHead* head, const RecordSection* base, int count,
                               size_t key_bytes, BaseYamlError* error);

// --- comparing -----------------------------------------------------------------------------------

typedef enum RecordDifferenceKind {
    RECORD_SAME,
    RECORD_OTHER_HEAD,   // files, version, seed or rate differ: `text` names both
    RECORD_OTHER_INPUT,  // at `step`
    RECORD_OTHER_STATE,  // at the end of `second`, in `module`
    RECORD_OTHER_LENGTH, // equal as far as the shorter one goes
} RecordDifferenceKind;

typedef struct RecordDifference {
    RecordDifferenceKind kind;
    uint32_t second, step;
    char module[16];
    char text[256]; // a sentence
} RecordDifference;

RecordDifference record_compare(RecordReader* a, RecordReader* b);
// Holds the hashes of a re-simulation against the recorded ones. Names the first module that differs.
RecordDifference record_verify_second(const RecordReader* reader, uint32_t second,
                                      const uint64_t* hashes);

// --- files that a crash has left -----------------------------------------------------------------

typedef struct RecordFound {
    char path[512]; // PATH.part
    RecordInfo info;
} RecordFound;

// Unfinished recordings in a folder that no living program writes; returns how many, at most max.
int record_interrupted(const char* folder, RecordFound* out, int max);
// Cuts the damaged end off and gives the rest the name PATH. Does not overwrite.
bool record_adopt(const char* part, BaseYamlError* error);

#endif
