// Pages about recordings: the list, the offer after a crash, the hand-over; and who is here.
#include "app/app_pages_internal.h"

#include "app/app_folder.h"
#include "app/app_papers.h"
#include "app/app_viewer_internal.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NOBODY "nobody"

static void clock_of(char out[16], uint32_t seconds)
{
    snprintf(out, 16, "%u:%02u", seconds / 60, seconds % 60);
}

// --- who is here ---------------------------------------------------------------------------------

const char* app_trainer_trainee(const Trainer* t)
{
    const char* who = t->def->trainee ? t->def->trainee : t->settings.trainee;
    return who && strcmp(who, NOBODY) != 0 ? who : NULL;
}

const char* app_trainer_pattern_word(const Trainer* t)
{
    return t->settings.pattern == INPUT_PATTERN_SAE ? "sae" : "iso";
}

const char* app_trainer_device_word(const Trainer* t)
{
    for (int k = 0; k < platform_input_devices(t->input); ++k)
        if (platform_input_device(t->input, k)->plugged)
            return platform_input_device(t->input, k)->name;
    return "keyboard";
}

static void set_trainee(Trainer* t, const char* name)
{
    snprintf(t->settings.who, sizeof t->settings.who, "%.60s", name);
    t->settings.trainee = t->settings.who;
    app_settings_save(&t->settings);
}

// Those who have a folder among the records.
static void look_for_people(Trainer* t)
{
    AppViewer* v = &t->viewer;
    char folder[TRAINER_PATH];
    DIR* dir = app_folder_data("records", folder, sizeof folder) ? opendir(folder) : NULL;
    v->person_count = 0;
    for (struct dirent* e; dir && v->person_count < 32 && (e = readdir(dir)) != NULL;)
        if (e->d_type == DT_DIR && app_shelf_is_name(e->d_name))
            snprintf(v->people[v->person_count++], sizeof v->people[0], "%.60s", e->d_name);
    if (dir)
        closedir(dir);
}

void app_viewer_next_trainee(Trainer* t, int by)
{
    AppViewer* v = &t->viewer;
    const char* now = t->settings.trainee;
    int at = -1; // nobody
    look_for_people(t);
    for (int k = 0; k < v->person_count; ++k)
        at = strcmp(v->people[k], now) == 0 ? k : at;
    at = (at + 1 + by + v->person_count + 1) % (v->person_count + 1) - 1;
    set_trainee(t, at < 0 ? NOBODY : v->people[at]);
}

void app_viewer_row_trainee(Trainer* t)
{
    app_pages_turn(t, DO_TRAINEE, "Trainee", t->settings.trainee,
                   "Whose runs these are: a pseudonym. Left and right choose among those who are "
                   "known here, Enter writes a new one. Records, results and the trend belong to "
                   "it; `mattock records` lists, exports and erases them.");
}

static void fill_trainee(Trainer* t)
{
    char name[96];
    AppViewer* v = &t->viewer;
    app_menu_begin(&t->menu, "Who is here?");
    snprintf(name, sizeof name, "%s_", v->typed);
    snprintf(t->menu.text, sizeof t->menu.text,
             "Write a pseudonym: a to z, 0 to 9 and -, then Enter.\n\nIt stands in records and "
             "reports in place of a name, so that only the training centre knows whose they are.");
    app_pages_choice(t, DO_TRAINEE_TYPED, 0, name, "", "");
    look_for_people(t);
    for (int k = 0; k < v->person_count; ++k)
        app_pages_choice(t, DO_TRAINEE_KNOWN, k, v->people[k], "", "");
    app_pages_choice(t, DO_TRAINEE_KNOWN, -1, "Nobody: records without a name", "", "");
    app_pages_choice(t, DO_PAGE, PAGE_MAIN, "Back", "", "");
}

// A letter of the pseudonym; true when it was one.
bool app_viewer_type(Trainer* t, const PlatformEvent* e)
{
    AppViewer* v = &t->viewer;
    size_t length = strlen(v->typed);
    char c = e->name[0];
    if (t->page != PAGE_TRAINEE || e->kind != PLATFORM_KEY)
        return false;
    if (strcmp(e->name, "Backspace") == 0 && length > 0) {
        v->typed[length - 1] = '\0';
        return true;
    }
    c = (char)(c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c);
    char text[2] = {c, '\0'};
    if (e->name[1] != '\0' || !app_shelf_is_name(text) || length >= 40)
        return false;
    v->typed[length] = c, v->typed[length + 1] = '\0';
    t->menu.chosen = 0;
    return true;
}

// --- the list ------------------------------------------------------------------------------------

static const char* title_of(const Trainer* t, const char* lesson)
{
    const char* slash = strrchr(lesson, '/');
    for (int k = 0; k < t->lessons; ++k)
        if (strcmp(t->lesson[k].path, lesson) == 0 || strcmp(t->lesson[k].name, lesson) == 0 ||
            (slash && strncmp(slash + 1, t->lesson[k].name, strlen(t->lesson[k].name)) == 0 &&
             strcmp(slash + 1 + strlen(t->lesson[k].name), ".yaml") == 0))
            return t->lesson[k].title;
    return slash ? slash + 1 : lesson;
}

