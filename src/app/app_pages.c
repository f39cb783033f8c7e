// The pages of the trainer's menu.
#include "app/app_pages_internal.h"

#include "app/app_folder.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

MenuRow* app_pages_choice(Trainer* t, int action, int argument, const char* label,
                          const char* value, const char* help)
{
    MenuRow* r = app_menu_row(&t->menu, action, argument, label, value);
    snprintf(r->help, sizeof r->help, "%s", help);
    return r;
}

void app_pages_turn(Trainer* t, int action, const char* label, const char* value, const char* help)
{
    app_pages_choice(t, action, 0, label, value, help)->sides = true;
}

static const char* pattern_name(const Trainer* t)
{
    return t->settings.pattern == INPUT_PATTERN_SAE ? "SAE" : "ISO";
}

static void fill_common(Trainer* t)
{
    app_pages_turn(
        t, DO_PATTERN, "Pattern", pattern_name(t),
        t->settings.pattern == INPUT_PATTERN_SAE
            ? "SAE, backhoe: left stick swings and lifts the boom, right stick curls and moves the "
              "stick. F2 changes it while you dig."
            : "ISO, excavator: left stick swings and moves the stick, right stick curls and lifts "
              "the boom. F2 changes it while you dig.");
    app_pages_choice(
        t, DO_PAGE, PAGE_DEVICES, "Devices", "",
        "Sticks, pedals, gamepads: what is plugged in, what it moves, calibration. Wiggle a "
        "stick to find it.");
    app_pages_choice(t, DO_PAGE, PAGE_ASSIGN, "Functions", "",
                     "Which stick, pedal, key or button does what; dead zone and curve. Every one "
                     "can be changed.");
    app_pages_choice(t, DO_PAGE, PAGE_GRAPHICS, "Picture", render_quality_name(t->quality),
                     "Quality, size of text, full screen, times of picture and step.");
    app_pages_choice(t, DO_PAGE, PAGE_SOUND, "Sound", "", "Loudness of the machine.");
}

static void fill_main(Trainer* t)
{
    app_menu_begin(&t->menu, "Earthmoving trainer");
    app_pages_choice(
        t, DO_PAGE, PAGE_LESSONS, "Lessons", "",
        "From first steps to trenches beside buried pipes; each with a goal, hints and a fair "
        "score.");
    app_pages_choice(t, DO_PAGE, PAGE_SITES, "Dig freely", "",
                     "Choose a site and sit down in the machine.");
    app_viewer_row_trainee(t);
    app_pages_turn(t, DO_VEHICLE, "Machine", t->vehicle[app_trainer_vehicle_now(t)].title,
                   t->vehicle[app_trainer_vehicle_now(t)].text);
    app_pages_turn(
        t, DO_PROGRAM, "Work", operator_program_words[t->program],
        "What is to be dug: a truck to load, a pit, a trench, a stockpile. The green grid in the "
        "ground is the surface asked for.");
    fill_common(t);
    app_pages_choice(
        t, DO_PAGE, PAGE_REPLAYS, "Records", "",
        "Every lesson that was driven: watch it from any side, see what happened when, "
        "and take over at any moment.");
    app_pages_choice(t, DO_PAGE, PAGE_HELP, "Controls card", "", "All controls on one page.");
    app_pages_choice(t, DO_QUIT, 0, "Quit", "", "Leave the trainer.");
}

static void fill_sites(Trainer* t)
{
    app_menu_begin(&t->menu, "Where to dig");
    for (int k = 0; k < t->sites; ++k)
        app_pages_choice(t, DO_SITE, k, t->site[k].title, "", t->site[k].text);
    app_pages_choice(t, DO_PAGE, PAGE_MAIN, "Back", "", "");
}

static void fill_lessons(Trainer* t)
{
    app_menu_begin(&t->menu, "Lessons");
    for (int k = 0; k < t->lessons; ++k)
        app_pages_choice(t, DO_LESSON, k, t->lesson[k].title, t->lesson[k].last, t->lesson[k].text);
    app_pages_choice(t, DO_PAGE, PAGE_MAIN, "Back", "", "");
}

