#include "platform/platform_input.h"

#include "base/base_math.h"

#include <SDL2/SDL.h>
#include <stdio.h>
#include <stdlib.h>

#define EVENTS_MAX 256
#define MOUSE_WAY  180.0f // points of the desktop from neutral to the stop

struct PlatformInput {
    PlatformDevice device[PLATFORM_DEVICES_MAX];
    SDL_Joystick* stick[PLATFORM_DEVICES_MAX];
    SDL_GameController* pad[PLATFORM_DEVICES_MAX];
    int device_count;
    PlatformEvent event[EVENTS_MAX]; // a ring
    unsigned first, last;
    bool dragging, grabbed;
    int mouse;      // its device as a lever; -1: none
    bool steering;  // its left button is held
    SDL_Point held; // where that was pressed, or how far it was moved since
};

PlatformInput* platform_input_create(void)
{
    PlatformInput* in = calloc(1, sizeof *in);
    if (!in)
        return NULL;
    in->mouse = -1;
    // a stick must answer although another window is in front, and while there is none
    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    SDL_InitSubSystem(SDL_INIT_EVENTS | SDL_INIT_JOYSTICK | SDL_INIT_GAMECONTROLLER);
    return in;
}

void platform_input_destroy(PlatformInput* in)
{
    if (!in)
        return;
    for (int k = 0; k < in->device_count; ++k) {
        if (in->pad[k])
            SDL_GameControllerClose(in->pad[k]);
        if (in->stick[k])
            SDL_JoystickClose(in->stick[k]);
    }
    SDL_QuitSubSystem(SDL_INIT_EVENTS | SDL_INIT_JOYSTICK | SDL_INIT_GAMECONTROLLER);
    free(in);
}

static PlatformEvent* tell(PlatformInput* in, PlatformEventKind kind)
{
    // the oldest is dropped when nobody listens
    if (in->last - in->first == EVENTS_MAX)
        in->first++;
    PlatformEvent* e = &in->event[in->last++ % EVENTS_MAX];
    *e = (PlatformEvent){.kind = kind, .device = -1};
    return e;
}

// --- devices that come and go --------------------------------------------------------------------

static int slot_of_id(const PlatformInput* in, int id)
{
    for (int k = 0; k < in->device_count; ++k)
        if (in->device[k].plugged && in->device[k].id == id)
            return k;
    return -1;
}

// The place it had before it went, so that its profile still holds; else a new one.
static int slot_for(const PlatformInput* in, const char* guid, const char* path)
{
    for (int exact = 1; exact >= 0; --exact)
        for (int k = 0; k < in->device_count; ++k) {
            const PlatformDevice* d = &in->device[k];
            if (!d->plugged && strcmp(d->guid, guid) == 0 && (!exact || strcmp(d->path, path) == 0))
                return k;
        }
    return in->device_count;
}

static float axis_value(Sint16 value)
{
    return base_maxf((float)value / 32767.0f, -1.0f);
}

static int axis_of(SDL_GameController* pad, SDL_GameControllerAxis axis)
{
    SDL_GameControllerButtonBind b = SDL_GameControllerGetBindForAxis(pad, axis);
    return b.bindType == SDL_CONTROLLER_BINDTYPE_AXIS ? b.value.axis : -1;
}

static int button_of(SDL_GameController* pad, SDL_Joystick* stick, PlatformPad button)
{
    static const SDL_GameControllerButton of[PLATFORM_PAD_BUTTONS] = {
        SDL_CONTROLLER_BUTTON_A,
        SDL_CONTROLLER_BUTTON_B,
        SDL_CONTROLLER_BUTTON_X,
        SDL_CONTROLLER_BUTTON_Y,
        SDL_CONTROLLER_BUTTON_BACK,
        SDL_CONTROLLER_BUTTON_START,
        SDL_CONTROLLER_BUTTON_LEFTSHOULDER,
        SDL_CONTROLLER_BUTTON_RIGHTSHOULDER,
        SDL_CONTROLLER_BUTTON_LEFTSTICK,
        SDL_CONTROLLER_BUTTON_RIGHTSTICK,
        SDL_CONTROLLER_BUTTON_DPAD_UP,
        SDL_CONTROLLER_BUTTON_DPAD_RIGHT,
        SDL_CONTROLLER_BUTTON_DPAD_DOWN,
        SDL_CONTROLLER_BUTTON_DPAD_LEFT};
    SDL_GameControllerButtonBind b = SDL_GameControllerGetBindForButton(pad, of[button]);
    if (b.bindType == SDL_CONTROLLER_BINDTYPE_BUTTON)
        return b.value.button;
    // a hat's directions are buttons behind the real ones: up, right, down, left
    for (int way = 0; b.bindType == SDL_CONTROLLER_BINDTYPE_HAT && way < 4; ++way)
        if (b.value.hat.hat_mask == 1 << way)
            return SDL_JoystickNumButtons(stick) + 4 * b.value.hat.hat + way;
    return -1;
}

