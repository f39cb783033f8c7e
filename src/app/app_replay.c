// `mattock replay FILE`: a recorded lesson simulated again: verified, judged anew, or gone on from.
#include "app/app.h"
#include "app/app_lesson.h"
#include "app/app_stop.h"
#include "app/app_trainer.h"

#include "base/base_path.h"
#include "base/base_text.h"
#include "jobs/jobs.h"
#include "lab/lab_args.h"
#include "sim/sim_replay.h"

#include <stdio.h>
#include <string.h>

#define REPLAY_ARENA ((size_t)16 << 20) // bytes of address space, for a lesson's rules

typedef struct ReplayOptions {
    const char *score, *take_over, *hands, *record, *report, *trainee;
    const char *at, *shot;
    int threads, seconds, quality;
    bool verify, quiet, help, headless, offscreen;
} ReplayOptions;

static const char* const qualities[] = {"software", "low", "medium", "high", NULL};

static int refuse(const BaseYamlError* error)
{
    fprintf(stderr, "%s\n", error->text[0] ? error->text : "mattock: not enough memory");
    return error->text[0] ? LAB_EXIT_FILE : LAB_EXIT_MEMORY;
}

// All of it; seconds of wall clock that it took.
static double play(SimReplay* replay, bool quiet)
{
    double begun = app_now(), told = begun;
    while (!app_stopped() && sim_replay_difference(replay)->kind == RECORD_SAME &&
           sim_replay_step(replay)) {
        if (!quiet && app_now() - told > 2.0) {
            told = app_now();
            fprintf(stderr, "%6.1f s simulated again\n", world_time(sim_replay_world(replay)));
        }
    }
    return app_now() - begun;
}

// What the file itself shows: it is cut off, or a byte of it was changed.
static bool whole(SimReplay* replay, const char* path)
{
    const RecordInfo* info = record_info(sim_replay_reader(replay));
    if (!info->damage[0])
        return true;
    printf("%s: %s; what can be proved ends at %u:%02u\n", path, info->damage,
           info->steps / WORLD_RATE / 60, info->steps / WORLD_RATE % 60);
    return false;
}

// The JSON that was asked for; true when none was.
static bool reported(SimReplay* replay, const char* path, const ReplayOptions* o,
                     const ScoreRules* rules)
{
    SimLesson* lesson = sim_replay_lesson(replay);
    if (o->report && !lesson) {
        fprintf(stderr, "%s: free digging has no report\n", path);
        return false;
    }
    return !o->report || app_lesson_report(lesson, rules, record_info(sim_replay_reader(replay)),
                                           path, o->report);
}

static int verify(SimReplay* replay, const char* path, const ReplayOptions* o)
{
    double wall = play(replay, o->quiet);
    const RecordInfo* info = record_info(sim_replay_reader(replay));
    const RecordDifference* d = sim_replay_difference(replay);
    double time = world_time(sim_replay_world(replay));
    bool sound = world_imbalance(sim_replay_world(replay)) == 0;
    if (d->kind != RECORD_SAME) {
        printf("%s: second %u differs first: %s\n", path, d->second, d->text);
        return LAB_EXIT_FAILED;
    }
    if (!whole(replay, path) || app_stopped())
        return LAB_EXIT_FAILED;
    printf("%s: verified, %u seconds of hashes equal with %d threads, %.1f x real time, hash "
           "%016llx%s\n",
           path, info->hashed, o->threads, wall > 0.0 ? time / wall : 0.0,
           (unsigned long long)info->hash, sound ? "" : ", but soil was lost");
    return !reported(replay, path, o, NULL) ? LAB_EXIT_FILE
           : sound                          ? LAB_EXIT_FINE
                                            : LAB_EXIT_FAILED;
}

