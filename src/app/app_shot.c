// `mattock shot SCENARIO`: a picture of a lesson or a site at a moment, drawn without a screen.
#include "app/app.h"

#include "app/app_lesson.h"
#include "app/app_session.h"
#include "app/app_studio.h"
#include "base/base_log.h"
#include "base/base_text.h"
#include "lab/lab_args.h"
#include "plot/plot_canvas.h"

#include <stdio.h>
#include <string.h>

#define SHOT_ARENA (16u << 20) // bytes
#define SHOT_POUR  3.0         // s in which grains are poured

typedef struct Shot {
    int camera, quality; // indices of their words
    const char *out, *at, *size, *eye, *look, *sun, *cut, *vehicle, *stand, *joints;
    int pour, threads;
    bool help, hud, lesson;
    int width, height;
    double seconds;
    ViewCamera view;
    bool own_view;
    float sun_at[2];
    float hole[4], place[3], angle[4];
    bool own_sun, own_cut;
} Shot;

static const char* const cameras[] = {"chase", "cab", "bucket", "side", "plan", "free", NULL};
static const char* const qualities[] = {"software", "low", "medium", "high", NULL};

// --- words of the command line -------------------------------------------------------------------

// "1,2,3" into floats; false when there are more or fewer, or no numbers.
static bool numbers(const char* text, float* out, int count)
{
    char part[64];
    for (int k = 0; k < count; ++k) {
        size_t length = strcspn(text, ",");
        double value;
        if (length >= sizeof part)
            return false;
        memcpy(part, text, length);
        part[length] = '\0';
        if (!base_text_double(part, &value) || value < -1e5 || value > 1e5)
            return false;
        out[k] = (float)value;
        text += length;
        if (*text == ',' && k + 1 < count)
            ++text;
    }
    return *text == '\0';
}

static bool size_of(const char* text, int* w, int* h)
{
    char part[16];
    size_t length = strcspn(text, "x");
    if (text[length] != 'x' || length >= sizeof part)
        return false;
    memcpy(part, text, length);
    part[length] = '\0';
    return base_text_int(part, w) && base_text_int(text + length + 1, h) && *w >= 16 && *h >= 16 &&
           *w <= PLOT_SIZE_MAX && *h <= PLOT_SIZE_MAX;
}

static bool wrong(const char* option, const char* value, const char* allowed)
{
    fprintf(stderr, "mattock: %s \"%s\" is not understood; allowed: %s\n", option, value, allowed);
    return false;
}

static bool read_words(Shot* s)
{
    float eye[3], look[3] = {0};
    if (s->at && (!base_text_double(s->at, &s->seconds) || s->seconds < 0.0 || s->seconds > 3600.0))
        return wrong("--at", s->at, "seconds from 0 to 3600");
    if (s->size && !size_of(s->size, &s->width, &s->height))
        return wrong("--size", s->size, "WIDTHxHEIGHT, 16 to 8192 pixels each");
    if (s->eye && !numbers(s->eye, eye, 3))
        return wrong("--eye", s->eye, "X,Y,Z in metres");
    if (s->look && !numbers(s->look, look, 3))
        return wrong("--look", s->look, "X,Y,Z in metres");
    if (s->sun && !numbers(s->sun, s->sun_at, 2))
        return wrong("--sun", s->sun, "AZIMUTH,ELEVATION in degrees");
    if (s->cut && !numbers(s->cut, s->hole, 4))
        return wrong("--cut", s->cut, "X,Z,RADIUS,DEPTH in metres");
    if (s->stand && !numbers(s->stand, s->place, 3))
        return wrong("--stand", s->stand, "X,Z,HEADING in metres and degrees");
    if (s->joints && !numbers(s->joints, s->angle, 4))
        return wrong("--joints", s->joints, "SWING,BOOM,STICK,BUCKET in degrees");
    if (s->sun && (s->sun_at[1] < 3.0f || s->sun_at[1] > 90.0f))
        return wrong("--sun", s->sun, "an elevation from 3 to 90 degrees");
    s->own_view = s->eye != NULL, s->own_sun = s->sun != NULL, s->own_cut = s->cut != NULL;
    if (s->own_view)
        s->view =
            view_camera_look(vec3(eye[0], eye[1], eye[2]), vec3(look[0], look[1], look[2]), 0.87f);
    return true;
}

// --- drawing -------------------------------------------------------------------------------------

