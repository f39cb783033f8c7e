#include "app/app_session_internal.h"

#include "app/app_studio.h"
#include "base/base_log.h"
#include "base/base_path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SESSION_ARENA ((size_t)256 << 20) // bytes of address space, for meshes
#define SESSION_PUMP  0.25                // s between two writes of a record
#define SESSION_NAP   0.004               // s between two looks for orders while paused

// --- life ----------------------------------------------------------------------------------------

// The record goes to its file on a thread of its own.
static void pump(void* context)
{
    AppSession* s = context;
    while (!atomic_load(&s->written)) {
        if (s->lesson)
            sim_lesson_pump(s->lesson);
        else
            sim_record_pump(s->sim);
        platform_sleep(SESSION_PUMP);
    }
}

bool app_session_pump(AppSession* s)
{
    s->recorded = true;
    s->pump = platform_thread_start("record", pump, s);
    return s->pump != NULL;
}

SimLessonWho app_session_who(const AppSession* s)
{
    return (SimLessonWho){.driver = "hand",
                          .trainee = s->def.trainee,
                          .pattern = s->def.pattern,
                          .device = s->def.device,
                          .started = (int64_t)time(NULL)};
}

void app_session_guide(AppSession* s)
{
    BaseYamlError why;
    s->guided = s->lesson && sim_guide_begin(&s->guide, s->lesson, OPERATOR_EXPERT, &why);
}

static bool record(AppSession* s, BaseYamlError* error)
{
    const SimLessonWho who = app_session_who(s);
    if (!s->def.record)
        return true;
    return (s->lesson ? sim_lesson_record(s->lesson, s->def.record, &who, error)
                      : sim_record(s->sim, s->def.record, &who, error)) &&
           app_session_pump(s);
}

static bool load_lesson(AppSession* s, BaseYamlError* error)
{
    const SimLessonDef def = {s->def.lesson, base_path_find, s->def.sim.threads};
    s->lesson = sim_lesson_create(&def, error);
    if (!s->lesson || !app_scene_init(&s->scene, sim_lesson_world(s->lesson), &s->arena))
        return false;
    app_scene_lesson(&s->scene, &s->arena, s->lesson);
    app_scene_yard(s->scene.world, s->scene.view, &s->scene);
    app_session_guide(s);
    return true;
}

// What the operator would dig to is what is asked for.
static void site_goal(AppSession* s)
{
    const OperatorTask* task = &sim_operator(s->sim)->task;
    if (sim_operator(s->sim)->kind != OPERATOR_IDLE && task->corners == 4) {
        const float(*c)[2] = task->corner;
        float x = 0.25f * (c[0][0] + c[1][0] + c[2][0] + c[3][0]);
        float z = 0.25f * (c[0][1] + c[1][1] + c[2][1] + c[3][1]);
        float length = vec3_length(vec3(c[1][0] - c[0][0], 0, c[1][1] - c[0][1]));
        float width = vec3_length(vec3(c[2][0] - c[1][0], 0, c[2][1] - c[1][1]));
        float heading = atan2f(c[0][1] - c[1][1], c[1][0] - c[0][0]);
        app_scene_goal(&s->scene, &s->arena, x, z, heading, length, width,
                       task->floor + task->rise_x * (x - task->from[0]) +
                           task->rise_z * (z - task->from[1]),
                       task->rise_x, task->rise_z);
    }
}

static bool load_site(AppSession* s, BaseYamlError* error)
{
    s->sim = sim_create(&s->def.sim, error);
    if (!s->sim || !app_scene_init(&s->scene, sim_world(s->sim), &s->arena))
        return false;
    site_goal(s);
    app_scene_yard(s->scene.world, s->scene.view, &s->scene);
    return true;
}

// A recording comes with the lesson or site that it belongs to.
static bool load_replay(AppSession* s, BaseYamlError* error)
{
    if (!app_session_watch(s, error) ||
        !app_scene_init(&s->scene, sim_replay_world(s->replay), &s->arena))
        return false;
    if (s->lesson)
        app_scene_lesson(&s->scene, &s->arena, s->lesson);
    else
        site_goal(s);
    app_scene_yard(s->scene.world, s->scene.view, &s->scene);
    return true;
}