// Another lesson's criteria on the same measures.
static int score(SimReplay* replay, const char* path, const ReplayOptions* o)
{
    static Scenario scenario;
    BaseYamlError error;
    BaseArena arena;
    char file[4096];
    if (!app_lesson_find(o->score, file)) {
        fprintf(stderr, "%s: is no lesson\n", o->score);
        return LAB_EXIT_FILE;
    }
    if (!base_arena_init(&arena, REPLAY_ARENA))
        return LAB_EXIT_MEMORY;
    bool fine = scenario_load(file, base_path_find, &arena, &scenario, &error);
    base_arena_free(&arena); // rules hold no text
    if (!fine)
        return refuse(&error);
    play(replay, o->quiet);
    SimLesson* lesson = sim_replay_lesson(replay);
    app_lesson_print(lesson, &scenario.rules, o->score);
    const RecordDifference* d = sim_replay_difference(replay);
    bool same = d->kind == RECORD_SAME && whole(replay, path);
    if (d->kind != RECORD_SAME)
        printf("%s: not proved, second %u differs: %s\n", path, d->second, d->text);
    fine = reported(replay, path, o, &scenario.rules);
    return !fine ? LAB_EXIT_FILE : same ? LAB_EXIT_FINE : LAB_EXIT_FAILED;
}

static int take_over(SimReplay* replay, const char* path, const ReplayOptions* o)
{
    double at;
    BaseYamlError error;
    if (!base_text_double(o->take_over, &at) || !(at >= 0.0 && at < 1e6)) {
        fprintf(stderr, "mattock: --take-over cannot be \"%s\"; allowed: seconds from 0 on\n",
                o->take_over);
        return LAB_EXIT_USAGE;
    }
    uint32_t step = (uint32_t)(at * WORLD_RATE + 0.5);
    if (!sim_replay_seek(replay, step, &error)) {
        fprintf(stderr, "%s: %s\n", path, error.text);
        return LAB_EXIT_FILE;
    }
    const RecordDifference* d = sim_replay_difference(replay);
    if (d->kind != RECORD_SAME) {
        printf("%s: second %u differs: %s\n", path, d->second, d->text);
        return LAB_EXIT_FAILED;
    }
    uint64_t hashes[SIM_LESSON_MODULES + 1];
    sim_lesson_hashes(sim_replay_lesson(replay), hashes);
    const uint64_t* kept = step > 0 && step % WORLD_RATE == 0
                               ? record_hashes(sim_replay_reader(replay), step / WORLD_RATE - 1)
                               : NULL;
    printf("%s: taken over at %u:%02u, state %016llx%s\n", path, step / WORLD_RATE / 60,
           step / WORLD_RATE % 60, (unsigned long long)hashes[SIM_LESSON_MODULES],
           !kept                                                    ? ""
           : kept[SIM_LESSON_MODULES] == hashes[SIM_LESSON_MODULES] ? ", as recorded"
                                                                    : ", NOT as recorded");
    if (kept && kept[SIM_LESSON_MODULES] != hashes[SIM_LESSON_MODULES])
        return LAB_EXIT_FAILED;
    AppLessonOptions lesson = {.hands = o->hands,
                               .record = o->record,
                               .report = o->report,
                               .trainee = o->trainee,
                               .parent = strrchr(path, '/') ? strrchr(path, '/') + 1 : path,
                               .seconds = o->seconds ? o->seconds : 86400,
                               .threads = o->threads,
                               .quiet = o->quiet};
    return app_lesson_go_on(sim_replay_lesson(replay), sim_replay_reader(replay), &lesson);
}

// In the window: timeline, cameras, and the way in.
static int look(const char* path, const ReplayOptions* o)
{
    AppTrainerDef def = {.replay = path,
                         .trainee = o->trainee,
                         .pattern = -1,
                         .quality = o->quality,
                         .threads = o->threads,
                         .program = OPERATOR_TRUCK,
                         .seconds = o->seconds,
                         .shot = o->shot,
                         .offscreen = o->offscreen};
    if (o->at && (!base_text_double(o->at, &def.at) || !(def.at >= 0.0 && def.at < 1e6))) {
        fprintf(stderr, "mattock: --at cannot be \"%s\"; allowed: seconds from 0 on\n", o->at);
        return LAB_EXIT_USAGE;
    }
    return app_trainer_run(&def);
}

static int tell(SimReplay* replay, const char* path, const ReplayOptions* o)
{
    play(replay, o->quiet);
    if (sim_replay_lesson(replay))
        app_lesson_print(sim_replay_lesson(replay), NULL, path);
    else
        printf("%s: free digging, %.0f s\n", path, world_time(sim_replay_world(replay)));
    if (!reported(replay, path, o, NULL))
        return LAB_EXIT_FILE;
    return sim_replay_difference(replay)->kind == RECORD_SAME && whole(replay, path)
               ? LAB_EXIT_FINE
               : LAB_EXIT_FAILED;
}

