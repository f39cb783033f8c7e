// `mattock pictures`: what the trainer looks like, drawn from real simulation without a screen.
#include "app/app.h"

#include "app/app_folder.h"
#include "app/app_stage.h"
#include "app/app_trainer_internal.h"
#include "base/base_log.h"
#include "base/base_path.h"
#include "lab/lab_args.h"

#include <stdio.h>
#include <string.h>

#define PICTURE_W     1280
#define PICTURE_H     720
#define PICTURE_LIMIT 5400 // steps until a moment must have come
#define PICTURE_ARENA ((size_t)1 << 20)
#define PICTURE_PUSH  420 // steps a dozer pushes
#define PICTURE_FALL  75  // steps after a wall was cut

// When it is taken: the operator in this phase, so many cycles done, so many steps into it.
typedef struct Picture {
    const char* name;
    int phase, cycles, steps;
    ViewCameraKind camera;
    bool own; // eye and target of its own, m ahead, up and right of the machine's middle
    Vec3 eye, look;
    bool tool; // those are from the tool
    bool readings;
} Picture;

typedef struct Scene {
    const char *site, *vehicle;
    int program;
    const Picture* picture;
    int pictures;
} Scene;

static const Picture loading[] = {
    {"cab", OPERATOR_DRAG, 1, 70, VIEW_CAMERA_CAB, .readings = true},
    {"chase", OPERATOR_HAUL, 1, 55, VIEW_CAMERA_CHASE, .readings = true},
    {"truck", OPERATOR_DUMP, 2, 35, .own = true, .tool = true, .eye = {-3.2f, 2.0f, -6.4f},
     .look = {0.3f, -1.0f, 0.0f}},
    {"plan", OPERATOR_DRAG, 3, 40, VIEW_CAMERA_PLAN, .readings = true},
};
static const Picture trench[] = {
    {"trench", OPERATOR_LIFT, 4, 5, .own = true, .tool = true, .eye = {5.6f, 3.3f, 2.1f},
     .look = {-0.6f, -1.2f, -0.3f}, .readings = true},
};
static const Picture clay[] = {
    {"clay", OPERATOR_HAUL, 1, 30, .own = true, .tool = true, .eye = {2.4f, 1.6f, 3.8f},
     .look = {-0.2f, 0.1f, 0.0f}},
};
static const Picture dozer[] = {
    {"dozer", -1, 0, PICTURE_PUSH, .own = true, .tool = true, .eye = {4.0f, 1.0f, 3.4f},
     .look = {-1.5f, 0.55f, -0.1f}},
};
static const Picture wall[] = {
    {"wall", -1, 0, PICTURE_FALL, .own = true, .tool = true, .eye = {8.2f, 2.0f, 3.4f},
     .look = {0.4f, -0.8f, -0.2f}},
};

#define SCENE(site, vehicle, program, list)                               \
    {                                                                     \
        site, vehicle, program, list, (int)(sizeof list / sizeof list[0]) \
    }
static const Scene scenes[] = {
    SCENE("flat", "excavator_22t", OPERATOR_TRUCK, loading),
    SCENE("flat", "excavator_22t", OPERATOR_TRENCH, trench),
    SCENE("clay", "excavator_22t", OPERATOR_TRUCK, clay),
    SCENE("flat", "dozer_20t", OPERATOR_PIT, dozer),
    SCENE("sand", "excavator_22t", OPERATOR_PIT, wall),
};

// --- one picture ---------------------------------------------------------------------------------

static ViewCamera aim(const Picture* p, const ViewAnchor* a)
{
    if (!p->own)
        return view_camera_place(p->camera, a);
    Vec3 from = p->tool ? a->tool : a->middle, up = {0, 1, 0};
    Vec3 right = vec3_cross(a->heading, up);
    Vec3 eye =
        vec3_mad(vec3_mad(vec3_mad(from, a->heading, p->eye.x), up, p->eye.y), right, p->eye.z);
    Vec3 at =
        vec3_mad(vec3_mad(vec3_mad(from, a->heading, p->look.x), up, p->look.y), right, p->look.z);
    return view_camera_look(eye, at, 0.87f);
}