static bool load(AppSession* s, BaseYamlError* error)
{
    bool fine = s->def.replay   ? load_replay(s, error)
                : s->def.lesson ? load_lesson(s, error)
                                : load_site(s, error);
    if (!fine || (!s->def.replay && !record(s, error)))
        return false;
    s->exchange = view_exchange_create(view_world_ground(s->scene.view), APP_GRAINS, APP_POSES);
    return s->exchange && app_mail_init(&s->orders, sizeof(AppOrders)) &&
           app_mail_init(&s->news, sizeof(AppNews));
}

AppSession* app_session_create(const AppSessionDef* def, BaseYamlError* error)
{
    *error = (BaseYamlError){0};
    AppSession* s = calloc(1, sizeof *s);
    if (!s || !base_arena_init(&s->arena, SESSION_ARENA)) {
        free(s);
        return NULL;
    }
    s->def = *def;
    snprintf(s->path, sizeof s->path, "%s", def->record ? def->record : "");
    s->told.balanced = true;
    s->told.score = -1.0;
    s->told.centered = true;
    if (!load(s, error)) {
        app_session_destroy(s);
        return NULL;
    }
    return s;
}

bool app_session_finishing(const AppSession* s)
{
    return s->recorded;
}

const char* app_session_path(const AppSession* s)
{
    return s->path;
}

const char* app_session_finish(AppSession* s, const char* reason)
{
    BaseYamlError error;
    uint64_t hash;
    if (!s->recorded)
        return NULL;
    atomic_store(&s->written, true);
    platform_thread_join(s->pump);
    s->pump = NULL;
    s->recorded = false;
    const char* over = s->lesson ? sim_lesson_over(s->lesson) : NULL;
    reason = over ? over : reason;
    bool fine = s->lesson ? sim_lesson_finish(s->lesson, reason, &hash, &error)
                          : sim_record_finish(s->sim, reason, &hash, &error);
    if (!fine) {
        base_error("%s", error.text);
        return NULL;
    }
    base_info("record: %s, hash %016llx", s->path, (unsigned long long)hash);
    return s->path;
}

void app_session_stop(AppSession* s)
{
    atomic_store(&s->leave, true);
    platform_thread_join(s->thread);
    s->thread = NULL;
    atomic_store(&s->rests, true);
}

void app_session_destroy(AppSession* s)
{
    if (!s)
        return;
    app_session_stop(s);
    app_session_finish(s, "left");
    view_exchange_destroy(s->exchange);
    app_scene_free(&s->scene);
    app_session_unwatch(s);
    if (s->sim)
        sim_destroy(s->sim);
    sim_lesson_destroy(s->lesson);
    app_mail_free(&s->orders);
    app_mail_free(&s->news);
    base_arena_free(&s->arena);
    free(s);
}

AppScene* app_session_scene(AppSession* s)
{
    return &s->scene;
}

Sim* app_session_sim(AppSession* s)
{
    return s->sim;
}

SimLesson* app_session_lesson(AppSession* s)
{
    return s->lesson;
}

World* app_session_world(AppSession* s)
{
    return s->scene.world;
}

bool app_session_rests(AppSession* s)
{
    return atomic_load(&s->rests);
}

void app_session_order(AppSession* s, const AppOrders* orders)
{
    app_mail_send(&s->orders, orders);
}

const AppNews* app_session_news(AppSession* s)
{
    return app_mail_read(&s->news, NULL);
}

uint64_t app_session_done(const AppSession* s)
{
    return atomic_load(&s->done);
}

uint64_t app_session_picture(AppSession* s)
{
    return atomic_fetch_add(&s->pictures, 1) + 1;
}

void app_session_shown(AppSession* s, uint64_t movement)
{
    atomic_store(&s->shown, movement);
}

bool app_session_states(AppSession* s, const ViewState** a, const ViewState** b)
{
    return view_exchange_take(s->exchange, a, b);
}

// --- a step --------------------------------------------------------------------------------------