static int help(const LabArg* args)
{
    printf(
        "usage: mattock replay FILE [OPTIONS]\n\n"
        "Opens a recording in the window: play, scrub, look from any side, take over. With one of\n"
        "--verify, --score, --take-over or --headless, and where there is no display, it is\n"
        "simulated again without a window. docs/recordings.md tells more.\n\n");
    lab_args_help(args);
    printf(
        "\nExit code 0: fine, 1: it came out differently, or the file is damaged, 2: wrong usage,\n"
        "4: out of memory, 5: a file is bad, or of another version.\n");
    return LAB_EXIT_FINE;
}

int app_replay(int argc, char** argv)
{
    ReplayOptions o = {.hands = "expert", .threads = 2, .quality = -1};
    const LabArg args[] = {
        {"--verify", LAB_ARG_FLAG, &o.verify, .help = "compare the hash of every second"},
        {"--threads", LAB_ARG_INT, &o.threads, 1, JOBS_WORKERS_MAX, .help = "cores to use"},
        {"--score", LAB_ARG_TEXT, &o.score, .help = "judge it by this lesson's criteria",
         .what = "LESSON"},
        {"--take-over", LAB_ARG_TEXT, &o.take_over, .help = "s: from there on somebody else works",
         .what = "S"},
        {"--operator", LAB_ARG_TEXT, &o.hands,
         .help = "who takes over: expert, novice, random, idle, or a file of levers",
         .what = "WHO"},
        {"--seconds", LAB_ARG_INT, &o.seconds, 1, 86400, .help = "of the lesson, at most, then"},
        {"--record", LAB_ARG_TEXT, &o.record, .help = "what was done from there on goes here"},
        {"--trainee", LAB_ARG_TEXT, &o.trainee, .help = "whose run that is, a pseudonym",
         .what = "NAME"},
        {"--report", LAB_ARG_TEXT, &o.report, .help = "JSON goes here; - is stdout"},
        {"--headless", LAB_ARG_FLAG, &o.headless, .help = "no window"},
        {"--at", LAB_ARG_TEXT, &o.at, .help = "s: where the window begins", .what = "S"},
        {"--quality", LAB_ARG_WORD, &o.quality, .words = qualities,
         .help = "of the picture; as remembered unless told"},
        {"--offscreen", LAB_ARG_FLAG, &o.offscreen, .help = "a window that nobody sees"},
        {"--shot", LAB_ARG_TEXT, &o.shot, .help = "the window's last picture, PNG"},
        {"--quiet", LAB_ARG_FLAG, &o.quiet, .help = "no progress on stderr"},
        {"--help", LAB_ARG_FLAG, &o.help, .help = "this text"},
        {0},
    };
    const char* path = argc > 1 && argv[1][0] != '-' ? argv[1] : NULL;
    if (!lab_args_parse(args, path ? argc - 2 : argc - 1, path ? argv + 2 : argv + 1))
        return LAB_EXIT_USAGE;
    if (o.help)
        return help(args);
    if (!path || o.verify + (o.score != NULL) + (o.take_over != NULL) > 1) {
        fprintf(stderr,
                path ? "mattock: replay does one of --verify, --score and --take-over\n"
                     : "mattock: replay needs a recording, as in `mattock replay F --verify`\n");
        return LAB_EXIT_USAGE;
    }
    bool window = !o.verify && !o.score && !o.take_over && !o.headless && !o.report;
    if (window && (o.offscreen || platform_window_possible()))
        return look(path, &o);
    BaseYamlError error;
    const SimReplayDef def = {path, base_path_find, o.threads, o.score != NULL};
    SimReplay* replay = sim_replay_open(&def, &error);
    if (!replay)
        return refuse(&error);
    if ((o.score || o.take_over) && !sim_replay_lesson(replay)) {
        fprintf(stderr,
                "%s: is a recording of free digging: it has no score, and is taken over in the "
                "window\n",
                path);
        sim_replay_close(replay);
        return LAB_EXIT_FILE;
    }
    app_stop_on_signals();
    int code = o.verify      ? verify(replay, path, &o)
               : o.score     ? score(replay, path, &o)
               : o.take_over ? take_over(replay, path, &o)
                             : tell(replay, path, &o);
    sim_replay_close(replay);
    return code;
}
