#define _GNU_SOURCE
#include "protected.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "TideAccess.h"

static bool equals(const char *part, size_t count, const char *name) {
  return strlen(name) == count && strncasecmp(part, name, count) == 0;
}

/// Whether this is the name of a folder in which specs are looked for.
static bool holds_specs(const char *part, size_t count) {
  return equals(part, count, "spec") || equals(part, count, "test") || equals(part, count, "tests");
}

/// Whether a file or folder with this name is protected, wherever it is.
static bool is_protected_name(const char *part, size_t count) {
  return (count && *part == '.') || (count > 4 && equals(part + count - 4, 4, ".lua"));
}

bool protected_below(const char *path) {
  while (*path) {
    path += strspn(path, "/");
    size_t count = strcspn(path, "/");
    if (is_protected_name(path, count) || (path[count] && holds_specs(path, count))) return true;
    path += count;
  }
  return false;
}

/// Whether a folder contains protected files at any depth; also true if it is too large to search.
static bool holds_protected(int parent, const char *name, int depth, int *left) {
  enum { DEEPEST = 100 };
  int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  // A confined process may not be allowed to read it.
  if (folder < 0) return true;
  DIR *stream = fdopendir(folder);
  if (!stream) {
    close(folder);
    return true;
  }
  bool isFound = depth > DEEPEST;
  for (struct dirent *entry; !isFound && (entry = readdir(stream));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    size_t count = strlen(entry->d_name);
    struct stat status;
    bool isFolder = fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                    S_ISDIR(status.st_mode);
    isFound = --*left < 0 || is_protected_name(entry->d_name, count) ||
              (isFolder && (holds_specs(entry->d_name, count) ||
                            holds_protected(folder, entry->d_name, depth + 1, left)));
  }
  closedir(stream);
  return isFound;
}

static bool is_folder(int folder, const char *name) {
  struct stat status;
  return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(status.st_mode);
}

bool protected_is_spec_folder(int folder, const char *name) {
  return holds_specs(name, strlen(name)) && is_folder(folder, name);
}

bool tide_access_admits_move(int32_t folder, const char *name, const char *newName) {
  enum { MOST_ENTRIES = 100000 };
  int left = MOST_ENTRIES;
  if (!is_folder(folder, name)) return true;
  return !holds_specs(newName, strlen(newName)) && !holds_protected(folder, name, 0, &left);
}