static void tell_sound(AppSession* s)
{
    World* world = app_session_world(s);
    const Machine* m = world_machine(world, 0);
    const MachineDriveState* d = &machine_state(m)->drive;
    Vec3 speed = machine_velocity(m, 0);
    s->told.sound.rpm = (float)(d->engine_speed * 60.0 / (2.0 * BASE_PI));
    s->told.sound.load = (float)d->engine_load;
    s->told.sound.pump = (float)(d->pump_pressure[0] + d->pump_pressure[1]) / 70e6f;
    int house = s->scene.house[0];
    s->told.sound.swing = house > 0 ? (float)machine_joint_speed(m, house) : 0.0f;
    s->told.sound.travel = vec3_length(speed);
    const MachineDef* def = world_machine_def(world, 0);
    double payload =
               def->tool_count > 0 ? coupling_fleet_tool(world_fleet(world), 0, 0)->payload : 0.0,
           bin = 0.0;
    for (int n = 0; n < s->scene.machine_count; ++n)
        bin += coupling_fleet_load(world_fleet(world), n);
    double soil = WORLD_RATE * (payload - s->payload), into = WORLD_RATE * (bin - s->bin);
    s->told.sound.soil += 0.2f * ((float)(soil < 0.0 ? -soil : soil) - s->told.sound.soil);
    s->told.sound.bin += 0.2f * ((float)(into < 0.0 ? 0.0 : into) - s->told.sound.bin);
    s->payload = payload, s->bin = bin;
}

static void judge(AppSession* s)
{
    static _Thread_local ScoreResult result;
    sim_lesson_judge(s->lesson, NULL, &result);
    s->told.score = sim_lesson_scenario(s->lesson)->free ? -1.0 : result.total;
}

static void tell(AppSession* s)
{
    const World* world = app_session_world(s);
    const WorldFaults* faults = world_faults(world);
    s->told.step_time = world_profile(world)->total;
    s->told.step = world_steps(world);
    s->told.bad = faults->bad_grains + faults->machine_resets + faults->input;
    s->told.stepped = platform_now();
    tell_sound(s);
    const char* news = s->lesson ? sim_lesson_news(s->lesson) : sim_record_news(s->sim);
    if (news)
        snprintf(s->told.record, sizeof s->told.record, "%s", news);
    if (s->lesson) {
        const char* over = sim_lesson_over(s->lesson);
        // once a second, and in the step in which it ends: the screen keeps what the report will say
        if (s->told.step % WORLD_RATE == 0 || (over != NULL) != (s->told.over != NULL))
            judge(s);
        s->told.over = over;
    }
}

// What the built-in operator would do now.
static void hands(AppSession* s, InputFrame* out)
{
    if (s->sim)
        sim_hands_step(s->sim, out);
    else if (s->guided)
        sim_guide_step(&s->guide, out);
}

static void tell_hand(AppSession* s)
{
    s->told.centered = !s->controls || !input_hand_busy(&s->hand, s->controls, &s->told.busy_device,
                                                        &s->told.busy_axis);
}

static void take_controls(AppSession* s, const AppOrders* orders)
{
    if (orders->controls && orders->controls != s->controls) {
        input_hand_take(&s->hand, orders->controls, &orders->raw);
        s->controls = orders->controls;
    }
}

// The oldest movement that nobody has seen is followed until a picture shows it.
static void follow_lag(AppSession* s, const AppOrders* orders)
{
    if (orders->moved == s->moved)
        return;
    s->moved = orders->moved;
    if (s->lag_waits || atomic_load(&s->shown) < s->lag.number)
        return;
    // `steps` holds where counting began until the state is handed out
    s->lag =
        (ViewLag){.number = orders->moved, .steps = orders->moved_done, .moved = orders->moved_at};
    s->lag_waits = true;
}

static void hand_out_lag(AppSession* s, ViewState* state)
{
    if (s->lag_waits) {
        s->lag.steps = world_steps(app_session_world(s)) - s->lag.steps;
        s->lag.picture = atomic_load(&s->pictures);
        s->lag_waits = false;
    }
    state->lag = s->lag;
}

