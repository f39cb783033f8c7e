#include "view/view_camera.h"

#define CAMERA_FOV  0.87f // rad, 50 degrees
#define CAMERA_NEAR 0.12f // m: the cab's posts are half a metre away
#define CAMERA_FAR  2500.0f

static const char* const names[VIEW_CAMERA_COUNT] = {"chase", "cab",  "bucket",
                                                     "side",  "plan", "free"};

const char* view_camera_name(ViewCameraKind kind)
{
    return names[kind];
}

bool view_camera_from_name(const char* name, ViewCameraKind* out)
{
    for (int k = 0; k < VIEW_CAMERA_COUNT; ++k) {
        if (strcmp(names[k], name) == 0) {
            *out = (ViewCameraKind)k;
            return true;
        }
    }
    return false;
}

ViewCamera view_camera_look(Vec3 eye, Vec3 at, float fov)
{
    ViewCamera c = {
        .eye = eye, .up = {0, 1, 0}, .fov = fov, .near = CAMERA_NEAR, .far = CAMERA_FAR};
    c.forward = vec3_unit(vec3_sub(at, eye));
    if (vec3_dot(c.forward, c.forward) < 0.5f)
        c.forward = vec3(1, 0, 0);
    // looking straight up or down: north stays where it was
    if (c.forward.y > 0.999f || c.forward.y < -0.999f)
        c.up = vec3(0, 0, -1);
    return c;
}

ViewCamera view_camera_orbit(Vec3 at, Vec3 heading, float yaw, float pitch, float distance)
{
    float c = cosf(yaw), s = sinf(yaw);
    Vec3 turned = {heading.x * c - heading.z * s, 0, heading.x * s + heading.z * c};
    Vec3 back = vec3_mul(vec3_unit(turned), -distance * cosf(pitch));
    Vec3 eye = vec3_add(at, vec3_add(back, vec3(0, distance * sinf(pitch), 0)));
    return view_camera_look(eye, at, CAMERA_FOV);
}

ViewCamera view_camera_place(ViewCameraKind kind, const ViewAnchor* a)
{
    Vec3 right = {-a->heading.z, 0, a->heading.x};
    switch (kind) {
    case VIEW_CAMERA_CAB: {
        ViewCamera c = view_camera_look(a->seat, vec3_add(a->seat, a->seat_view), 1.13f);
        return c;
    }
    case VIEW_CAMERA_BUCKET: {
        Vec3 eye = vec3_mad(a->tool, right, 0.35f * a->size);
        eye = vec3_mad(eye, a->heading, -0.25f * a->size);
        return view_camera_look(vec3_add(eye, vec3(0, 0.22f * a->size, 0)), a->tool, CAMERA_FOV);
    }
    case VIEW_CAMERA_SIDE: {
        Vec3 eye = vec3_mad(a->middle, right, 2.1f * a->size);
        return view_camera_look(vec3_add(eye, vec3(0, 0.25f * a->size, 0)), a->middle, CAMERA_FOV);
    }
    case VIEW_CAMERA_PLAN: {
        Vec3 eye = vec3_add(a->middle, vec3(0, 3.0f * a->size, 0));
        ViewCamera c = view_camera_look(eye, a->middle, 0.7f);
        c.up = a->heading;
        return c;
    }
    default: return view_camera_orbit(a->middle, a->heading, 0.62f, 0.36f, 2.2f * a->size);
    }
}

void view_camera_lift(ViewCamera* c, float ground, float clear)
{
    c->eye.y = base_maxf(c->eye.y, ground + clear);
}

ViewMat view_camera_matrix(const ViewCamera* c, float aspect)
{
    ViewMat look = view_mat_look(c->eye, c->forward, c->up);
    ViewMat lens = view_mat_perspective(c->fov, aspect, c->near, c->far);
    return view_mat_mul(&lens, &look);
}

bool view_camera_pixel(const ViewCamera* c, int width, int height, Vec3 point, Vec3* out)
{
    float clip[4];
    ViewMat m = view_camera_matrix(c, (float)width / (float)height);
    view_mat_point(&m, point, clip);
    if (clip[3] < c->near)
        return false;
    out->x = (0.5f + 0.5f * clip[0] / clip[3]) * (float)width;
    out->y = (0.5f - 0.5f * clip[1] / clip[3]) * (float)height;
    out->z = 0.5f + 0.5f * clip[2] / clip[3];
    return true;
}

Vec3 view_camera_ray(const ViewCamera* c, int width, int height, float x, float y)
{
    float tall = tanf(0.5f * c->fov), wide = tall * (float)width / (float)height;
    Vec3 right = vec3_unit(vec3_cross(c->forward, c->up)), up = vec3_cross(right, c->forward);
    float a = (2.0f * x / (float)width - 1.0f) * wide, b = (1.0f - 2.0f * y / (float)height) * tall;
    return vec3_unit(vec3_add(c->forward, vec3_add(vec3_mul(right, a), vec3_mul(up, b))));
}

ViewFrustum view_camera_frustum(const ViewMat* m)
{
    ViewFrustum f;
    for (int p = 0; p < 6; ++p) {
        float sign = p % 2 ? -1.0f : 1.0f;
        for (int c = 0; c < 4; ++c)
            f.plane[p][c] = m->m[4 * c + 3] + sign * m->m[4 * c + p / 2];
    }
    return f;
}

bool view_camera_sees_box(const ViewFrustum* f, Vec3 low, Vec3 high)
{
    for (int p = 0; p < 6; ++p) {
        const float* n = f->plane[p];
        float far = n[0] * (n[0] > 0 ? high.x : low.x) + n[1] * (n[1] > 0 ? high.y : low.y) +
                    n[2] * (n[2] > 0 ? high.z : low.z) + n[3];
        if (far < 0.0f)
            return false;
    }
    return true;
}

bool view_camera_sees_ball(const ViewFrustum* f, Vec3 middle, float radius)
{
    for (int p = 0; p < 6; ++p) {
        const float* n = f->plane[p];
        float length = __builtin_sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        if (n[0] * middle.x + n[1] * middle.y + n[2] * middle.z + n[3] < -radius * length)
            return false;
    }
    return true;
}
