// view_hud - what the operator reads over the picture.
//
// Does:     hold the readings as plain numbers; lay them out as panels that scale with the window.
// Does not: measure anything.
// Units:    SI and radians; shown in the operator's units.
#ifndef VIEW_HUD_H
#define VIEW_HUD_H

#include "view/view_draw.h"

#define VIEW_HUD_LINE  160
#define VIEW_HUD_CURVE 96 // points of a curve on the grade screen

// A section along the bucket's plane: pairs of distance and height, m.
typedef struct ViewCurve {
    float xy[2 * VIEW_HUD_CURVE];
    int points;
} ViewCurve;

typedef struct ViewHud {
    bool controls;         // show sticks and pedals
    float stick[2][2];     // left, right; x right, y forward, -1..1
    float pedal[2];        // left, right track, -1..1
    const char* action[4]; // what the sticks' axes do in this pattern: left x, y, right x, y
    const char* pattern;   // "ISO", "SAE"

    bool load;               // show the payload
    float payload;           // kg
    float fill;              // of the bucket, 1 struck
    float truck, truck_full; // kg; 0: no truck

    bool grade;   // show the grade screen
    bool aimed;   // the edge is over a target: offset counts
    float depth;  // m, of the cutting edge below the reference; positive is deeper
    float offset; // m, of the edge over the target; negative is too deep
    float slope;  // rad, of the bucket's floor
    ViewCurve ground, target, bucket;
    float swing; // rad, of the house against the undercarriage

    bool engine;
    float rpm, load_part; // 1/min, 0..1
    float pressure[2];    // Pa, of the pumps

    float time, time_limit; // s; no clock when time is negative
    float score;            // 0..100; negative: none
    char hint[VIEW_HUD_LINE], warning[VIEW_HUD_LINE];
    bool timings;
    float frame_ms, step_ms;
    int draw_calls;
    int lag_steps, lag_pictures; // from a lever to the picture that obeys it; 0: none was moved
    float text;                  // size of panels and text, 1 as usual; 0: as usual
} ViewHud;

ViewHud view_hud(void); // nothing shown
// How large text and panels are in a window of this size, 1 at 1280 x 720.
float view_hud_scale(int width, int height);
// The same when somebody wants it `text` times as large: no larger than panels have room side by side.
float view_hud_scale_text(int width, int height, float text);
void view_hud_draw(const ViewHud* hud, ViewDraw* draw, int width, int height);

#endif