static void plug(PlatformInput* in, int index)
{
    SDL_Joystick* stick = SDL_JoystickOpen(index);
    if (!stick || slot_of_id(in, SDL_JoystickInstanceID(stick)) >= 0) {
        if (stick)
            SDL_JoystickClose(stick); // it was open already
        return;
    }
    char guid[40];
    const char* path = SDL_JoystickPath(stick);
    const char* name = SDL_JoystickName(stick);
    SDL_JoystickGetGUIDString(SDL_JoystickGetGUID(stick), guid, sizeof guid);
    int k = slot_for(in, guid, path ? path : "");
    if (k == PLATFORM_DEVICES_MAX) {
        SDL_JoystickClose(stick);
        return;
    }
    PlatformDevice* d = &in->device[k];
    *d = (PlatformDevice){.id = SDL_JoystickInstanceID(stick), .plugged = true};
    snprintf(d->guid, sizeof d->guid, "%s", guid);
    snprintf(d->path, sizeof d->path, "%s", path ? path : "");
    snprintf(d->name, sizeof d->name, "%s", name ? name : "stick");
    d->axes = base_mini(SDL_JoystickNumAxes(stick), INPUT_ANALOG_MAX);
    d->buttons = base_mini(SDL_JoystickNumButtons(stick) + 4 * SDL_JoystickNumHats(stick),
                           PLATFORM_BUTTONS_MAX);
    in->stick[k] = stick;
    in->pad[k] = SDL_IsGameController(index) ? SDL_GameControllerOpen(index) : NULL;
    d->pad = in->pad[k] != NULL;
    for (int a = 0; a < 6; ++a)
        d->pad_axis[a] = d->pad ? axis_of(in->pad[k], (SDL_GameControllerAxis)a) : -1;
    for (int b = 0; b < PLATFORM_PAD_BUTTONS; ++b)
        d->pad_button[b] = d->pad ? button_of(in->pad[k], stick, (PlatformPad)b) : -1;
    d->hat = SDL_JoystickNumHats(stick) > 0 ? SDL_JoystickNumButtons(stick) : -1;
    for (int a = 0; a < d->axes; ++a)
        d->low[a] = d->high[a] = d->axis[a] = axis_value(SDL_JoystickGetAxis(stick, a));
    in->device_count = base_maxi(in->device_count, k + 1);
    tell(in, PLATFORM_PLUGGED)->device = k;
}

static void unplug(PlatformInput* in, int id)
{
    int k = slot_of_id(in, id);
    if (k < 0)
        return;
    PlatformDevice* d = &in->device[k];
    if (in->pad[k])
        SDL_GameControllerClose(in->pad[k]);
    SDL_JoystickClose(in->stick[k]);
    in->pad[k] = NULL, in->stick[k] = NULL;
    d->plugged = false;
    memset(d->axis, 0, sizeof d->axis);
    memset(d->button, 0, sizeof d->button);
    tell(in, PLATFORM_GONE)->device = k;
}

// --- events --------------------------------------------------------------------------------------

static void press(PlatformInput* in, int k, int number, bool down)
{
    if (k < 0 || number < 0 || number >= PLATFORM_BUTTONS_MAX)
        return;
    if (down && !in->device[k].button[number]) {
        PlatformEvent* e = tell(in, PLATFORM_BUTTON);
        e->device = k, e->number = number;
    }
    in->device[k].button[number] = down;
}

static void hat(PlatformInput* in, const SDL_JoyHatEvent* e)
{
    static const Uint8 way[4] = {SDL_HAT_UP, SDL_HAT_RIGHT, SDL_HAT_DOWN, SDL_HAT_LEFT};
    int k = slot_of_id(in, e->which);
    if (k < 0)
        return;
    int first = SDL_JoystickNumButtons(in->stick[k]) + 4 * e->hat;
    for (int n = 0; n < 4; ++n)
        press(in, k, first + n, (e->value & way[n]) != 0);
}

static void push(PlatformInput* in, const SDL_JoyAxisEvent* e)
{
    int k = slot_of_id(in, e->which);
    if (k < 0 || e->axis >= INPUT_ANALOG_MAX)
        return;
    PlatformDevice* d = &in->device[k];
    float value = axis_value(e->value);
    d->axis[e->axis] = value;
    d->low[e->axis] = base_minf(d->low[e->axis], value);
    d->high[e->axis] = base_maxf(d->high[e->axis], value);
}

