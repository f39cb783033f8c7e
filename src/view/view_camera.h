// view_camera - where the picture is taken from.
//
// Does:     place the named cameras (cab, chase, bucket, side, plan, free) around what they follow;
//           matrices, frustum, the pixel of a point and the ray of a pixel; go from one to another.
// Does not: read devices; the caller moves the free camera.
// Units:    m, rad; pixels from the upper left corner.
#ifndef VIEW_CAMERA_H
#define VIEW_CAMERA_H

#include "view/view_math.h"

#include <stdbool.h>

typedef enum ViewCameraKind {
    VIEW_CAMERA_CHASE, // behind and above, over the right shoulder
    VIEW_CAMERA_CAB,
    VIEW_CAMERA_BUCKET, // close to the tool
    VIEW_CAMERA_SIDE,
    VIEW_CAMERA_PLAN, // from straight above, forward is up
    VIEW_CAMERA_FREE,
    VIEW_CAMERA_COUNT,
} ViewCameraKind;

typedef struct ViewCamera {
    Vec3 eye;         // m
    Vec3 forward, up; // unit
    float fov;        // rad, from the lower to the upper edge
    float near, far;  // m
} ViewCamera;

// What the named cameras follow: a machine, or the middle of a site.
typedef struct ViewAnchor {
    Vec3 middle;    // m
    Vec3 heading;   // unit, level: where forward is
    float size;     // m, radius of what should be in the picture
    Vec3 tool;      // m, cutting edge or point of interest
    Vec3 seat;      // m, eye of the operator
    Vec3 seat_view; // unit, where the operator looks
} ViewAnchor;

const char* view_camera_name(ViewCameraKind kind);
bool view_camera_from_name(const char* name, ViewCameraKind* out);

ViewCamera view_camera_look(Vec3 eye, Vec3 at, float fov);
ViewCamera view_camera_place(ViewCameraKind kind, const ViewAnchor* anchor);
// A chase camera turned by `yaw` and `pitch` (rad) at `distance` m.
ViewCamera view_camera_orbit(Vec3 at, Vec3 heading, float yaw, float pitch, float distance);
// Not below `ground` + `clear` (m).
void view_camera_lift(ViewCamera* camera, float ground, float clear);

ViewMat view_camera_matrix(const ViewCamera* camera, float aspect); // world to clip space
// False when the point is behind the camera. z is the depth, 0..1.
bool view_camera_pixel(const ViewCamera* camera, int width, int height, Vec3 point, Vec3* out);
Vec3 view_camera_ray(const ViewCamera* camera, int width, int height, float x, float y); // unit

// Half spaces that hold the picture: a x + b y + c z + d >= 0.
typedef struct ViewFrustum {
    float plane[6][4];
} ViewFrustum;
ViewFrustum view_camera_frustum(const ViewMat* matrix);
bool view_camera_sees_box(const ViewFrustum* frustum, Vec3 low, Vec3 high);
bool view_camera_sees_ball(const ViewFrustum* frustum, Vec3 middle, float radius);

#endif