static void title(const Trainer* t, const RecordHead* head, char out[96])
{
    const char* slash = strrchr(head->scenario.name, '/');
    const char* name = slash ? slash + 1 : head->scenario.name;
    if (sim_record_is_site(head))
        snprintf(out, 96, "Free digging: %.*s", (int)base_mini((int)strcspn(name, "."), 40), name);
    else if (title_of(t, head->scenario.name) != name)
        snprintf(out, 96, "%.90s", title_of(t, head->scenario.name));
    else // a lesson that is not shipped
        snprintf(out, 96, "%.*s", (int)base_mini((int)strcspn(name, "."), 60), name);
}

static const char* driver(const RecordHead* head)
{
    return head->trainee[0]                    ? head->trainee
           : strcmp(head->driver, "hand") == 0 ? "-"
           : head->driver[0]                   ? head->driver
                                               : "-";
}

void app_viewer_titles(Trainer* t, const RecordHead* head)
{
    AppViewer* v = &t->viewer;
    char day[24];
    title(t, head, v->title);
    snprintf(v->what, sizeof v->what, "%s", head->scenario.name);
    app_shelf_day(head->started, day);
    snprintf(v->who, sizeof v->who, "%.40s   %s%s%.40s", driver(head), day,
             head->parent[0] ? "   taken over from " : "", head->parent);
}

void app_viewer_list(Trainer* t)
{
    AppViewer* v = &t->viewer;
    char folder[TRAINER_PATH];
    v->run = v->run ? v->run : calloc(VIEWER_RUNS, sizeof *v->run);
    v->runs = v->run && app_folder_data("records", folder, sizeof folder)
                  ? app_shelf_list(folder, v->run, VIEWER_RUNS)
                  : 0;
}

static bool has_report(const AppRun* r, char html[APP_SHELF_PATH + 8])
{
    const char* slash = strrchr(r->path, '/');
    const char* name = slash ? slash + 1 : r->path;
    snprintf(html, APP_SHELF_PATH + 8, "%.*s.html", (int)(name - r->path) + (int)strcspn(name, "."),
             r->path);
    return access(html, F_OK) == 0;
}

static void row_of(Trainer* t, int k)
{
    const AppRun* r = &t->viewer.run[k];
    const RecordHead* h = &r->info.head;
    char name[96], day[24], length[16], points[24] = "", value[160], html[APP_SHELF_PATH + 8];
    title(t, h, name);
    app_shelf_day(h->started, day);
    clock_of(length, r->info.steps / base_maxi((int)h->rate, 1));
    if (r->total >= 0.0)
        snprintf(points, sizeof points, "%.0f points", r->total);
    bool report = has_report(r, html);
    snprintf(value, sizeof value, "%.24s\t%s\t%s\t%s\t%s", driver(h), day, length, points,
             r->broken           ? "\u26a0 broken off"
             : r->info.damage[0] ? "\u26a0 damaged"
             : r->total >= 0.0   ? (r->passed ? "\u2713 passed" : "\u2717 not passed")
             : !r->info.complete ? "\u26a0 broken off"
                                 : "");
    MenuRow* row = app_menu_row(&t->menu, DO_RECORD, k, name, value);
    snprintf(row->help, sizeof row->help, "Enter: watch it%s   %.200s",
             report ? "   R: open its report" : "", r->info.damage[0] ? r->info.damage : r->path);
}

static void fill_list(Trainer* t)
{
    AppViewer* v = &t->viewer;
    app_menu_begin(&t->menu, "Records");
    t->menu.table = true;
    snprintf(t->menu.head, sizeof t->menu.head, "Trainee\tDate (UTC)\tLength\tPoints\t");
    for (int k = v->runs - 1; k >= 0; --k)
        row_of(t, k);
    if (v->runs == 0)
        app_pages_choice(t, DO_NOTHING, 0, "Nothing is recorded yet: every lesson will be.", "",
                         "");
    app_pages_choice(t, DO_PAGE, PAGE_MAIN, "Back", "", "");
    if (v->trouble[0])
        snprintf(t->menu.foot, sizeof t->menu.foot, "%.190s", v->trouble);
}

// --- after a crash, and the hand-over ------------------------------------------------------------

bool app_viewer_look_for_broken(Trainer* t)
{
    char folder[TRAINER_PATH];
    return app_folder_data("records", folder, sizeof folder) &&
           app_shelf_broken(folder, &t->viewer.broken);
}

