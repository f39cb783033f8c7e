#include "app/app_camera.h"

#include "base/base_math.h"

#define CAMERA_DRAG     2.6f  // rad per height of the window
#define CAMERA_TURN     1.4f  // rad/s of keys
#define CAMERA_PITCH    1.45f // rad, the steepest look
#define CAMERA_SPEED    6.0f  // m/s of the free camera at first
#define CAMERA_FOV      0.87f // rad
#define CAMERA_NEAREST  0.25f // of the usual distance
#define CAMERA_FARTHEST 6.0f
#define CAMERA_PLAN     2.0f // m of pan per m of height and window

AppCamera app_camera(ViewCameraKind kind)
{
    AppCamera c = {.kind = kind, .speed = CAMERA_SPEED};
    for (int k = 0; k < VIEW_CAMERA_COUNT; ++k)
        c.hand[k].zoom = 1.0f;
    return c;
}

void app_camera_pick(AppCamera* c, ViewCameraKind kind)
{
    c->flying = c->flying && kind == VIEW_CAMERA_FREE;
    c->kind = kind;
}

void app_camera_next(AppCamera* c)
{
    app_camera_pick(c, (ViewCameraKind)((c->kind + 1) % VIEW_CAMERA_COUNT));
}

void app_camera_home(AppCamera* c)
{
    c->hand[c->kind] = (AppCameraHand){.zoom = 1.0f};
    c->flying = false;
    c->speed = CAMERA_SPEED;
}

// Adds to a look; a bird does not turn somersaults.
static void look(AppCamera* c, float right, float up)
{
    bool free = c->kind == VIEW_CAMERA_FREE;
    float* yaw = free ? &c->yaw : &c->hand[c->kind].yaw;
    float* pitch = free ? &c->pitch : &c->hand[c->kind].pitch;
    *yaw += right;
    // the cab's own look is tilted already
    float most = free ? CAMERA_PITCH : CAMERA_PITCH + 0.5f;
    *pitch = base_clampf(*pitch + up, -most, most);
}

// Over the plan, in the picture's own directions.
static void pan(AppCamera* c, float right, float up)
{
    Vec3 side = vec3_unit(vec3_cross(c->last.forward, c->last.up));
    Vec3* p = &c->hand[c->kind].pan;
    *p = vec3_add(*p, vec3_add(vec3_mul(side, right), vec3_mul(c->last.up, up)));
}

void app_camera_drag(AppCamera* c, float right, float down)
{
    float far = CAMERA_PLAN * base_maxf(c->last.eye.y, 4.0f) * 0.36f;
    switch (c->kind) {
    case VIEW_CAMERA_PLAN: pan(c, -far * right, far * down); break;
    // one turns the head, or the world round what one looks at
    case VIEW_CAMERA_CAB:
    case VIEW_CAMERA_FREE: look(c, CAMERA_DRAG * right, -CAMERA_DRAG * down); break;
    default: look(c, CAMERA_DRAG * right, CAMERA_DRAG * down); break;
    }
}

void app_camera_wheel(AppCamera* c, float away)
{
    float* zoom = &c->hand[c->kind].zoom;
    float step = away > 0.0f ? 1.12f : 1.0f / 1.12f;
    if (c->kind == VIEW_CAMERA_FREE)
        c->speed = base_clampf(c->speed / (step * step), 0.3f, 60.0f);
    else
        *zoom = base_clampf(*zoom * step, CAMERA_NEAREST, CAMERA_FARTHEST);
}

