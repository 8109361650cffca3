#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "trail.h"

void trail_cut(Trail *trail, size_t count) {
  trail->count = count;
  trail->path[count] = 0;
}

bool trail_enter(Trail *trail, const char *part, size_t count) {
  if (count == 0 || (count == 1 && *part == '.')) return true;
  size_t end = trail->count;
  if (count == 2 && part[0] == '.' && part[1] == '.') {
    while (end > 0 && trail->path[end - 1] != '/') end--;
    trail_cut(trail, end > 0 ? end - 1 : 0);
    return true;
  }
  if (end + count + 2 > PATH_MAX) return false;
  trail->path[end] = '/';
  memcpy(trail->path + end + 1, part, count);
  trail_cut(trail, end + count + 1);
  return true;
}

bool trail_begin(Trail *trail, const char *path) {
  trail_cut(trail, 0);
  if (*path == '/') return true;
  if (!getcwd(trail->path, PATH_MAX)) return false;
  trail_cut(trail, strcmp(trail->path, "/") == 0 ? 0 : strlen(trail->path));
  return true;
}

bool trail_walk(Trail *trail, const char *path) {
  if (!trail_begin(trail, path)) return false;
  for (size_t count; *path; path += count + (path[count] == '/')) {
    count = strcspn(path, "/");
    if (!trail_enter(trail, path, count)) return false;
  }
  return true;
}