static void fill_brief(Trainer* t)
{
    SimLesson* lesson = app_session_lesson(t->session);
    const Scenario* s = lesson ? sim_lesson_scenario(lesson) : NULL;
    app_menu_begin(&t->menu, s ? s->title : "Lesson");
    snprintf(t->menu.text, sizeof t->menu.text, "%s", s && s->instructions ? s->instructions : "");
    app_pages_choice(t, DO_GO_ON, 0, "Begin", "", "");
    app_pages_choice(t, DO_SHOW, 0, "Show me", t->show ? "on" : "off", "");
    app_pages_turn(t, DO_PATTERN, "Pattern", pattern_name(t), "");
    app_pages_choice(t, DO_LEAVE_SITE, 0, "Back to the menu", "", "");
}

// The two sticks in the pattern in use, for those who have forgotten.
static const char* card_of(const Trainer* t)
{
    return t->settings.pattern == INPUT_PATTERN_SAE
               ? "Left stick (W A S D)\n   left, right: swing\n   forward, back: boom down, up\n \n"
                 "Right stick (I J K L)\n   left, right: curl, dump\n   forward, back: stick out, "
                 "in\n \nTracks: R F and U H\nAll levers must be in neutral."
               : "Left stick (W A S D)\n   left, right: swing\n   forward, back: stick out, in\n \n"
                 "Right stick (I J K L)\n   left, right: curl, dump\n   forward, back: boom down, "
                 "up\n \nTracks: R F and U H\nAll levers must be in neutral.";
}

static void fill_pause(Trainer* t)
{
    app_menu_begin(&t->menu, "Paused");
    app_pages_choice(t, DO_GO_ON, 0, "Go on", "", card_of(t));
    app_pages_choice(
        t, DO_SHOW, 0, "Show me", t->show ? "on" : "off",
        "The built-in operator works, through the same levers as you. F4 takes over at any "
        "moment.");
    app_pages_choice(t, DO_RESTART, 0, "Begin again", "",
                     "The same site from the start. The record so far is kept.");
    if (t->lesson_now[0])
        app_pages_choice(t, DO_PAGE, PAGE_RESULT, "Result so far", "",
                         "Points, pillars, what to fix first.");
    app_pages_turn(t, DO_CAMERA, "Camera", view_camera_name(t->camera.kind),
                   "C changes it while you dig: cab, chase, bucket, side, plan, free.");
    fill_common(t);
    app_pages_choice(t, DO_PAGE, PAGE_HELP, "Controls card", "", "All controls on one page.");
    app_pages_choice(t, DO_LEAVE_SITE, 0, "Leave the site", "", "To the menu. The record is kept.");
    app_pages_choice(t, DO_QUIT, 0, "Quit", "", "Leave the trainer. The record is kept.");
}

static void fill_graphics(Trainer* t)
{
    char text[32];
    app_menu_begin(&t->menu, "Picture");
    app_pages_turn(
        t, DO_QUALITY, "Quality", render_quality_name(t->quality),
        "Measured when the trainer starts for the first time. Software is for computers without a "
        "graphics card.");
    snprintf(text, sizeof text, "%d %%", t->settings.text);
    app_pages_turn(t, DO_TEXT, "Size of text", text, "Of readings and menus.");
    app_pages_choice(t, DO_FULL, 0, "Full screen", t->settings.full ? "on" : "off", "F11");
    app_pages_choice(t, DO_TIMINGS, 0, "Times of picture and step",
                     t->settings.timings ? "on" : "off", "F3 while you dig.");
    app_pages_choice(t, DO_PAGE, t->playing ? PAGE_PAUSE : PAGE_MAIN, "Back", "", t->card);
}

static void fill_sound(Trainer* t)
{
    char text[32];
    app_menu_begin(&t->menu, "Sound");
    snprintf(text, sizeof text, "%d %%", t->settings.volume);
    app_pages_turn(t, DO_VOLUME, "Loudness", text,
                   "Engine, hydraulics, swing, tracks, soil, horn. 0 is silence.");
    app_pages_choice(t, DO_PAGE, t->playing ? PAGE_PAUSE : PAGE_MAIN, "Back", "", "");
}