// What the levers are in this step: the pupil's, or the operator's who shows how it is done.
static InputFrame levers(AppSession* s, const AppOrders* orders)
{
    take_controls(s, orders);
    follow_lag(s, orders);
    InputFrame frame = {0};
    if (s->controls) {
        s->hand.pattern = (InputPattern)orders->pattern;
        frame = input_hand_step(&s->hand, s->controls, &orders->raw, (float)WORLD_DT);
    }
    s->told.unplugged = (frame.switches & INPUT_SWITCH_UNPLUGGED) != 0;
    tell_hand(s);
    s->told.polled = orders->polled;
    s->told.show = orders->show;
    frame.buttons &= (uint8_t)~INPUT_BUTTON_HELP;
    if (orders->show) {
        InputFrame own = {.switches = frame.switches};
        hands(s, &own);
        own.pattern = (uint8_t)orders->pattern;
        own.buttons |= INPUT_BUTTON_HELP; // recorded: points that are shown are not earned
        frame = own;
    }
    return frame;
}

static void step(AppSession* s, const InputFrame* frame)
{
    s->told.frame = *frame;
    if (s->sim)
        sim_drive(s->sim, frame);
    else
        sim_lesson_step(s->lesson, frame);
    app_scene_follow(&s->scene);
    atomic_store(&s->done, world_steps(app_session_world(s)));
    // I1: what goes on with soil missing is worth nothing; a lesson ends by itself
    if (s->told.balanced && world_faults(app_session_world(s))->lost > 0) {
        s->told.balanced = false;
        s->told.suspended = s->sim != NULL;
    }
}

void app_session_show(AppSession* s)
{
    ViewState* state = view_exchange_begin(s->exchange);
    app_scene_fill(&s->scene, state, 0, &s->told.frame);
    state->hud.score = (float)s->told.score;
    hand_out_lag(s, state);
    view_exchange_publish(s->exchange);
    tell(s);
    app_mail_send(&s->news, &s->told);
}

void app_session_step(AppSession* s, const InputFrame* frame)
{
    InputFrame own = {0};
    if (!frame)
        hands(s, &own);
    step(s, frame ? frame : &own);
    app_session_show(s);
}

// --- the thread ----------------------------------------------------------------------------------

// While paused a device may go or come back.
static void idle(AppSession* s, const AppOrders* orders)
{
    take_controls(s, orders);
    s->moved = orders->moved; // nobody waits for what is moved in a pause
    if (s->controls) {
        input_hand_step(&s->hand, s->controls, &orders->raw, (float)SESSION_NAP);
        s->told.unplugged = (s->hand.frame.switches & INPUT_SWITCH_UNPLUGGED) != 0;
        tell_hand(s);
    }
    app_mail_send(&s->news, &s->told);
    platform_sleep(SESSION_NAP);
}

static void live(void* context)
{
    AppSession* s = context;
    const InputFrame nothing = {0};
    if (s->replay)
        app_session_look(s);
    if (atomic_load(&s->leave))
        return;
    double due = platform_now();
    if (!s->told.taken) {
        step(s, &nothing); // something to look at
        app_session_show(s);
    }
    while (!atomic_load(&s->leave)) {
        const AppOrders* orders = app_mail_read(&s->orders, NULL);
        double now = platform_now();
        // what is reached stays reached until the window has seen it: no step more
        s->seen = s->seen || (s->told.over && orders->pause);
        if (orders->pause || s->told.suspended || (s->told.over && !s->seen)) {
            s->told.suspended = s->told.suspended && !orders->pause;
            due = now;
            atomic_store(&s->rests, orders->pause);
            idle(s, orders);
            continue;
        }
        atomic_store(&s->rests, false);
        if (now - due > APP_SUSPEND) {
            s->told.suspended = true;
            continue;
        }
        // what cannot be caught up is given up: time goes slower, soil does not get worse
        while (now - due > APP_CATCH_UP * WORLD_DT)
            due += WORLD_DT, s->told.skipped++;
        if (now < due) {
            platform_sleep(due - now);
            continue;
        }
        InputFrame frame = levers(s, orders);
        step(s, &frame);
        due += WORLD_DT;
        // a step that is late already is not shown, unless it is the last of four
        if (platform_now() < due ||
            world_steps(app_session_world(s)) - s->told.step >= APP_CATCH_UP)
            app_session_show(s);
    }
}

bool app_session_start(AppSession* s)
{
    s->thread = platform_thread_start("simulation", live, s);
    return s->thread != NULL;
}
