// app_session_internal - what the files of a session share; nobody else includes it.
#ifndef APP_SESSION_INTERNAL_H
#define APP_SESSION_INTERNAL_H

#include "app/app_session.h"

struct AppSession {
    AppSessionDef def;
    BaseArena arena;
    Sim* sim;          // a site, or
    SimLesson* lesson; // a lesson
    SimGuide guide;    // who shows it
    bool guided;
    PlatformThread* pump; // of the record
    bool recorded;
    _Atomic bool written; // the pump may end
    char path[1024];      // of the record
    AppScene scene;
    ViewExchange* exchange;
    AppMail orders, news;
    PlatformThread* thread;
    _Atomic bool leave, rests;
    bool seen;                              // that the lesson is over
    _Atomic uint64_t done, pictures, shown; // steps; pictures begun; movement in the last picture
    ViewLag lag;                            // the movement on its way
    bool lag_waits;                         // it was obeyed, but not handed out yet
    uint64_t moved;                         // last movement that was obeyed
    InputHand hand;
    const InputControls* controls; // that the hand was made for
    AppNews told;

    SimReplay* replay; // that is looked at; lesson or sim is its own then
    SimPlayer player;
    AppMail marks;
    uint32_t wishes;     // that were obeyed
    double payload, bin; // kg, in the last step
};

// A recording that is looked at.
bool app_session_watch(AppSession* session, BaseYamlError* error); // opens it
void app_session_look(AppSession* session);                        // until it is taken over or left
void app_session_unwatch(AppSession* session);                     // frees what is left of it

void app_session_show(AppSession* session); // the state as it is to the window
bool app_session_pump(AppSession* session); // the thread that writes the record
SimLessonWho app_session_who(const AppSession* session);
void app_session_guide(AppSession* session); // the operator who could show it

#endif
