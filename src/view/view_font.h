// view_font - letters for the picture: one grey atlas with several sizes of one font.
//
// Does:     read the font, paint its letters into a picture once per scale, measure text.
// Does not: draw; view_draw.h makes triangles of text.
// Units:    pixels.
#ifndef VIEW_FONT_H
#define VIEW_FONT_H

#include <stdbool.h>
#include <stdint.h>

#define VIEW_FONT_SIZES   4
#define VIEW_FONT_LETTERS 224 // from the blank on: ASCII and Latin-1
#define VIEW_FONT_EXTRA   16  // arrows, triangles, warning signs

typedef struct ViewLetter {
    float x0, y0, x1, y1; // pixels, from the pen; y down
    float u0, v0, u1, v1; // 0..1 in the atlas
    float advance;        // pixels
} ViewLetter;

typedef struct ViewFont {
    int width, height; // of the atlas
    uint8_t* atlas;    // [height][width] coverage; its first texels are solid
    uint32_t version;  // another one after each painting
    float size[VIEW_FONT_SIZES];
    ViewLetter letter[VIEW_FONT_SIZES][VIEW_FONT_LETTERS + VIEW_FONT_EXTRA];
    unsigned char* file; // the font
} ViewFont;

// False when the file cannot be read; shapes work still, text takes no room.
bool view_font_load(ViewFont* font, const char* path);
void view_font_free(ViewFont* font);
// Paints the letters for a window in which a normal line is 18 `scale` high.
bool view_font_paint(ViewFont* font, float scale);
float view_font_width(const ViewFont* font, float size, const char* text); // UTF-8
// The letter at *text, which is moved behind it; picks the painted size nearest to `size`.
const ViewLetter* view_font_letter(const ViewFont* font, float size, const char** text,
                                   float* zoom);

#endif
