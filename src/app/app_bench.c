// `mattock bench render`: how long a picture takes, pass by pass.
#include "app/app.h"

#include "app/app_studio.h"
#include "base/base_clock.h"
#include "base/base_json.h"
#include "base/base_log.h"
#include "bench/bench.h"
#include "lab/lab_args.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BENCH_ARENA   (64u << 20) // bytes
#define BENCH_RATE    20.0        // pictures a second that are asked of the weakest machine
#define BENCH_CHANGED 12          // tiles of the ground that change from picture to picture

typedef struct BenchRender {
    int quality, grains, frames, width, height;
    bool json, help;
} BenchRender;

typedef struct Times {
    double* picture;                                        // [frames] s
    double pass[RENDER_PASS_COUNT], cpu[RENDER_PASS_COUNT]; // s, mean
    double cpu_picture;                                     // s of all processors, mean
    double cpu_thread;                                      // s of the drawing thread alone, mean
    RenderStats stats;
    char card[160];
    int quality;
} Times;

static const char* const qualities[] = {"software", "low", "medium", "high", NULL};
static const char* const passes[RENDER_PASS_COUNT] = {
    "upload", "shadow", "ground", "models", "grains", "sky", "corners", "clear", "ui"};

// --- a scene of known size -----------------------------------------------------------------------

// A heap of grains before the bucket, as if just dumped.
static void heap(ViewState* s, int count, BaseRandom* random)
{
    s->grain_count = base_mini(count, s->grain_capacity);
    for (int i = 0; i < s->grain_count; ++i) {
        float far = 2.6f * sqrtf((float)base_random_range(random, 0.0f, 1.0f));
        float turn = base_random_range(random, 0.0f, 6.28f);
        Vec3 at = {s->anchor.tool.x + far * cosf(turn), 0, s->anchor.tool.z + far * sinf(turn)};
        at.y = view_ground_height(&s->ground, at.x, at.z) +
               base_random_range(random, 0.0f, 0.3f + 0.5f * (2.6f - far));
        s->grain[i] = (ViewGrain){.at = at,
                                  .radius = 0.045f * base_random_range(random, 0.8f, 1.2f),
                                  .id = (uint32_t)i,
                                  .material = 2,
                                  .left = 255};
    }
}

// The camera goes slowly round the machine; some tiles change, as under a bucket.
static void next_frame(AppStudio* s, int frame)
{
    ViewGround* g = &s->state.ground;
    for (int k = 0; k < BENCH_CHANGED; ++k) {
        int tile = (g->tiles_z / 2 + k / 4) * g->tiles_x + g->tiles_x / 2 + k % 4;
        view_ground_touched(g, tile);
    }
    view_frame_between(&s->frame, &s->state, &s->state, 1.0f);
    s->frame.time = (double)frame / BENCH_RATE;
    const ViewAnchor* a = &s->frame.anchor;
    s->frame.camera = view_camera_orbit(a->middle, a->heading, 0.6f + 0.004f * (float)frame, 0.32f,
                                        2.1f * a->size);
    view_draw_clear(&s->draw);
    s->state.hud = (ViewHud){.controls = true,
                             .load = true,
                             .engine = true,
                             .time = (float)frame / 60.0f,
                             .score = 80.0f,
                             .pattern = "ISO",
                             .rpm = 1800.0f};
}

static void measure(AppStudio* s, const BenchRender* b, Times* t)
{
    double begin = 0.0, begin_thread = 0.0;
    for (int frame = -3; frame < b->frames; ++frame) {
        if (frame == 0) {
            begin = base_seconds_process();
            begin_thread = base_seconds_thread();
        }
        next_frame(s, frame);
        view_hud_draw(&s->state.hud, &s->draw, b->width, b->height);
        s->frame.draw = &s->draw;
        double start = base_seconds();
        render_draw(s->render, &s->frame, b->width, b->height);
        platform_window_show(s->window);
        render_finish(s->render);
        if (frame >= 0)
            t->picture[frame] = base_seconds() - start;
        base_progress("drawing", 0.5 * (frame + 3) / (b->frames + 3));
    }
    t->cpu_picture = (base_seconds_process() - begin) / b->frames;
    t->cpu_thread = (base_seconds_thread() - begin_thread) / b->frames;
    // passes apart, waiting after each: their sum is more than a picture takes
    render_time_passes(s->render, true);
    for (int frame = 0; frame < b->frames; ++frame) {
        next_frame(s, frame);
        view_hud_draw(&s->state.hud, &s->draw, b->width, b->height);
        render_draw(s->render, &s->frame, b->width, b->height);
        for (int p = 0; p < RENDER_PASS_COUNT; ++p) {
            t->pass[p] += render_stats(s->render)->seconds[p] / b->frames;
            t->cpu[p] += render_stats(s->render)->cpu[p] / b->frames;
        }
    }
    base_progress_end();
    t->stats = *render_stats(s->render);
    snprintf(t->card, sizeof t->card, "%s", render_card(s->render));
    t->quality = (int)render_quality(s->render);
    base_sort(t->picture, b->frames);
}

// --- telling -------------------------------------------------------------------------------------

