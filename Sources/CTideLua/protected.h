// Files that control the user's tools, including tidelock: settings in files and folders whose
// names begin with a dot, specs, and scripts. A script that could write them could gain, at the
// next start or by the next tool, permissions that it does not have now. So write access to a
// folder does not cover them.
#pragma once

#include <stdbool.h>

/// Whether a path below an allowed folder, which begins with a slash, leads to a protected file.
bool protected_below(const char *path);
/// Whether this is a folder in which specs are looked for.
bool protected_is_spec_folder(int folder, const char *name);
