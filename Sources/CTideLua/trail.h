// A path without links, `.`, `..` and doubled slashes, built name by name.
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/// The path begins with a slash; the root is empty.
typedef struct Trail {
  size_t count;
  char path[PATH_MAX];
} Trail;

/// Truncates the path to its first bytes.
void trail_cut(Trail *trail, size_t count);
/// Appends a component of a path. Returns false if the trail becomes too long.
bool trail_enter(Trail *trail, const char *part, size_t count);
/// Begins at the working folder, or at the root for an absolute path. Returns false if the working
/// folder is unknown.
bool trail_begin(Trail *trail, const char *path);
/// Follows a path by its names alone. Returns false in the same cases as the two functions above.
bool trail_walk(Trail *trail, const char *path);