static int draw(const Shot* shot, AppStudio* s, const ViewState* state)
{
    AppTake take = {.camera = shot->own_view
                                  ? shot->view
                                  : view_camera_place((ViewCameraKind)shot->camera, &state->anchor),
                    .focus = state->anchor.middle,
                    .readings = shot->hud,
                    .width = shot->width,
                    .height = shot->height};
    // shadows are sharp where the camera looks
    if (shot->own_view)
        take.focus = vec3_mad(take.camera.eye, take.camera.forward, 9.0f);
    if (shot->own_sun)
        s->frame.sun =
            view_sun((float)BASE_DEG * shot->sun_at[0], (float)BASE_DEG * shot->sun_at[1]);
    if (shot->quality >= 0)
        render_set_quality(s->render, (RenderQuality)shot->quality);
    return app_studio_take(s, state, &take, shot->out) ? LAB_EXIT_FINE : LAB_EXIT_FILE;
}

static PlatformWindowDef window_of(const Shot* shot)
{
    return (PlatformWindowDef){
        .title = "Mattock", .width = shot->width, .height = shot->height, .offscreen = true};
}

static int refused(const BaseYamlError* error)
{
    fprintf(stderr, "%s\n", error->text[0] ? error->text : "mattock: not enough memory");
    return error->text[0] ? LAB_EXIT_FILE : LAB_EXIT_MEMORY;
}

// --- a lesson until the moment -------------------------------------------------------------------

static int run_lesson(const char* name, const Shot* shot)
{
    char path[4096];
    AppStudio studio;
    BaseYamlError error;
    const ViewState *a, *b;
    app_lesson_find(name, path);
    const AppSessionDef def = {.name = name, .lesson = path, .sim.threads = shot->threads};
    const PlatformWindowDef window = window_of(shot);
    AppSession* session = app_session_create(&def, &error);
    if (!session)
        return refused(&error);
    int steps = base_maxi((int)(shot->seconds * 60.0 + 0.5), 1);
    for (int k = 0; k < steps; ++k) {
        app_session_step(session, NULL);
        base_progress("simulating", (double)k / steps);
    }
    base_progress_end();
    int code = app_studio_begin(&studio, &window);
    if (code == LAB_EXIT_FINE && app_session_states(session, &a, &b)) {
        app_studio_world(&studio, app_session_scene(session)->view);
        code = draw(shot, &studio, b);
    }
    app_studio_close(&studio);
    app_session_destroy(session);
    return code;
}

// --- the site until the moment -------------------------------------------------------------------

static void run_until(const Shot* shot, AppStage* stage)
{
    ViewAnchor anchor = view_world_anchor(stage->world, -1);
    int steps = (int)(shot->seconds * 60.0 + 0.5), poured = 0;
    if (shot->own_cut)
        app_stage_cut(stage, shot->hole[0], shot->hole[1], shot->hole[2], shot->hole[3]);
    for (int k = 0; k < steps; ++k) {
        int due = base_mini((int)(shot->pour * (k / 60.0) / SHOT_POUR), shot->pour);
        app_stage_pour(stage, anchor.tool.x, anchor.tool.z, 0.55f, due - poured);
        poured = due;
        app_stage_step(stage);
        base_progress("simulating", (double)k / steps);
    }
    base_progress_end();
}

// The arm as the command line wants it.
static void bend(const Shot* shot, AppStage* stage)
{
    static const char* const body[4] = {"house", "boom", "stick", "bucket"};
    if (!shot->vehicle || !shot->joints)
        return;
    for (int k = 0; k < 4; ++k) {
        int b = machine_find_body(world_machine_def(stage->world, 0), body[k]);
        if (b > 0)
            machine_set_joint(world_machine(stage->world, 0), b, BASE_DEG * (double)shot->angle[k]);
    }
}

static int run_site(BaseArena* arena, const char* site, const Shot* shot)
{
    AppStage stage;
    AppStudio studio;
    BaseYamlError error;
    const AppStageDef def = {.site = site,
                             .vehicle = shot->vehicle,
                             .x = shot->place[0],
                             .z = shot->place[1],
                             .heading = (float)BASE_DEG * shot->place[2],
                             .grains = APP_GRAINS};
    if (!app_stage_load(&stage, arena, &def, &error))
        return refused(&error);
    bend(shot, &stage);
    run_until(shot, &stage);
    const PlatformWindowDef window = window_of(shot);
    int code = app_studio_open(&studio, &window, &stage);
    if (code == LAB_EXIT_FINE) {
        app_stage_fill(&stage, &studio.state);
        studio.state.hud.time = (float)studio.state.time;
        code = draw(shot, &studio, &studio.state);
    }
    app_studio_close(&studio);
    app_stage_free(&stage);
    return code;
}

