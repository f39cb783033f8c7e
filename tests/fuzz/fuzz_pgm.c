// Pictures of heights: head and rows.
#include "fuzz_file.h"
#include "site/site_pgm.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    SitePgm pgm;
    BaseYamlError error = {.text = ""};
    if (!site_pgm_open(&pgm, fuzz_path(data, size), &error)) {
        if (error.text[0] == '\0') {
            abort();
        }
        return 0;
    }
    size_t count = (size_t)pgm.width * (size_t)pgm.height;
    if (count <= 1u << 22) {
        uint16_t* out = malloc(count * sizeof *out);
        if (!out) {
            abort();
        }
        bool fine = site_pgm_read(&pgm, out, &error);
        for (size_t k = 0; fine && k < count; ++k) {
            if (out[k] > pgm.white) {
                abort();
            }
        }
        free(out);
    }
    site_pgm_close(&pgm);
    return 0;
}
