// A path without links, `.`, `..` and doubled slashes, made name by name.
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/// It begins with a slash; the root is empty.
typedef struct Trail {
  size_t count;
  char path[PATH_MAX];
} Trail;

/// Keeps the first bytes alone.
void trail_cut(Trail *trail, size_t count);
/// Goes on to a part of a path; false if the trail becomes too long.
bool trail_enter(Trail *trail, const char *part, size_t count);
/// Begins at the working folder, or at the root for an absolute path; false if the working folder
/// is unknown.
bool trail_begin(Trail *trail, const char *path);
/// Follows a path by its names alone; false as for the two above.
bool trail_walk(Trail *trail, const char *path);