static bool take(const Picture* p, AppStudio* s, AppSession* session, const char* folder)
{
    char path[TRAINER_PATH];
    const ViewState *a, *b;
    if (!app_session_states(session, &a, &b))
        return false;
    const AppTake shot = {.camera = aim(p, &b->anchor),
                          .focus = b->anchor.middle,
                          .readings = p->readings,
                          .width = PICTURE_W,
                          .height = PICTURE_H};
    snprintf(path, sizeof path, "%s/%s.png", folder, p->name);
    bool fine = app_studio_take(s, b, &shot, path);
    fprintf(stderr, "%s\n", path);
    return fine;
}

// --- a scene -------------------------------------------------------------------------------------

static bool ready(const Picture* p, const OperatorState* op)
{
    return op->phase == p->phase && op->cycles >= p->cycles && op->frames >= p->steps;
}

// Levers of a dozer that cuts a hand deep and drives.
static InputFrame push(World* w, int step)
{
    const MachineTool* blade = &world_machine_def(w, 0)->tools[0];
    Vec3 edge = machine_to_world(world_machine(w, 0), blade->body, blade->edge_a);
    float above = edge.y - terrain_height(world_terrain(w), edge.x, edge.z);
    InputFrame f = {.pattern = INPUT_PATTERN_DOZER};
    f.lever[INPUT_BLADE] = (int16_t)(32767.0f * base_clampf(-4.0f * (above + 0.12f), -1.0f, 1.0f));
    if (step > 60)
        f.lever[INPUT_TRACK_LEFT] = f.lever[INPUT_TRACK_RIGHT] = 16000;
    return f;
}

static bool play(const Scene* scene, AppStudio* studio, AppSession* session, const char* folder)
{
    const OperatorState* op = &sim_operator(app_session_sim(session))->state;
    World* world = sim_world(app_session_sim(session));
    int next = 0;
    bool fine = true;
    for (int step = 0; next < scene->pictures && step < PICTURE_LIMIT; ++step) {
        const Picture* p = &scene->picture[next];
        const InputFrame frame =
            p->phase < 0 && scene->picture == dozer ? push(world, step) : (InputFrame){0};
        if (scene->picture == wall && step == 0) {
            AppStage stage = {.world = world, .view = app_session_scene(session)->view};
            app_stage_cut(&stage, 5.5f, 0.0f, 2.6f, 3.4f);
        }
        app_session_step(session, p->phase < 0 ? &frame : NULL);
        if (p->phase < 0 ? step >= p->steps : ready(p, op)) {
            fine = take(p, studio, session, folder) && fine;
            next++;
        }
        base_progress(p->name, (double)step / PICTURE_LIMIT);
    }
    base_progress_end();
    for (; next < scene->pictures; ++next)
        base_warn("%s: the moment never came", scene->picture[next].name), fine = false;
    return fine;
}

static int show(const Scene* scene, AppStudio* studio, const char* folder, int threads)
{
    static char site[TRAINER_PATH], vehicle[TRAINER_PATH], truck[TRAINER_PATH],
        materials[TRAINER_PATH], calibration[TRAINER_PATH];
    BaseYamlError error = {0};
    base_path_find("config/materials.yaml", materials, sizeof materials);
    base_path_find("config/calibration.yaml", calibration, sizeof calibration);
    app_stage_find("config/sites", scene->site, site);
    app_stage_find("vehicles", scene->vehicle, vehicle);
    app_stage_find("vehicles", "truck_24t", truck);
    bool works = scene->picture != dozer && scene->picture != wall;
    AppSessionDef def = {.name = scene->site};
    def.sim = (SimDef){.site = site,
                       .materials = materials,
                       .calibration = calibration,
                       .vehicle = vehicle,
                       .kind = works ? OPERATOR_EXPERT : OPERATOR_IDLE,
                       .program = scene->program,
                       .depth = 1.5f,
                       .place = {-4.0f, 0.0f, 0.0f},
                       .truck = scene->program == OPERATOR_TRUCK ? truck : NULL,
                       .radius = 0.045f,
                       .pool = 16000,
                       .births = 600,
                       .threads = threads,
                       .seconds = 1e9,
                       .seed = 1};
    AppSession* session = app_session_create(&def, &error);
    if (!session) {
        fprintf(stderr, "%s\n", error.text[0] ? error.text : "mattock: not enough memory");
        return error.text[0] ? LAB_EXIT_FILE : LAB_EXIT_MEMORY;
    }
    app_studio_world(studio, app_session_scene(session)->view);
    if (!works)
        app_session_scene(session)->goals = 0; // nobody asks for anything
    bool fine = play(scene, studio, session, folder);
    app_session_destroy(session);
    return fine ? LAB_EXIT_FINE : LAB_EXIT_FAILED;
}

