// app_record - the record of a session: what was done, and hashes that prove what came of it.
//
// Does:     keep inputs and hashes; a thread of its own packs and writes them, each second.
// Threads:  the simulation's, except begin and end.
#ifndef APP_RECORD_H
#define APP_RECORD_H

#include "sim/sim.h"

typedef struct AppRecord AppRecord;

// NULL with the reason in error.
AppRecord* app_record_begin(const char* path, const char* name, const SimDef* def,
                            BaseYamlError* error);
// All of these do nothing without a record.
void app_record_step(AppRecord* record, const InputFrame* frame); // before a step
void app_record_stepped(AppRecord* record, const World* world);   // after it
void app_record_news(AppRecord* record, char out[160]); // a sentence when something changed
void app_record_end(AppRecord* record, const char* reason);

#endif
