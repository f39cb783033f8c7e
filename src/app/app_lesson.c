#include "app/app_lesson.h"

#include "app/app_papers.h"
#include "app/app_stage.h"
#include "app/app_stop.h"
#include "base/base_path.h"
#include "input/input_script.h"
#include "lab/lab_args.h"
#include "sim/sim_guide.h"
#include "sim/sim_lesson_report.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LESSON_PATH     4096
#define LESSON_PROGRESS 1.0 // s between two lines of progress
#define LESSON_TAIL     60  // steps after the built-in operator has put its hands down
#define LESSON_ARENA    ((size_t)16 << 20) // bytes of address space, for a script

typedef struct Hands {
    SimGuide guide;
    InputScript script;
    InputScriptCursor cursor;
    BaseArena arena;
    bool scripted;
    int idle; // steps since nothing was left to do
} Hands;

bool app_lesson_find(const char* name, char* path)
{
    app_stage_find("config/scenarios", name, path);
    return access(path, F_OK) == 0 && scenario_recognise(path);
}

bool app_lesson_recognise(const char* name, bool asked)
{
    char path[LESSON_PATH];
    app_stage_find("config/sites", name, path);
    return (asked || access(path, F_OK) != 0 || strcmp(path, name) == 0) &&
           app_lesson_find(name, path);
}

static bool hands_begin(Hands* hands, SimLesson* lesson, const char* name, BaseYamlError* error)
{
    *error = (BaseYamlError){0};
    for (int k = 0; k < OPERATOR_KINDS; ++k)
        if (strcmp(name, operator_kind_words[k]) == 0)
            return sim_guide_begin(&hands->guide, lesson, (OperatorKind)k, error);
    hands->scripted = true;
    if (!base_arena_init(&hands->arena, LESSON_ARENA) ||
        !input_script_load(name, &hands->arena, &hands->script, error))
        return false;
    hands->cursor = input_script_start(&hands->script);
    return true;
}

// False when nothing is left to do.
static bool hands_step(Hands* hands, InputFrame* out)
{
    if (hands->scripted) {
        bool over = input_script_done(&hands->script, &hands->cursor);
        *out = input_script_step(&hands->script, &hands->cursor);
        return !over;
    }
    sim_guide_step(&hands->guide, out);
    hands->idle += hands->guide.done;
    return hands->idle < LESSON_TAIL;
}

static void progress(SimLesson* lesson, double wall, bool last)
{
    bool terminal = isatty(STDERR_FILENO);
    const SimLessonState* s = sim_lesson_state(lesson);
    double time = world_time(sim_lesson_world(lesson));
    fprintf(stderr, "%s%6.1f s, %4.1f x real time, %3.0f %% done, %d cycles, %d grains%s",
            terminal ? "\r\033[K" : "", time, wall > 0.0 ? time / wall : 0.0,
            100.0 * (double)s->scenario.total, s->score.cycles,
            world_profile(sim_lesson_world(lesson))->grains, terminal && !last ? "" : "\n");
}

void app_lesson_print(SimLesson* lesson, const ScoreRules* rules, const char* what)
{
    ScoreResult r;
    char clock[16];
    sim_lesson_judge(lesson, rules, &r);
    printf("%s: %s at %s, %.1f points, %s (", sim_lesson_scenario(lesson)->title, what,
           score_clock(clock, world_time(sim_lesson_world(lesson))), r.total,
           r.passed ? "passed" : "not passed");
    for (int k = 0; k < SCORE_PILLARS; ++k)
        printf("%s%s %.0f", k ? ", " : "", score_pillar_name(k), r.pillar[k]);
    // of those points so many count
    if (r.reached < 1.0)
        printf("; %.0f %% reached", 100.0 * r.reached);
    printf(")\n");
}

bool app_lesson_report(SimLesson* lesson, const ScoreRules* rules, const RecordInfo* info,
                       const char* recording, const char* path)
{
    static SimLessonReport report;
    BaseYamlError error = {0};
    bool fine = sim_lesson_report(lesson, rules, info, recording, &report) &&
                report_json(&report.data, strcmp(path, "-") ? path : "/dev/stdout", &error);
    if (!fine)
        fprintf(stderr, "%s\n", error.text[0] ? error.text : "mattock: not enough memory");
    sim_lesson_report_free(&report);
    return fine;
}