static int help(const LabArg* args)
{
    printf("usage: mattock shot SCENARIO --at S --camera C --out F.png [OPTIONS]\n\n"
           "Draws a moment as the trainer shows it. No screen is needed: OpenGL may be Mesa's\n"
           "software rasteriser. SCENARIO is a lesson's file or name: the built-in operator works\n"
           "at it until the moment. Or it is a site's file or name: nobody works there.\n\n");
    lab_args_help(args);
    printf("\nExit code 0: fine, 3: no OpenGL 3.3, 5: a file is bad or cannot be written.\n");
    return LAB_EXIT_FINE;
}

int app_shot(int argc, char** argv)
{
    Shot shot = {.quality = -1, .width = 1280, .height = 720, .threads = 2};
    const LabArg args[] = {
        {"--out", LAB_ARG_TEXT, &shot.out, .help = "the picture, PNG"},
        {"--camera", LAB_ARG_WORD, &shot.camera, .words = cameras,
         .help = "where it is taken from"},
        {"--at", LAB_ARG_TEXT, &shot.at, .help = "seconds after the beginning", .what = "S"},
        {"--size", LAB_ARG_TEXT, &shot.size, .help = "1280x720 unless told", .what = "WxH"},
        {"--quality", LAB_ARG_WORD, &shot.quality, .words = qualities, .help = "of the picture"},
        {"--eye", LAB_ARG_TEXT, &shot.eye, .help = "X,Y,Z: a camera of your own, m",
         .what = "X,Y,Z"},
        {"--look", LAB_ARG_TEXT, &shot.look, .help = "X,Y,Z: what it looks at, m", .what = "X,Y,Z"},
        {"--sun", LAB_ARG_TEXT, &shot.sun, .help = "AZIMUTH,ELEVATION in degrees", .what = "AZ,EL"},
        {"--pour", LAB_ARG_INT, &shot.pour, 0, APP_GRAINS - 4000,
         .help = "grains poured onto the middle"},
        {"--cut", LAB_ARG_TEXT, &shot.cut,
         .help = "X,Z,RADIUS,DEPTH: a hole dug at the beginning, m", .what = "X,Z,R,DEPTH"},
        {"--vehicle", LAB_ARG_TEXT, &shot.vehicle, .help = "a machine that stands there",
         .what = "NAME"},
        {"--stand", LAB_ARG_TEXT, &shot.stand, .help = "X,Z,HEADING: where, m and degrees",
         .what = "X,Z,HEADING"},
        {"--joints", LAB_ARG_TEXT, &shot.joints, .help = "SWING,BOOM,STICK,BUCKET, degrees",
         .what = "A,B,C,D"},
        {"--hud", LAB_ARG_FLAG, &shot.hud, .help = "with what the operator reads"},
        {"--lesson", LAB_ARG_FLAG, &shot.lesson,
         .help = "the lesson, where a site has the same name"},
        {"--threads", LAB_ARG_INT, &shot.threads, 1, JOBS_WORKERS_MAX,
         .help = "cores that work at a lesson"},
        {"--help", LAB_ARG_FLAG, &shot.help, .help = "this text"},
        {0},
    };
    const char* site = argc > 1 && argv[1][0] != '-' ? argv[1] : NULL;
    int skip = site ? 2 : 1;
    if (!lab_args_parse(args, argc - skip, argv + skip))
        return LAB_EXIT_USAGE;
    if (shot.help)
        return help(args);
    if (!site || !shot.out) {
        fprintf(stderr, "mattock: shot needs a lesson or a site and --out, as in "
                        "`mattock shot pit --at 20 --camera cab --out pit.png`\n");
        return LAB_EXIT_USAGE;
    }
    BaseArena arena;
    if (!read_words(&shot))
        return LAB_EXIT_USAGE;
    if (app_lesson_recognise(site, shot.lesson)) {
        if (!shot.vehicle && !shot.stand && !shot.joints && !shot.cut && !shot.pour)
            return run_lesson(site, &shot);
        fprintf(stderr, "mattock: --vehicle, --stand, --joints, --cut and --pour are for sites; "
                        "a lesson has its own machine and ground\n");
        return LAB_EXIT_USAGE;
    }
    if (shot.lesson) {
        fprintf(stderr,
                "mattock: no lesson is called \"%s\"; `mattock play --help` tells where "
                "lessons lie\n",
                site);
        return LAB_EXIT_FILE;
    }
    if (!base_arena_init(&arena, SHOT_ARENA)) {
        base_error("not enough memory to read files");
        return LAB_EXIT_MEMORY;
    }
    int code = run_site(&arena, site, &shot);
    base_arena_free(&arena);
    return code;
}
