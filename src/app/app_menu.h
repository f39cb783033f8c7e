// app_menu - a page of choices over the picture, for mouse, keyboard and stick alike.
//
// Does:     hold the rows of one page, the chosen one, and where they lie; draw them.
// Does not: know what the rows mean.
// Units:    pixels.
#ifndef APP_MENU_H
#define APP_MENU_H

#include "view/view_draw.h"

#include <stdbool.h>

#define MENU_ROWS_MAX 160

typedef struct MenuRow {
    char label[96], value[160], help[320];
    int action, argument; // the caller's; action 0: a heading, cannot be chosen
    bool sides;           // left and right change it
} MenuRow;

typedef struct AppMenu {
    char title[96], foot[200];
    char head[160];  // of a table's columns
    char text[2600]; // over the help of rows, when not empty
    MenuRow row[MENU_ROWS_MAX];
    int rows, chosen, first; // first: the topmost that is seen
    float x, y, w, line;     // where the rows lie, of the last drawing
    int seen;                // rows that fit
    bool narrow;             // rows leave as much room as for text
    bool pad;                // a gamepad is there: its buttons are named
    bool wide;               // room for a drawing at the right
    bool table;              // rows over the whole width; tabs part their values
    float side_x, side_y, side_w, side_h;
} AppMenu;

typedef enum MenuMove { MENU_UP, MENU_DOWN, MENU_LEFT, MENU_RIGHT } MenuMove;

void app_menu_begin(AppMenu* menu, const char* title);
MenuRow* app_menu_row(AppMenu* menu, int action, int argument, const char* label,
                      const char* value);
void app_menu_end(AppMenu* menu);            // the chosen row is one that can be chosen
void app_menu_move(AppMenu* menu, int rows); // down, or up when negative
// Chooses what lies under the mouse; false when there is nothing.
bool app_menu_point(AppMenu* menu, float x, float y);
// Words that fit the width, line by line; returns how many lines.
int app_menu_paragraph(ViewDraw* draw, float x, float y, float w, float size, uint32_t color,
                       const char* text);
void app_menu_draw(AppMenu* menu, ViewDraw* draw, int width, int height, float scale);

#endif
