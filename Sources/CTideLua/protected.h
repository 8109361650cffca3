// What the user's tools obey, tidelock among them: settings in files and folders with a dot, specs,
// and scripts. A script that could write those would be given at the next start, or by the next
// tool, what it was not given now. So a folder that may be written does not cover them.
#pragma once

#include <stdbool.h>

/// Whether a path below an allowed folder, which begins with a slash, leads to what is protected.
bool protected_below(const char *path);
/// Whether it is a folder in which specs are looked for.
bool protected_is_spec_folder(int folder, const char *name);
