// A recording in the trainer's window, without a screen: mouse, keys and a stick that is not there move through it,
// and somebody takes over. Everything is counted in turns and steps; time is no verdict.
#include "app/app_trainer_internal.h"
#include "app/app_viewer_internal.h"

#include "base/base_path.h"
#include "sim/sim_guide.h"
#include "unity.h"

#include <SDL2/SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PATIENCE 6000 // turns until something must have happened
#define SECONDS  23

static Trainer trainer;
static AppTrainerDef def;
static char folder[64], path[96];
static bool ended;

// --- hands ---------------------------------------------------------------------------------------

static void turns(int count)
{
    while (count-- > 0)
        TEST_ASSERT_TRUE(app_trainer_turn(&trainer));
}

#define UNTIL(condition)                                                \
    do {                                                                \
        int left_ = PATIENCE;                                           \
        while (!(condition) && left_-- > 0)                             \
            app_trainer_turn(&trainer);                                 \
        TEST_ASSERT_TRUE_MESSAGE(left_ > 0, "never came: " #condition); \
    } while (0)

static const SimPlayerNews* news(void)
{
    return &trainer.news.player;
}

static bool at(double second)
{
    return news()->on && !news()->looking && news()->now == news()->at &&
           news()->now == (uint32_t)(second * WORLD_RATE + 0.5);
}

static void key(SDL_Keycode code)
{
    SDL_Event e = {.key = {.type = SDL_KEYDOWN, .keysym = {.sym = code}}};
    SDL_PushEvent(&e);
    turns(2);
}

static void mouse(Uint32 type, float x, float y)
{
    SDL_Event e = {.type = type};
    if (type == SDL_MOUSEMOTION)
        e.motion = (SDL_MouseMotionEvent){.type = type, .x = (int)x, .y = (int)y};
    else
        e.button = (SDL_MouseButtonEvent){
            .type = type, .button = SDL_BUTTON_LEFT, .x = (int)x, .y = (int)y};
    SDL_PushEvent(&e);
    turns(2);
}

static const ViewerArea* area(ViewerDo what)
{
    for (int k = 0; k < trainer.viewer.areas; ++k)
        if (trainer.viewer.area[k].kind == (int)what)
            return &trainer.viewer.area[k];
    TEST_FAIL_MESSAGE("this button is not drawn");
    return NULL;
}

static void click(ViewerDo what)
{
    ViewerArea a = *area(what);
    mouse(SDL_MOUSEMOTION, a.x + 0.5f * a.w, a.y + 0.5f * a.h);
    mouse(SDL_MOUSEBUTTONDOWN, a.x + 0.5f * a.w, a.y + 0.5f * a.h);
    mouse(SDL_MOUSEBUTTONUP, a.x + 0.5f * a.w, a.y + 0.5f * a.h);
}

static void write_lesson(void)
{
    BaseYamlError error;
    const SimLessonDef lesson_def = {"controls", base_path_find, 1};
    SimLesson* lesson = sim_lesson_create(&lesson_def, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(lesson, error.text);
    const SimLessonWho who = {.driver = "expert", .trainee = "heron", .started = 1700000000};
    SimGuide guide;
    TEST_ASSERT_TRUE(sim_guide_begin(&guide, lesson, OPERATOR_EXPERT, &error));
    TEST_ASSERT_TRUE(sim_lesson_record(lesson, path, &who, &error));
    for (int k = 0; k < SECONDS * WORLD_RATE; ++k) {
        InputFrame frame;
        sim_guide_step(&guide, &frame);
        sim_lesson_step(lesson, &frame);
        sim_lesson_pump(lesson);
    }
    uint64_t hash;
    TEST_ASSERT_TRUE_MESSAGE(sim_lesson_finish(lesson, "test", &hash, &error), error.text);
    sim_lesson_destroy(lesson);
}

void setUp(void)
{
    def = (AppTrainerDef){.pattern = INPUT_PATTERN_ISO,
                          .quality = RENDER_SOFTWARE,
                          .threads = 1,
                          .program = OPERATOR_PIT,
                          .replay = path,
                          .trainee = "wren",
                          .offscreen = true,
                          .width = 480,
                          .height = 270};
    ended = false;
    TEST_ASSERT_EQUAL_INT(0, app_trainer_begin(&trainer, &def));
    UNTIL(trainer.viewer.areas > 0 && at(0.0));
}

void tearDown(void)
{
    if (!ended)
        app_trainer_end(&trainer);
}

// --- claims --------------------------------------------------------------------------------------

// Arrows skip, Home and End are the ends, a full stop is one step.
static void keys_move_through_it(void)
{
    key(SDLK_RIGHT), key(SDLK_RIGHT);
    UNTIL(at(10.0));
    key(SDLK_LEFT);
    UNTIL(at(5.0));
    key(SDLK_PERIOD);
    UNTIL(at(5.0 + 1.0 / WORLD_RATE));
    key(SDLK_END);
    UNTIL(at(SECONDS));
    key(SDLK_HOME);
    UNTIL(at(0.0));
    TEST_ASSERT_TRUE(trainer.viewer.on);
}

// The space bar plays, every second that was simulated is proved, and the space bar stops it.
static void it_plays_and_proves(void)
{
    key(SDLK_UP); // twice as fast
    key(SDLK_SPACE);
    UNTIL(news()->playing && news()->now > 130);
    TEST_ASSERT_EQUAL_DOUBLE(2.0, sim_player_speeds[news()->speed]);
    key(SDLK_SPACE);
    UNTIL(!news()->playing && news()->now == news()->at);
    TEST_ASSERT_TRUE(news()->proved >= 2);
    TEST_ASSERT_EQUAL_UINT32(UINT32_MAX, news()->different);
    uint32_t stands = news()->now;
    turns(20);
    TEST_ASSERT_EQUAL_UINT32(stands, news()->now);
}

// The mouse pulls the timeline along: far from where it began, and it stays where it was let go.
static void a_mouse_pulls_the_timeline(void)
{
    const float* line = trainer.viewer.line;
    float y = line[1] + 0.5f * line[3];
    mouse(SDL_MOUSEMOTION, line[0] + 5.0f, y);
    mouse(SDL_MOUSEBUTTONDOWN, line[0] + 5.0f, y);
    for (int k = 1; k <= 6; ++k)
        mouse(SDL_MOUSEMOTION, line[0] + 0.125f * (float)k * line[2], y);
    float x = (float)(int)(line[0] + 0.75f * line[2]);
    mouse(SDL_MOUSEMOTION, x, y);
    mouse(SDL_MOUSEBUTTONUP, x, y);
    double want = (double)((x - line[0]) / line[2]) * SECONDS;
    UNTIL(news()->now == news()->at && news()->at > 0);
    TEST_ASSERT_DOUBLE_WITHIN(0.05, want, (double)news()->now / WORLD_RATE);
    mouse(SDL_MOUSEMOTION, line[0], y); // nobody holds it any more
    turns(10);
    TEST_ASSERT_DOUBLE_WITHIN(0.05, want, (double)news()->now / WORLD_RATE);
}

// Buttons do what keys do.
static void buttons_obey_the_mouse(void)
{
    ViewCameraKind camera = trainer.camera.kind;
    click(VIEWER_CAMERA);
    TEST_ASSERT_TRUE(trainer.camera.kind != camera);
    click(VIEWER_PLAY);
    UNTIL(news()->playing && news()->now > 10);
    click(VIEWER_PLAY);
    UNTIL(!news()->playing);
    click(VIEWER_MARK_ON);
    UNTIL(news()->now == news()->at);
    click(VIEWER_LEAVE);
    UNTIL(!trainer.viewer.on && trainer.page == PAGE_REPLAYS);
}

// A stick pushed to the side runs along the timeline, faster the farther; its first button plays.
static void a_stick_runs_along_it(void)
{
    const SDL_VirtualJoystickDesc desc = {.version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION,
                                          .type = SDL_JOYSTICK_TYPE_FLIGHT_STICK,
                                          .naxes = 2,
                                          .nbuttons = 8,
                                          .name = "viewer's stick"};
    int index = SDL_JoystickAttachVirtualEx(&desc);
    TEST_ASSERT_TRUE_MESSAGE(index >= 0, SDL_GetError());
    SDL_Joystick* stick = SDL_JoystickOpen(index);
    turns(3);
    SDL_JoystickSetVirtualAxis(stick, 0, 32767);
    UNTIL(news()->at > 6 * WORLD_RATE);
    SDL_JoystickSetVirtualAxis(stick, 0, 0);
    UNTIL(news()->now == news()->at);
    uint32_t stands = news()->at;
    turns(20);
    TEST_ASSERT_EQUAL_UINT32(stands, news()->at);
    SDL_JoystickSetVirtualAxis(stick, 0, -32767);
    UNTIL(at(0.0));
    SDL_JoystickSetVirtualAxis(stick, 0, 0);
    turns(3);
    SDL_JoystickSetVirtualButton(stick, 0, 1);
    UNTIL(news()->playing && news()->now > 10);
    SDL_JoystickClose(stick);
    SDL_JoystickDetachVirtual(index);
}

// From 0:15 on it is somebody else's: the state is the recorded one, nothing moves before its driver begins, and
// the new record names its parent.
static void somebody_takes_over(void)
{
    uint64_t hashes[SIM_LESSON_MODULES + 1];
    BaseYamlError error;
    key(SDLK_RIGHT), key(SDLK_RIGHT), key(SDLK_RIGHT); // faster than anybody can look
    UNTIL(at(15.0));
    key(SDLK_t);
    UNTIL(trainer.page == PAGE_TAKEN && app_session_rests(trainer.session));
    TEST_ASSERT_FALSE(trainer.viewer.on);
    SimLesson* lesson = app_session_lesson(trainer.session);
    TEST_ASSERT_EQUAL_UINT64(15 * WORLD_RATE, world_steps(sim_lesson_world(lesson)));
    sim_lesson_hashes(lesson, hashes);
    RecordReader* parent = record_open(path, &error);
    TEST_ASSERT_EQUAL_MEMORY(record_hashes(parent, 14), hashes, sizeof hashes);
    record_close(parent);
    UNTIL(trainer.news.centered && !trainer.news.unplugged);
    key(SDLK_RETURN); // begin
    UNTIL(trainer.page == PAGE_NONE && trainer.news.step > 16 * WORLD_RATE);
    key(SDLK_ESCAPE);
    UNTIL(trainer.page == PAGE_PAUSE && app_session_rests(trainer.session));
    // left: record and report lie in the folder of who took over
    char record[1024], html[1100];
    snprintf(record, sizeof record, "%s", app_session_path(trainer.session));
    TEST_ASSERT_NOT_NULL(strstr(record, "/records/wren/"));
    app_trainer_end(&trainer);
    ended = true;
    RecordReader* child = record_open(record, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(child, error.text);
    const RecordInfo* info = record_info(child);
    TEST_ASSERT_EQUAL_STRING(strrchr(path, '/') + 1, info->head.parent);
    TEST_ASSERT_EQUAL_UINT32(15 * WORLD_RATE, info->head.parent_step);
    TEST_ASSERT_EQUAL_STRING("wren", info->head.trainee);
    TEST_ASSERT_TRUE(info->complete && info->steps > 16 * WORLD_RATE);
    record_close(child);
    snprintf(html, sizeof html, "%.*s.html", (int)strcspn(record, "."), record);
    TEST_ASSERT_EQUAL_STRING(html, trainer.viewer.report);
    TEST_ASSERT_EQUAL_INT(0, access(html, R_OK));
}

int main(void)
{
    char command[128];
    snprintf(folder, sizeof folder, "/tmp/test_viewer_XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/parent.mrec", folder);
    setenv("XDG_DATA_HOME", folder, 1);
    setenv("XDG_CONFIG_HOME", folder, 1);
    setenv("SDL_AUDIODRIVER", "dummy", 1);
    UNITY_BEGIN();
    write_lesson();
    RUN_TEST(keys_move_through_it);
    RUN_TEST(it_plays_and_proves);
    RUN_TEST(a_mouse_pulls_the_timeline);
    RUN_TEST(buttons_obey_the_mouse);
    RUN_TEST(a_stick_runs_along_it);
    RUN_TEST(somebody_takes_over);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        fprintf(stderr, "%s is left\n", folder);
    return UNITY_END();
}
