#include "view/view_font.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb/stb_truetype.h>
#pragma GCC diagnostic pop

#define FONT_FILE_MAX (8 << 20) // bytes
#define FONT_SIDE     1024
#define FONT_SIDE_MAX 4096
#define FONT_BLANK    32

static const float sizes[VIEW_FONT_SIZES] = {13.0f, 18.0f, 28.0f, 52.0f};
static const int extra[VIEW_FONT_EXTRA] = {0x2190, 0x2191, 0x2192, 0x2193, 0x25b2, 0x25b6,
                                           0x25bc, 0x25c0, 0x26a0, 0x2713, 0x2717, 0x2022,
                                           0x2026, 0x2013, 0x25cf, 0x25a0};

static unsigned char* read_file(const char* path)
{
    FILE* file = fopen(path, "rb");
    unsigned char* data = NULL;
    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        rewind(file);
        if (size > 12 && size < FONT_FILE_MAX)
            data = malloc((size_t)size);
        if (data && fread(data, 1, (size_t)size, file) != (size_t)size) {
            free(data);
            data = NULL;
        }
    }
    fclose(file);
    return data;
}

bool view_font_load(ViewFont* f, const char* path)
{
    *f = (ViewFont){.file = read_file(path)};
    stbtt_fontinfo info;
    if (f->file && !stbtt_InitFont(&info, f->file, stbtt_GetFontOffsetForIndex(f->file, 0))) {
        free(f->file);
        f->file = NULL;
    }
    bool fine = f->file != NULL;
    return view_font_paint(f, 1.0f) && fine;
}

void view_font_free(ViewFont* f)
{
    free(f->atlas), free(f->file);
    *f = (ViewFont){0};
}

static void keep_letters(ViewFont* f, int s, const stbtt_packedchar* packed)
{
    for (int k = 0; k < VIEW_FONT_LETTERS + VIEW_FONT_EXTRA; ++k) {
        const stbtt_packedchar* p = &packed[k];
        f->letter[s][k] = (ViewLetter){
            .x0 = p->xoff,
            .y0 = p->yoff,
            .x1 = p->xoff2,
            .y1 = p->yoff2,
            .u0 = (float)p->x0 / (float)f->width,
            .v0 = (float)p->y0 / (float)f->height,
            .u1 = (float)p->x1 / (float)f->width,
            .v1 = (float)p->y1 / (float)f->height,
            .advance = p->xadvance,
        };
    }
}

// False when the letters do not fit.
static bool pack(ViewFont* f, float scale)
{
    stbtt_pack_context context;
    stbtt_packedchar packed[VIEW_FONT_LETTERS + VIEW_FONT_EXTRA];
    int codes[VIEW_FONT_EXTRA];
    memcpy(codes, extra, sizeof codes);
    // the first row of texels stays free: a solid patch for shapes without a picture
    if (!stbtt_PackBegin(&context, f->atlas + 4 * f->width, f->width, f->height - 4, 0, 1, NULL))
        return false;
    bool fine = true;
    for (int s = 0; s < VIEW_FONT_SIZES && fine; ++s) {
        stbtt_pack_range range[2] = {
            {.font_size = sizes[s] * scale,
             .first_unicode_codepoint_in_range = FONT_BLANK,
             .num_chars = VIEW_FONT_LETTERS,
             .chardata_for_range = packed},
            {.font_size = sizes[s] * scale,
             .array_of_unicode_codepoints = codes,
             .num_chars = VIEW_FONT_EXTRA,
             .chardata_for_range = packed + VIEW_FONT_LETTERS},
        };
        fine = stbtt_PackFontRanges(&context, f->file, 0, range, 2) != 0;
        for (int k = 0; k < VIEW_FONT_LETTERS + VIEW_FONT_EXTRA; ++k)
            packed[k].y0 = (unsigned short)(packed[k].y0 + 4),
            packed[k].y1 = (unsigned short)(packed[k].y1 + 4);
        f->size[s] = sizes[s] * scale;
        keep_letters(f, s, packed);
    }
    stbtt_PackEnd(&context);
    return fine;
}

bool view_font_paint(ViewFont* f, float scale)
{
    for (int side = FONT_SIDE; side <= FONT_SIDE_MAX; side *= 2) {
        unsigned char* atlas = calloc((size_t)side, (size_t)side);
        if (!atlas)
            return false;
        free(f->atlas);
        f->atlas = atlas, f->width = f->height = side;
        bool fits = !f->file || pack(f, scale);
        for (int k = 0; k < 4 * 4; ++k)
            atlas[k / 4 * side + k % 4] = 255;
        f->version += 1;
        if (fits)
            return true;
    }
    return true;
}

// The next code point; bad bytes stand for themselves.
static int decode(const char** text)
{
    const unsigned char* s = (const unsigned char*)*text;
    int more = s[0] >= 0xf0 ? 3 : s[0] >= 0xe0 ? 2 : s[0] >= 0xc0 ? 1 : 0;
    int code = more == 3 ? s[0] & 7 : more == 2 ? s[0] & 15 : more == 1 ? s[0] & 31 : s[0];
    for (int k = 1; k <= more; ++k) {
        if ((s[k] & 0xc0) != 0x80) {
            more = 0, code = s[0];
            break;
        }
        code = code << 6 | (s[k] & 63);
    }
    *text += 1 + more;
    return code;
}

static int letter_of(int code)
{
    if (code >= FONT_BLANK && code < FONT_BLANK + VIEW_FONT_LETTERS)
        return code - FONT_BLANK;
    for (int k = 0; k < VIEW_FONT_EXTRA; ++k)
        if (extra[k] == code)
            return VIEW_FONT_LETTERS + k;
    return '?' - FONT_BLANK;
}

const ViewLetter* view_font_letter(const ViewFont* f, float size, const char** text, float* zoom)
{
    int best = 0;
    for (int s = 1; s < VIEW_FONT_SIZES; ++s)
        if (f->size[s] <= size * 1.25f)
            best = s;
    *zoom = f->size[best] > 0.0f ? size / f->size[best] : 1.0f;
    if (*zoom > 0.97f && *zoom < 1.03f)
        *zoom = 1.0f;
    return &f->letter[best][letter_of(decode(text))];
}

float view_font_width(const ViewFont* f, float size, const char* text)
{
    float width = 0.0f, zoom;
    while (*text) {
        const ViewLetter* letter = view_font_letter(f, size, &text, &zoom);
        width += letter->advance * zoom;
    }
    return width;
}