void app_camera_go(AppCamera* c, const AppCameraWay* w, float h)
{
    float turn = CAMERA_TURN * h * w->turn, tilt = CAMERA_TURN * h * w->tilt;
    if (c->kind == VIEW_CAMERA_PLAN) {
        float far = 0.8f * h * base_maxf(c->last.eye.y, 4.0f);
        pan(c, far * (w->right + w->turn), far * (w->ahead + w->tilt));
    } else
        look(c, turn, c->kind == VIEW_CAMERA_CAB || c->kind == VIEW_CAMERA_FREE ? tilt : -tilt);
    if (c->kind != VIEW_CAMERA_FREE) {
        float* zoom = &c->hand[c->kind].zoom;
        float near = c->kind == VIEW_CAMERA_PLAN ? w->up : -w->ahead;
        *zoom = base_clampf(*zoom * (1.0f + h * near), CAMERA_NEAREST, CAMERA_FARTHEST);
        return;
    }
    Vec3 side = vec3_unit(vec3_cross(c->last.forward, vec3(0, 1, 0)));
    Vec3 way = vec3_add(vec3_mul(c->last.forward, w->ahead),
                        vec3_add(vec3_mul(side, w->right), vec3(0, w->up, 0)));
    c->eye = vec3_mad(c->eye, way, c->speed * h);
}

// --- placing -------------------------------------------------------------------------------------

static Vec3 direction(float yaw, float pitch)
{
    return vec3(cosf(pitch) * cosf(yaw), sinf(pitch), cosf(pitch) * sinf(yaw));
}

static float yaw_of(Vec3 v)
{
    return atan2f(v.z, v.x);
}

static float pitch_of(Vec3 v)
{
    return asinf(base_clampf(v.y, -1.0f, 1.0f));
}

static ViewCamera fly(AppCamera* c, const ViewAnchor* anchor)
{
    if (!c->flying) {
        // it takes off where the last camera was, or the chase camera would be
        bool known = vec3_dot(c->last.forward, c->last.forward) > 0.5f;
        ViewCamera from = known ? c->last : view_camera_place(VIEW_CAMERA_CHASE, anchor);
        c->eye = from.eye;
        c->yaw = yaw_of(from.forward);
        c->pitch = base_clampf(pitch_of(from.forward), -CAMERA_PITCH, CAMERA_PITCH);
        c->flying = true;
    }
    return view_camera_look(c->eye, vec3_add(c->eye, direction(c->yaw, c->pitch)), CAMERA_FOV);
}

// Round what the camera looks at, from its own place.
static void orbit(ViewCamera* c, const AppCameraHand* h, Vec3 at)
{
    Vec3 away = vec3_sub(c->eye, at);
    float far = vec3_length(away);
    if (far < 0.1f)
        return;
    away = vec3_mul(away, 1.0f / far);
    float pitch = base_clampf(pitch_of(away) + h->pitch, -0.3f, CAMERA_PITCH);
    Vec3 eye = vec3_mad(at, direction(yaw_of(away) + h->yaw, pitch), far * h->zoom);
    *c = view_camera_look(eye, at, c->fov);
}

ViewCamera app_camera_place(AppCamera* camera, const ViewAnchor* anchor)
{
    const AppCameraHand* h = &camera->hand[camera->kind];
    if (camera->kind == VIEW_CAMERA_FREE)
        return camera->last = fly(camera, anchor);
    ViewCamera c = view_camera_place(camera->kind, anchor);
    switch (camera->kind) {
    case VIEW_CAMERA_CAB: {
        Vec3 to = direction(yaw_of(c.forward) + h->yaw, base_clampf(pitch_of(c.forward) + h->pitch,
                                                                    -CAMERA_PITCH, CAMERA_PITCH));
        c = view_camera_look(c.eye, vec3_add(c.eye, to), base_clampf(c.fov * h->zoom, 0.5f, 1.4f));
        break;
    }
    case VIEW_CAMERA_PLAN: {
        Vec3 up = c.up;
        float tall = c.eye.y - anchor->middle.y;
        Vec3 at = vec3_add(anchor->middle, h->pan);
        c = view_camera_look(vec3_add(at, vec3(0, tall * h->zoom, 0)), at, c.fov);
        c.up = up;
        break;
    }
    case VIEW_CAMERA_BUCKET: orbit(&c, h, anchor->tool); break;
    default: orbit(&c, h, anchor->middle); break;
    }
    return camera->last = c;
}