// Steps until it is over; why.
static const char* work(SimLesson* lesson, Hands* hands, const AppLessonOptions* o)
{
    double begun = app_now(), told = begun, pace = begun;
    const char* reason = NULL;
    InputFrame frame;
    while (!reason) {
        if (!hands_step(hands, &frame))
            reason = "the operator has finished";
        sim_lesson_step(lesson, &frame);
        sim_lesson_pump(lesson);
        const char* news = sim_lesson_news(lesson);
        if (news)
            fprintf(stderr, "%s\n", news);
        const char* over = sim_lesson_over(lesson);
        reason = over ? over : reason;
        if (app_stopped())
            reason = "stopped";
        else if (!reason && world_time(sim_lesson_world(lesson)) >= o->seconds)
            reason = "as long as was asked for";
        if (o->real_time)
            app_keep_pace(world_time(sim_lesson_world(lesson)), &pace);
        if (!o->quiet && (reason || app_now() - told > LESSON_PROGRESS)) {
            told = app_now();
            progress(lesson, told - begun, reason != NULL);
        }
    }
    return reason;
}

static bool record(SimLesson* lesson, RecordReader* parent, const SimLessonWho* who,
                   const AppLessonOptions* o, BaseYamlError* error)
{
    return !o->record ? true
           : parent   ? sim_lesson_record_on(lesson, parent, o->record, who, error)
                      : sim_lesson_record(lesson, o->record, who, error);
}

static int run(SimLesson* lesson, RecordReader* parent, Hands* hands, const AppLessonOptions* o)
{
    BaseYamlError error = {0};
    RecordInfo info = {0};
    SimLessonWho who = {.trainee = o->trainee,
                        .driver = o->hands,
                        .device = "built-in operator",
                        .pattern = "iso",
                        .started = app_date(),
                        .parent = o->parent};
    if (hands->scripted)
        who.device = "script";
    sim_lesson_head(lesson, &who, &info.head);
    if (!record(lesson, parent, &who, o, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return LAB_EXIT_FILE;
    }
    const char* reason = work(lesson, hands, o);
    int code = LAB_EXIT_FINE;
    snprintf(info.reason, sizeof info.reason, "%s", reason);
    if (!sim_lesson_finish(lesson, reason, &info.hash, &error)) {
        fprintf(stderr, "%s\n", error.text);
        code = LAB_EXIT_FILE;
    }
    if (!o->quiet)
        app_lesson_print(lesson, NULL, reason);
    if (o->report && !app_lesson_report(lesson, NULL, &info, o->record, o->report))
        code = LAB_EXIT_FILE;
    if (o->yardstick && !sim_lesson_yardstick_write(lesson, o->yardstick)) {
        fprintf(stderr, "%s: cannot be written\n", o->yardstick);
        code = LAB_EXIT_FILE;
    }
    char html[LESSON_PATH];
    if (o->papers && code == LAB_EXIT_FINE) {
        if (app_papers_of(lesson, o->record, html, &error))
            printf("%s\n%s\n", o->record, html);
        else {
            fprintf(stderr, "%s\n", error.text);
            code = LAB_EXIT_FILE;
        }
    }
    World* world = sim_lesson_world(lesson);
    if (world_imbalance(world) != 0 || !world_audit(world)) {
        fprintf(stderr, "mattock: the ledger does not balance\n");
        code = LAB_EXIT_FAILED;
    }
    return code;
}

int app_lesson_go_on(SimLesson* lesson, RecordReader* parent, const AppLessonOptions* o)
{
    static Hands hands;
    BaseYamlError error;
    signal(SIGXFSZ, SIG_IGN); // a full disk is told, and the lesson goes on
    app_stop_on_signals();
    int code = LAB_EXIT_FILE;
    if (!hands_begin(&hands, lesson, o->hands, &error))
        fprintf(stderr, "%s\n", error.text);
    else
        code = run(lesson, parent, &hands, o);
    base_arena_free(&hands.arena);
    return code;
}

int app_lesson_run(const AppLessonOptions* o)
{
    BaseYamlError error;
    const SimLessonDef def = {o->name, base_path_find, o->threads};
    SimLesson* lesson = sim_lesson_create(&def, &error);
    if (!lesson) {
        fprintf(stderr, "%s\n",
                error.text[0] ? error.text : "mattock: not enough memory for this lesson");
        return error.text[0] ? LAB_EXIT_FILE : LAB_EXIT_MEMORY;
    }
    int code = app_lesson_go_on(lesson, NULL, o);
    sim_lesson_destroy(lesson);
    return code;
}