static void print_text(const BenchRender* b, const Times* t)
{
    double median = t->picture[b->frames / 2], slow = t->picture[b->frames * 95 / 100];
    printf("%s\n%s, %d x %d, %d grains, %d pictures\n\n", t->card, qualities[t->quality], b->width,
           b->height, t->stats.grains, b->frames);
    printf("picture   %8.2f ms median   %8.2f ms 95 %%   %6.1f per second\n", 1e3 * median,
           1e3 * slow, 1.0 / median);
    printf("          %8.2f ms of processors' time, %.2f ms of it in the drawing thread\n",
           1e3 * t->cpu_picture, 1e3 * t->cpu_thread);
    printf("          %8d draw calls  %8d triangles\n\n", t->stats.draw_calls, t->stats.triangles);
    for (int p = 0; p < RENDER_PASS_COUNT; ++p)
        printf("%-9s %8.2f ms mean     %8.2f ms of processors' time\n", passes[p], 1e3 * t->pass[p],
               1e3 * t->cpu[p]);
}

static bool print_json(const BenchRender* b, const Times* t)
{
    BaseJson json;
    base_json_init(&json);
    base_json_begin_object(&json, NULL);
    base_json_string(&json, "card", t->card);
    base_json_string(&json, "quality", qualities[t->quality]);
    base_json_int(&json, "width", b->width);
    base_json_int(&json, "height", b->height);
    base_json_int(&json, "grains", t->stats.grains);
    base_json_int(&json, "pictures", b->frames);
    base_json_double(&json, "median_ms", 1e3 * t->picture[b->frames / 2]);
    base_json_double(&json, "p95_ms", 1e3 * t->picture[b->frames * 95 / 100]);
    base_json_double(&json, "pictures_per_second", 1.0 / t->picture[b->frames / 2]);
    base_json_double(&json, "cpu_ms", 1e3 * t->cpu_picture);
    base_json_double(&json, "cpu_thread_ms", 1e3 * t->cpu_thread);
    base_json_int(&json, "draw_calls", t->stats.draw_calls);
    base_json_int(&json, "triangles", t->stats.triangles);
    base_json_begin_object(&json, "passes_ms");
    for (int p = 0; p < RENDER_PASS_COUNT; ++p)
        base_json_double(&json, passes[p], 1e3 * t->pass[p]);
    base_json_end(&json);
    base_json_begin_object(&json, "passes_cpu_ms");
    for (int p = 0; p < RENDER_PASS_COUNT; ++p)
        base_json_double(&json, passes[p], 1e3 * t->cpu[p]);
    base_json_end(&json);
    base_json_end(&json);
    bool fine = base_json_write(&json, stdout);
    base_json_free(&json);
    return fine;
}

static int draw(const BenchRender* b, AppStage* stage)
{
    AppStudio s;
    Times t = {.picture = calloc((size_t)b->frames, sizeof(double))};
    BaseRandom random = base_random(3);
    const PlatformWindowDef window = {
        .title = "Mattock", .width = b->width, .height = b->height, .offscreen = true};
    int code = app_studio_open(&s, &window, stage);
    if (code == LAB_EXIT_FINE && t.picture) {
        app_stage_fill(stage, &s.state);
        heap(&s.state, b->grains, &random);
        render_set_quality(s.render, (RenderQuality)b->quality);
        measure(&s, b, &t);
        if (!b->json)
            print_text(b, &t);
        else if (!print_json(b, &t))
            code = LAB_EXIT_FILE;
    }
    app_studio_close(&s);
    free(t.picture);
    return code;
}

static int run(const BenchRender* b)
{
    BaseArena arena;
    BaseYamlError error;
    AppStage stage = {0};
    if (!base_arena_init(&arena, BENCH_ARENA)) {
        base_error("not enough memory to read files");
        return LAB_EXIT_MEMORY;
    }
    int code = LAB_EXIT_FILE;
    const AppStageDef def = {
        .site = "quarry", .vehicle = "excavator_22t", .x = -13.0f, .z = -3.0f, .grains = 1000};
    if (app_stage_load(&stage, &arena, &def, &error))
        code = draw(b, &stage);
    else
        fprintf(stderr, "%s\n", error.text[0] ? error.text : "mattock: not enough memory");
    app_stage_free(&stage);
    base_arena_free(&arena);
    return code;
}

int app_bench(int argc, char** argv)
{
    BenchRender b = {.grains = 10000, .frames = 60, .width = 1280, .height = 720};
    const LabArg args[] = {
        {"--quality", LAB_ARG_WORD, &b.quality, .words = qualities, .help = "software unless told"},
        {"--grains", LAB_ARG_INT, &b.grains, 0, APP_GRAINS, .help = "10000 unless told"},
        {"--frames", LAB_ARG_INT, &b.frames, 5, 10000, .help = "pictures, 60 unless told"},
        {"--width", LAB_ARG_INT, &b.width, 16, 8192, .help = "pixels"},
        {"--height", LAB_ARG_INT, &b.height, 16, 8192, .help = "pixels"},
        {"--json", LAB_ARG_FLAG, &b.json, .help = "one JSON object on stdout"},
        {"--help", LAB_ARG_FLAG, &b.help, .help = "this text"},
        {0},
    };
    if (argc < 2 || strcmp(argv[1], "render") != 0)
        return bench_main(argc, argv);
    if (!lab_args_parse(args, argc - 2, argv + 2))
        return LAB_EXIT_USAGE;
    if (b.help) {
        printf("usage: mattock bench render [OPTIONS]\n\n"
               "Draws the quarry with an excavator and a heap of grains, offscreen.\n\n");
        lab_args_help(args);
        return LAB_EXIT_FINE;
    }
    return run(&b);
}
