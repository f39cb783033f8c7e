// app_camera - the trainer's cameras in the user's hand.
//
// Does:     turn, fly, pan and zoom the named cameras of view_camera: look round in the cab, orbit
//           round machine and bucket, pan over the plan, fly freely.
// Does not: read devices.
// Units:    m, rad, s; drags in heights of the window, so that a hand's way means the same in all.
#ifndef APP_CAMERA_H
#define APP_CAMERA_H

#include "view/view_camera.h"

typedef struct AppCameraHand {
    float yaw, pitch; // rad, on top of the camera's own direction
    float zoom;       // factor on the distance
    Vec3 pan;         // m
} AppCameraHand;

typedef struct AppCamera {
    ViewCameraKind kind;
    AppCameraHand hand[VIEW_CAMERA_COUNT];
    bool flying;      // the free camera has a place of its own
    Vec3 eye;         // m, of the free camera
    float yaw, pitch; // rad
    float speed;      // m/s
    ViewCamera last;  // as placed
} AppCamera;

// Which way somebody wants to go, -1..1 each.
typedef struct AppCameraWay {
    float ahead, right, up; // through the site
    float turn, tilt;       // of the look, + right, + up
} AppCameraWay;

AppCamera app_camera(ViewCameraKind kind);
void app_camera_next(AppCamera* camera); // the next kind; the free one begins where the last was
void app_camera_pick(AppCamera* camera, ViewCameraKind kind);
void app_camera_home(AppCamera* camera); // as it was at first
void app_camera_drag(AppCamera* camera, float right, float down);
void app_camera_wheel(AppCamera* camera, float away); // + farther; the free one: slower
void app_camera_go(AppCamera* camera, const AppCameraWay* way, float h);
ViewCamera app_camera_place(AppCamera* camera, const ViewAnchor* anchor);

#endif
