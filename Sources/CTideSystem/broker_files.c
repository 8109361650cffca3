#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "broker.h"

// Files that the broker opens for its parent process.

/// Whether a path, which resolves to `real`, may be reopened: it is listed, or is inside a listed
/// folder.
static bool may_reopen(const TideBrokerTasks *tasks, const char *path, const char *real) {
  for (const char *const *one = tasks->reopened; one && *one; one++) {
    // A listed path may itself be a symbolic link to any location.
    if (strcmp(path, *one) == 0) return true;
    char root[PATH_MAX];
    if (!realpath(*one, root)) continue;
    size_t count = strcmp(root, "/") == 0 ? 0 : strlen(root);
    if (strncmp(real, root, count) == 0 && (real[count] == '/' || !real[count])) return true;
  }
  return false;
}

int broker_reopen(const TideBrokerTasks *tasks, const char *path, int32_t *file) {
  if (!tasks->reopened) return EACCES;
  if (path[0] != '/' || strlen(path) >= PATH_MAX) return EACCES;
  // Opened with O_PATH first, because opening a device may have side effects.
  int handle = open(path, O_PATH | O_CLOEXEC);
  if (handle < 0) return errno;
  char link[64], real[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
  struct stat status;
  ssize_t count = readlink(link, real, sizeof real - 1);
  int failure = count < 0 || fstat(handle, &status) != 0 ? errno : 0;
  if (!failure) {
    real[count] = 0;
    bool is_plain = S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
    if (!is_plain || !may_reopen(tasks, path, real)) failure = EACCES;
  }
  if (!failure) {
    *file = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*file < 0) failure = errno;
  }
  close(handle);
  return failure;
}

int broker_make_scratch(const TideBrokerTasks *tasks, int32_t *file) {
  if (!tasks->scratch) return EACCES;
  *file = open(tasks->scratch, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (*file >= 0) return 0;
  char name[PATH_MAX];
  snprintf(name, sizeof name, "%s/lua-XXXXXX", tasks->scratch);
  *file = mkostemp(name, O_CLOEXEC);
  if (*file < 0) return errno;
  unlink(name);
  return 0;
}