static void point(PlatformInput* in, PlatformEventKind kind, Uint32 window, int x, int y)
{
    int w = 1, h = 1, pw = 1, ph = 1;
    SDL_Window* of = SDL_GetWindowFromID(window);
    if (of) {
        SDL_GetWindowSize(of, &w, &h);
        SDL_GL_GetDrawableSize(of, &pw, &ph);
    }
    PlatformEvent* e = tell(in, kind);
    e->x = (float)x * (float)pw / (float)base_maxi(w, 1);
    e->y = (float)y * (float)ph / (float)base_maxi(h, 1);
}

// The mouse as a lever: as far as it was moved since its button was pressed, neutral without.
static void steer(PlatformInput* in, int x, int y)
{
    PlatformDevice* d = &in->device[in->mouse];
    d->axis[0] = base_clampf((float)x / MOUSE_WAY, -1.0f, 1.0f);
    d->axis[1] = base_clampf((float)y / MOUSE_WAY, -1.0f, 1.0f);
    for (int a = 0; a < 2; ++a) {
        d->low[a] = base_minf(d->low[a], d->axis[a]);
        d->high[a] = base_maxf(d->high[a], d->axis[a]);
    }
}

static void button(PlatformInput* in, const SDL_MouseButtonEvent* e)
{
    bool down = e->type == SDL_MOUSEBUTTONDOWN;
    if (e->button == SDL_BUTTON_RIGHT)
        in->dragging = down;
    else if (e->button == SDL_BUTTON_LEFT)
        point(in, down ? PLATFORM_CLICK : PLATFORM_RELEASE, e->windowID, e->x, e->y);
    if (e->button == SDL_BUTTON_LEFT && in->mouse >= 0) {
        in->steering = down;
        in->held = (SDL_Point){e->x, e->y};
        steer(in, 0, 0);
    }
}

static void take(PlatformInput* in, const SDL_Event* e)
{
    PlatformEvent* out;
    switch (e->type) {
    case SDL_KEYDOWN:
        out = tell(in, PLATFORM_KEY);
        snprintf(out->name, sizeof out->name, "%s", SDL_GetKeyName(e->key.keysym.sym));
        out->repeat = e->key.repeat != 0;
        break;
    case SDL_MOUSEMOTION:
        if (in->steering && in->mouse >= 0)
            steer(in, e->motion.x - in->held.x, e->motion.y - in->held.y);
        if (in->dragging)
            point(in, PLATFORM_DRAG, e->motion.windowID, e->motion.xrel, e->motion.yrel);
        else
            point(in, PLATFORM_MOVE, e->motion.windowID, e->motion.x, e->motion.y);
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP: button(in, &e->button); break;
    case SDL_MOUSEWHEEL: tell(in, PLATFORM_WHEEL)->y = (float)e->wheel.y; break;
    case SDL_JOYAXISMOTION: push(in, &e->jaxis); break;
    case SDL_JOYHATMOTION: hat(in, &e->jhat); break;
    case SDL_JOYBUTTONDOWN:
    case SDL_JOYBUTTONUP:
        press(in, slot_of_id(in, e->jbutton.which), e->jbutton.button,
              e->type == SDL_JOYBUTTONDOWN);
        break;
    case SDL_JOYDEVICEADDED: plug(in, e->jdevice.which); break;
    case SDL_JOYDEVICEREMOVED: unplug(in, e->jdevice.which); break;
    default: break;
    }
}

void platform_input_poll(PlatformInput* in)
{
    SDL_Event event;
    SDL_PumpEvents();
    while (SDL_PeepEvents(&event, 1, SDL_GETEVENT, SDL_KEYDOWN, SDL_LASTEVENT) > 0)
        take(in, &event);
}

bool platform_input_event(PlatformInput* in, PlatformEvent* out)
{
    if (in->first == in->last)
        return false;
    *out = in->event[in->first++ % EVENTS_MAX];
    return true;
}

// --- what they say -------------------------------------------------------------------------------

int platform_input_devices(const PlatformInput* in)
{
    return in->device_count;
}

const PlatformDevice* platform_input_device(const PlatformInput* in, int device)
{
    return &in->device[device];
}

void platform_input_watch_ends(PlatformInput* in, int device)
{
    PlatformDevice* d = &in->device[device];
    memcpy(d->low, d->axis, sizeof d->low);
    memcpy(d->high, d->axis, sizeof d->high);
}