static void fill_broken(Trainer* t)
{
    const AppRun* r = &t->viewer.broken;
    char name[96], day[24], length[16], go_on[96];
    title(t, &r->info.head, name);
    app_shelf_day(r->info.head.started, day);
    clock_of(length, r->info.steps / base_maxi((int)r->info.head.rate, 1));
    app_menu_begin(&t->menu, "A lesson broke off");
    snprintf(
        t->menu.text, sizeof t->menu.text,
        "%s\n%s, begun %s\n\nThe program ended in the middle of it, but %s of it are recorded. "
        "Go on from there: soil, machine, time and score are as they were. The record of what "
        "was done before stays as it is.",
        name, driver(&r->info.head), day, length);
    snprintf(go_on, sizeof go_on, "Go on from %s", length);
    app_pages_choice(t, DO_BROKEN_GO_ON, 0, go_on, "", "");
    app_pages_choice(t, DO_BROKEN_WATCH, 0, "Watch it", "", "");
    app_pages_choice(t, DO_BROKEN_KEEP, 0, "Keep it as it is: to the menu", "", "");
}

static void fill_taken(Trainer* t)
{
    char clock[16];
    clock_of(clock, (uint32_t)(t->news.step / WORLD_RATE));
    app_menu_begin(&t->menu, "Your turn");
    snprintf(t->menu.text, sizeof t->menu.text,
             "%s\n\nYou go on at %s. What was done before counts in time and score. The new record "
             "begins with it, and names where it comes from.\n\nLet go of the levers, then begin.",
             t->viewer.title, clock);
    app_pages_choice(t, DO_GO_ON, 0, "Begin", "", "");
    app_pages_choice(t, DO_SHOW, 0, "Show me", t->show ? "on" : "off", "");
    app_pages_choice(t, DO_PAGE, PAGE_HELP, "Controls card", "", "");
    app_pages_choice(t, DO_LEAVE_SITE, 0, "Back to the menu", "", "");
}

// --- what the trainer's pages call ---------------------------------------------------------------

bool app_viewer_page_fill(Trainer* t)
{
    switch (t->page) {
    case PAGE_REPLAYS: fill_list(t); return true;
    case PAGE_BROKEN: fill_broken(t); return true;
    case PAGE_TAKEN: fill_taken(t); return true;
    case PAGE_TRAINEE: fill_trainee(t); return true;
    default: return false;
    }
}

static bool adopt(Trainer* t, char path[APP_SHELF_PATH])
{
    BaseYamlError error;
    size_t length = strlen(path);
    if (!record_adopt(path, &error)) {
        snprintf(t->viewer.trouble, sizeof t->viewer.trouble, "%s", error.text);
        return false;
    }
    path[length - 5] = '\0'; // without .part
    return true;
}

static void open_run(Trainer* t, const AppRun* r)
{
    char path[APP_SHELF_PATH];
    memcpy(path, r->path, sizeof path);
    t->viewer.trouble[0] = '\0';
    if ((r->broken && !adopt(t, path)) || !app_viewer_open(t, path))
        app_trainer_page(t, PAGE_REPLAYS);
}

static void open_report(Trainer* t, const char* html)
{
    char text[200];
    if (app_papers_open(html))
        snprintf(text, sizeof text, "Opened: %.150s", html);
    else
        snprintf(text, sizeof text, "No browser here. The report is %.150s", html);
    app_trainer_say(t, text);
}

void app_viewer_open_report(Trainer* t)
{
    char html[APP_SHELF_PATH + 8];
    const MenuRow* row = &t->menu.row[t->menu.chosen];
    bool listed = t->page == PAGE_REPLAYS && row->action == DO_RECORD;
    if (listed && has_report(&t->viewer.run[row->argument], html))
        open_report(t, html);
    else if (!listed && t->viewer.report[0])
        open_report(t, t->viewer.report);
}

bool app_viewer_take(Trainer* t, int action, int argument)
{
    AppViewer* v = &t->viewer;
    switch (action) {
    case DO_RECORD: open_run(t, &v->run[argument]); return true;
    case DO_LAST: {
        AppRun last = {0};
        snprintf(last.path, sizeof last.path, "%s", app_session_path(t->session));
        open_run(t, &last);
        return true;
    }
    case DO_REPORT: app_viewer_open_report(t); return true;
    case DO_BROKEN_WATCH: open_run(t, &v->broken); return true;
    case DO_BROKEN_GO_ON:
        // whoever goes on is who began
        if (app_shelf_is_name(v->broken.info.head.trainee))
            set_trainee(t, v->broken.info.head.trainee);
        open_run(t, &v->broken);
        if (v->on) {
            app_viewer_to_end(t);
            app_viewer_do(t, VIEWER_TAKE_OVER);
        }
        return true;
    case DO_BROKEN_KEEP: app_trainer_page(t, PAGE_MAIN); return true;
    case DO_TRAINEE:
        v->typed[0] = '\0';
        app_trainer_page(t, PAGE_TRAINEE);
        return true;
    case DO_TRAINEE_TYPED:
    case DO_TRAINEE_KNOWN:
        set_trainee(t, action == DO_TRAINEE_KNOWN ? argument < 0 ? NOBODY : v->people[argument]
                       : v->typed[0] ? v->typed
                                                  : NOBODY);
        app_trainer_page(t, PAGE_MAIN);
        return true;
    default: return false;
    }
}
