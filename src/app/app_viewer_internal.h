// app_viewer_internal - what the files of the viewer share; nobody else includes it.
#ifndef APP_VIEWER_INTERNAL_H
#define APP_VIEWER_INTERNAL_H

#include "app/app_trainer_internal.h"

typedef enum ViewerDo {
    VIEWER_MARK_BACK,
    VIEWER_BACKWARDS,
    VIEWER_SLOWER,
    VIEWER_PLAY,
    VIEWER_FASTER,
    VIEWER_MARK_ON,
    VIEWER_CAMERA,
    VIEWER_TAKE_OVER,
    VIEWER_LEAVE,
    VIEWER_LINE, // the timeline itself
} ViewerDo;

void app_viewer_do(Trainer* t, ViewerDo what);
void app_viewer_to_end(Trainer* t);
void app_viewer_sticks(Trainer* t, float h);
// Title and driver of the recording, for its timeline.
void app_viewer_titles(Trainer* t, const RecordHead* head);

#endif
