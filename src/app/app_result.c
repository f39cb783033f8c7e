// What a lesson came to: points, pillars, what to fix first, and where its papers lie.
#include "app/app_pages_internal.h"

#include "app/app_papers.h"
#include "base/base_log.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RESULT_SHORT (3 * WORLD_RATE) // steps below which a lesson that was left has no report

#define PALE  0xf2f0eaffu
#define DIM   0xb7bcc2ffu
#define AMBER 0xffb531ffu
#define GREEN 0x63d68bffu
#define RED   0xff6a55ffu
#define EDGE  0xffffff2cu

// As it stood when the page was filled last.
static struct {
    bool known, over;
    ScoreResult result;
    ScoreAdvice advice[SCORE_ADVICE_MAX];
    int advices;
    double pass, expert; // points; < 0: unknown
    char reason[96];
} shown;

// --- papers --------------------------------------------------------------------------------------

void app_trainer_papers(Trainer* t, const char* reason)
{
    BaseYamlError error;
    SimLesson* lesson = app_session_lesson(t->session);
    const char* record = app_session_finish(t->session, reason);
    t->viewer.report[0] = '\0';
    if (!record || !lesson ||
        (!sim_lesson_over(lesson) && world_steps(sim_lesson_world(lesson)) < RESULT_SHORT))
        return;
    if (app_papers_of(lesson, record, t->viewer.report, &error)) {
        base_info("report: %s", t->viewer.report);
        return;
    }
    t->viewer.report[0] = '\0';
    base_error("%s", error.text[0] ? error.text : "not enough memory for a report");
    app_trainer_say(t, "The report could not be written; the record is kept.");
}

void app_trainer_put_away(Trainer* t)
{
    if (!t->session)
        return;
    app_session_stop(t->session);
    if (app_session_finishing(t->session))
        app_trainer_papers(t, "left");
    app_session_destroy(t->session);
    t->session = NULL;
}

// --- the page ------------------------------------------------------------------------------------

static void look(const Trainer* t, SimLesson* lesson)
{
    const Scenario* s = sim_lesson_scenario(lesson);
    sim_lesson_judge(lesson, NULL, &shown.result);
    shown.advices =
        score_advise(&sim_lesson_state(lesson)->score, &s->rules, &shown.result, shown.advice);
    shown.pass = s->rules.pass;
    bool same;
    const ScenarioYardstick* yardstick = sim_lesson_yardstick(lesson, &same);
    shown.expert = yardstick ? yardstick->points : -1.0;
    shown.over = t->news.over != NULL;
    snprintf(shown.reason, sizeof shown.reason, "%s", t->news.over ? t->news.over : "");
    shown.known = true;
}

// Only while the simulation rests.
void app_pages_result(Trainer* t)
{
    SimLesson* lesson = app_session_lesson(t->session);
    app_menu_begin(&t->menu, t->news.over ? "The lesson is over" : "So far");
    t->menu.wide = t->menu.narrow = true;
    shown.known = shown.known && lesson;
    if (lesson && app_session_rests(t->session))
        look(t, lesson);
    if (t->viewer.report[0] && t->news.over)
        app_pages_choice(t, DO_REPORT, 0, "Open the report", "R", "");
    app_pages_choice(t, DO_RESTART, 0, "Once more", "", "");
    app_pages_choice(t, DO_GO_ON, 0, "Go on digging", t->news.over ? "not recorded" : "", "");
    if (t->news.over)
        app_pages_choice(t, DO_LAST, 0, "Watch it again", "", "");
    app_pages_choice(t, DO_LEAVE_SITE, 0, "To the menu", "", "");
    if (t->viewer.report[0] && t->news.over)
        snprintf(t->menu.foot, sizeof t->menu.foot, "Report: %.180s", t->viewer.report);
}

// --- its drawing ---------------------------------------------------------------------------------

static uint32_t color_of(double points)
{
    return points >= 75.0 ? GREEN : points >= 50.0 ? AMBER : RED;
}

// The total as a ring, with its number in the middle.
static void ring(ViewDraw* d, float x, float y, float r, float s)
{
    char text[16];
    const ScoreResult* q = &shown.result;
    float from = (float)(-0.5 * BASE_PI), whole = (float)(2.0 * BASE_PI);
    uint32_t color = shown.over ? (q->passed ? GREEN : RED) : color_of(q->total);
    view_draw_arc(d, x, y, r, from, from + whole, 9 * s, 0xffffff1au);
    view_draw_arc(d, x, y, r, from, from + whole * (float)fmax(0.01 * q->total, 0.004), 9 * s,
                  color);
    // what is needed to pass, as a line across the ring
    float pass = from + whole * 0.01f * (float)shown.pass, c = cosf(pass), n = sinf(pass);
    view_draw_line(d, x + c * (r - 9 * s), y + n * (r - 9 * s), x + c * (r + 9 * s),
                   y + n * (r + 9 * s), 2 * s, PALE);
    snprintf(text, sizeof text, "%.0f", q->total);
    view_draw_text(d, x, y + 14 * s, 46 * s, VIEW_CENTER, PALE, text);
    view_draw_text(d, x, y + 33 * s, 13 * s, VIEW_CENTER, DIM, "points");
}