static bool fits(const PlatformDevice* d, const InputDevice* wanted)
{
    return d->plugged && (!wanted->guid || strcmp(d->guid, wanted->guid) == 0) &&
           (!wanted->path || strcmp(d->path, wanted->path) == 0);
}

// Twins without a path are given out in the order in which they came.
int platform_input_find(const PlatformInput* in, const InputControls* controls, int n)
{
    bool used[PLATFORM_DEVICES_MAX] = {false};
    for (int c = 0; c <= n; ++c) {
        int found = -1;
        for (int k = 0; k < in->device_count && found < 0; ++k)
            if (!used[k] && fits(&in->device[k], &controls->devices[c]))
                found = k;
        if (c == n)
            return found;
        if (found >= 0)
            used[found] = true;
    }
    return -1;
}

static bool key_down(const char* name)
{
    int count;
    const Uint8* state = SDL_GetKeyboardState(&count);
    SDL_Scancode code = SDL_GetScancodeFromKey(SDL_GetKeyFromName(name));
    return code > SDL_SCANCODE_UNKNOWN && (int)code < count && state[code];
}

bool platform_input_held(const PlatformInput* in, const char* key)
{
    (void)in;
    return key_down(key);
}

bool platform_input_dragging(const PlatformInput* in)
{
    return in->dragging;
}

void platform_input_mouse(PlatformInput* in, bool lever)
{
    if (lever == (in->mouse >= 0))
        return;
    if (!lever) {
        in->device[in->mouse].plugged = false;
        memset(in->device[in->mouse].axis, 0, sizeof in->device[in->mouse].axis);
        in->mouse = -1, in->steering = false;
        return;
    }
    int k = slot_for(in, PLATFORM_MOUSE, "");
    if (k == PLATFORM_DEVICES_MAX)
        return;
    PlatformDevice* d = &in->device[k];
    *d = (PlatformDevice){.id = -1, .plugged = true, .axes = 2, .hat = -1};
    snprintf(d->name, sizeof d->name, "Mouse");
    snprintf(d->guid, sizeof d->guid, PLATFORM_MOUSE);
    memset(d->pad_axis, -1, sizeof d->pad_axis);
    memset(d->pad_button, -1, sizeof d->pad_button);
    in->device_count = base_maxi(in->device_count, k + 1);
    in->mouse = k;
}

void platform_input_grab(PlatformInput* in, bool grab)
{
    if (in->grabbed != grab)
        SDL_SetRelativeMouseMode(grab ? SDL_TRUE : SDL_FALSE);
    in->grabbed = grab;
}

static bool button_down(const PlatformDevice* d, const char* name)
{
    int number;
    return name && sscanf(name, "button %d", &number) == 1 && number >= 0 &&
           number < PLATFORM_BUTTONS_MAX && d->button[number];
}

void platform_input_raw(PlatformInput* in, const InputControls* controls, InputRaw* out)
{
    int slot[INPUT_DEVICES_MAX];
    *out = (InputRaw){0};
    for (int n = 0; n < controls->device_count; ++n) {
        slot[n] = platform_input_find(in, controls, n);
        out->plugged[n] = slot[n] >= 0;
        const InputDevice* d = &controls->devices[n];
        for (int a = 0; slot[n] >= 0 && a < d->axis_count; ++a)
            if (d->axes[a].source < INPUT_ANALOG_MAX) {
                out->analog[n][a] = in->device[slot[n]].axis[d->axes[a].source];
                out->flip[n][a] = button_down(&in->device[slot[n]], d->axes[a].flip);
            }
    }
    for (int k = 0; k < controls->key_count; ++k) {
        const InputKey* key = &controls->keys[k];
        if (key->device < 0)
            out->key[k] = key_down(key->key);
        else if (slot[key->device] >= 0)
            out->key[k] = button_down(&in->device[slot[key->device]], key->key);
    }
}

bool platform_input_pretend(PlatformInput* in)
{
    for (int k = 0; k < 2; ++k) {
        SDL_VirtualJoystickDesc def = {.version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION,
                                       .type = SDL_JOYSTICK_TYPE_FLIGHT_STICK,
                                       .naxes = 4,
                                       .nbuttons = 12,
                                       .nhats = 1,
                                       .name = "Joystick with twist and slider"};
        int index = SDL_JoystickAttachVirtualEx(&def);
        if (index < 0)
            return false;
        platform_input_poll(in);
        for (int i = 0; i < in->device_count; ++i)
            for (int a = 0; a < 4 && in->stick[i]; ++a)
                SDL_JoystickSetVirtualAxis(in->stick[i], a,
                                           (Sint16)(6000 * (a + 1) * (a % 2 ? 1 : -1)));
    }
    return true;
}