static void fill_help(Trainer* t)
{
    static const char* const card[][2] = {
        {"Left stick", "W A S D"},
        {"Right stick", "I J K L, or the arrows"},
        {"Left track forward, back", "R, F"},
        {"Right track forward, back", "U, H"},
        {"Horn", "Space"},
        {"Hydraulic lock-out", "X"},
        {"Engine speed", "Page up, Page down"},
        {"Next camera", "C; Home: as it was"},
        {"Camera: turn, pan, nearer", "right button; wheel"},
        {"Camera: fly, by keys", "Shift with W A S D Q E, arrows"},
        {"Gamepad: tracks", "triggers; shoulder held: back"},
        {"Gamepad: pause, camera", "Start, Back"},
        {"Gamepad: horn, boost, slow, lock", "A, X, Y, B"},
        {"ISO or SAE", "F2"},
        {"Times", "F3"},
        {"Show me, my turn", "F4"},
        {"Recording: play, speed, seek", "Space; up, down; left, right, mouse"},
        {"Recording: marks, take over", "P, N; T"},
        {"Picture of the screen", "F12"},
        {"Pause", "Escape"},
    };
    app_menu_begin(&t->menu, "Controls card");
    for (int k = 0; k < (int)(sizeof card / sizeof card[0]); ++k)
        app_pages_choice(t, DO_PAGE, PAGE_HELP, card[k][0], card[k][1],
                         "These are the shipped ones; the page of functions changes them.");
    app_pages_choice(t, DO_PAGE, t->playing ? PAGE_PAUSE : PAGE_MAIN, "Back", "", "");
}

static bool has_pad(const Trainer* t)
{
    for (int k = 0; k < platform_input_devices(t->input); ++k) {
        const PlatformDevice* d = platform_input_device(t->input, k);
        if (d->pad && d->plugged)
            return true;
    }
    return false;
}

void app_trainer_page_fill(Trainer* t)
{
    switch (t->page) {
    case PAGE_MAIN: fill_main(t); break;
    case PAGE_SITES: fill_sites(t); break;
    case PAGE_LESSONS: fill_lessons(t); break;
    case PAGE_BRIEF: fill_brief(t); break;
    case PAGE_RESULT: app_pages_result(t); break;
    case PAGE_PAUSE: fill_pause(t); break;
    case PAGE_DEVICES: app_pages_devices(t); break;
    case PAGE_DEVICE: app_pages_device(t); break;
    case PAGE_AWAY: app_pages_away(t); break;
    case PAGE_ASSIGN: app_pages_assign(t); break;
    case PAGE_LEVER: app_pages_lever(t); break;
    case PAGE_GRAPHICS: fill_graphics(t); break;
    case PAGE_SOUND: fill_sound(t); break;
    case PAGE_HELP: fill_help(t); break;
    case PAGE_NONE: return;
    default: app_viewer_page_fill(t); break;
    }
    app_menu_end(&t->menu);
    t->menu.pad = has_pad(t);
    if (t->notice[0])
        snprintf(t->menu.foot, sizeof t->menu.foot, "%s", t->notice);
}

void app_trainer_page(Trainer* t, TrainerPage page)
{
    if (page != t->page)
        t->menu.chosen = t->menu.first = 0;
    if (page == PAGE_REPLAYS && t->page != page)
        app_viewer_list(t);
    t->page = page;
    t->learn.kind = LEARN_NONE;
    t->wiggle = t->calibrating = false;
    app_trainer_page_fill(t);
}

void app_trainer_page_draw(Trainer* t, ViewDraw* draw, int width, int height, float scale)
{
    app_menu_draw(&t->menu, draw, width, height, scale);
    if (t->page == PAGE_DEVICE)
        app_pages_device_side(t, draw, scale);
    if (t->page == PAGE_RESULT)
        app_pages_result_side(t, draw, scale);
    if (t->page == PAGE_LEVER || t->page == PAGE_ASSIGN)
        app_pages_lever_side(t, draw, scale);
}
