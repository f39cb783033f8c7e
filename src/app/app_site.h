// app_site - a site as a picture: plan with relief, and a section through its strata.
#ifndef APP_SITE_H
#define APP_SITE_H

#include "site/site.h"

// Colours follow the order of the materials' file. False after a sentence on stderr.
bool app_site_picture(const Terrain* terrain, const SiteInfo* info, const MaterialSet* set,
                      const char* name, const char* path);

#endif