// Pages of the menu; those that are no part of the ten are drawn when they are asked for.
static const struct {
    const char* name;
    TrainerPage page;
    bool usual;
} pages[] = {
    {"menu", PAGE_MAIN, true},         {"devices", PAGE_DEVICE, true},
    {"functions", PAGE_ASSIGN, false}, {"lever", PAGE_LEVER, false},
    {"lessons", PAGE_LESSONS, false},  {"pause", PAGE_PAUSE, false},
    {"away", PAGE_AWAY, false},        {"card", PAGE_HELP, false},
};

// Over a site at work.
static int page(const char* name, TrainerPage number, const char* folder, int threads,
                const int size[2])
{
    char path[TRAINER_PATH];
    snprintf(path, sizeof path, "%s/%s.png", folder, name);
    const AppTrainerDef def = {.pattern = -1,
                               .quality = RENDER_HIGH,
                               .threads = threads,
                               .page = (int)number,
                               .program = OPERATOR_TRUCK,
                               .pretend = true,
                               .width = size[0],
                               .height = size[1],
                               .offscreen = true,
                               .seconds = 3,
                               .shot = path};
    int code = app_trainer_run(&def);
    fprintf(stderr, "%s\n", path);
    return code;
}

static int run(const char* folder, const char* only, int threads, const int size[2])
{
    AppStudio studio;
    int code = LAB_EXIT_FINE;
    const PlatformWindowDef window = {
        .title = "Mattock", .width = PICTURE_W, .height = PICTURE_H, .offscreen = true};
    for (int k = 0; k < (int)(sizeof scenes / sizeof scenes[0]) && code == LAB_EXIT_FINE; ++k) {
        if (only && strcmp(only, scenes[k].picture[0].name) != 0)
            continue;
        code = app_studio_begin(&studio, &window);
        if (code == LAB_EXIT_FINE) {
            render_set_quality(studio.render, RENDER_HIGH);
            studio.frame.sun = view_sun(0.9f, 0.75f);
            code = show(&scenes[k], &studio, folder, threads);
        }
        app_studio_close(&studio);
    }
    for (size_t k = 0; k < sizeof pages / sizeof pages[0] && code == LAB_EXIT_FINE; ++k)
        if (only ? strcmp(only, pages[k].name) == 0 : pages[k].usual)
            code = page(pages[k].name, pages[k].page, folder, threads, size);
    return code;
}

int app_pictures(int argc, char** argv)
{
    const char *folder = "build/pictures", *only = NULL;
    int threads = 2, size[2] = {PICTURE_W, PICTURE_H};
    bool help = false;
    const LabArg args[] = {
        {"--out", LAB_ARG_TEXT, &folder, .help = "folder", .what = "FOLDER"},
        {"--only", LAB_ARG_TEXT, &only,
         .help =
             "cab (with chase, truck, plan), trench, clay, dozer, wall, menu, devices, functions, "
             "lever, lessons, pause, away, card",
         .what = "NAME"},
        {"--width", LAB_ARG_INT, &size[0], 320, 8192, .help = "pixels, of pages of the menu"},
        {"--height", LAB_ARG_INT, &size[1], 200, 8192, .help = "pixels, of pages of the menu"},
        {"--threads", LAB_ARG_INT, &threads, 1, JOBS_WORKERS_MAX, .help = "cores to use"},
        {"--help", LAB_ARG_FLAG, &help, .help = "this text"},
        {0},
    };
    if (!lab_args_parse(args, argc - 1, argv + 1))
        return LAB_EXIT_USAGE;
    if (help) {
        printf("usage: mattock pictures [OPTIONS]\n\nDraws what the trainer looks like, without a "
               "screen.\n\n");
        lab_args_help(args);
        return LAB_EXIT_FINE;
    }
    if (!app_folder_make(folder)) {
        fprintf(stderr, "%s: this folder cannot be made\n", folder);
        return LAB_EXIT_FILE;
    }
    return run(folder, only, threads, size);
}