static void pillar(ViewDraw* d, int k, float x, float y, float w, float s)
{
    char text[48];
    double points = shown.result.pillar[k];
    snprintf(text, sizeof text, "%s", score_pillar_name(k));
    text[0] = (char)(text[0] - 'a' + 'A');
    view_draw_text(d, x, y, 16 * s, VIEW_LEFT, PALE, text);
    if (points < 0.0) {
        view_draw_text(d, x + w, y, 14 * s, VIEW_RIGHT, DIM, "not asked for");
        return;
    }
    snprintf(text, sizeof text, "%.0f", points);
    view_draw_text(d, x + w, y, 16 * s, VIEW_RIGHT, PALE, text);
    view_draw_panel(d, x, y + 6 * s, w, 7 * s, 3 * s, 0xffffff1au, 0);
    view_draw_panel(d, x, y + 6 * s, fmaxf(w * 0.01f * (float)points, 4 * s), 7 * s, 3 * s,
                    color_of(points), 0);
}

void app_pages_result_side(const Trainer* t, ViewDraw* d, float s)
{
    const AppMenu* m = &t->menu;
    float x = m->side_x, y = m->side_y, w = m->side_w;
    if (!shown.known)
        return;
    ring(d, x + 66 * s, y + 72 * s, 56 * s, s);
    const char* verdict = !shown.over           ? "so far"
                          : shown.result.passed ? "\u2713 passed"
                                                : "\u2717 not passed";
    view_draw_text(d, x + 66 * s, y + 158 * s, 18 * s, VIEW_CENTER,
                   !shown.over           ? DIM
                   : shown.result.passed ? GREEN
                                         : RED,
                   verdict);
    for (int k = 0; k < SCORE_PILLARS; ++k)
        pillar(d, k, x + 160 * s, y + (26 + 40 * (float)k) * s, w - 160 * s, s);
    if (shown.reason[0]) {
        shown.reason[0] =
            (char)(shown.reason[0] >= 'a' && shown.reason[0] <= 'z' ? shown.reason[0] - 'a' + 'A'
                                                                    : shown.reason[0]);
        view_draw_text(d, x + 160 * s, y + 158 * s, 16 * s, VIEW_LEFT, DIM, shown.reason);
    }
    // why points alone are not enough, and what is possible
    char note[128] = "";
    if (shown.result.value[SCORE_HELPED].value > 0.0)
        snprintf(note, sizeof note, "Shown by the built-in operator: not your points. ");
    else if (shown.result.reached < 1.0)
        snprintf(note, sizeof note, "Goals reached to %d %%: so much of the points counts. ",
                 (int)(100.0 * shown.result.reached));
    size_t used = strlen(note);
    if (shown.expert >= 0.0)
        snprintf(note + used, sizeof note - used, "The built-in expert has %.0f points.",
                 shown.expert);
    if (note[0]) {
        view_draw_text(d, x, y + 182 * s, 14 * s, VIEW_LEFT, DIM, note);
        y += 20 * s;
    }
    y += 184 * s;
    view_draw_line(d, x, y, x + w, y, 1.0f, EDGE);
    view_draw_text(d, x, y + 26 * s, 17 * s, VIEW_LEFT, PALE,
                   shown.advices ? "To fix first" : "Nothing that costs points. Well done.");
    y += 56 * s;
    for (int k = 0; k < shown.advices; ++k) {
        char number[16], text[512];
        snprintf(number, sizeof number, "%d", k + 1);
        // the last ones give way when there is little room
        float room = m->side_y + m->side_h - y;
        if (room < 40 * s)
            return;
        view_draw_disc(d, x + 12 * s, y - 5 * s, 11 * s, AMBER);
        view_draw_text(d, x + 12 * s, y, 15 * s, VIEW_CENTER, 0x14191fffu, number);
        snprintf(text, sizeof text, "%s", shown.advice[k].text);
        int lines = app_menu_paragraph(d, x + 34 * s, y, w - 34 * s, 14.5f * s, DIM, text);
        y += 1.4f * 14.5f * s * (float)lines + 12 * s;
    }
}
