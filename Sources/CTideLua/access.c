#define _GNU_SOURCE
#include "access.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// A script's path is resolved first, links and `..` included, and the result compared with the
// allowed folders. The file is then reached from the folder's descriptor, one component after the
// other and without following links: whoever swaps one for a link meanwhile gets an error, not a
// way out.

TideOutside access_outside;

void tide_access_set_outside(TideOutside outside) { access_outside = outside; }

static const char *verb(uint32_t kind) { return kind == TIDE_ALLOW_READ ? "reading" : "writing"; }
static const char *flag(uint32_t kind) { return kind == TIDE_ALLOW_READ ? "read" : "write"; }

int32_t tide_access_allow(TideState *state, uint32_t kind, const char *name) {
  char real[PATH_MAX];
  int folder = -1;
  if (kind == TIDE_ALLOW_READ || kind == TIDE_ALLOW_WRITE) {
    if (!realpath(name, real)) return errno;
    folder = open(real, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return errno;
    name = real;
  }
  size_t count = strlen(name);
  TideAllowance *made = malloc(sizeof *made + count + 1);
  if (!made) {
    if (folder >= 0) close(folder);
    return ENOMEM;
  }
  *made = (TideAllowance){.next = state->allowances, .kind = kind, .folder = folder,
                          .count = count};
  memcpy(made->name, name, count + 1);
  state->allowances = made;
  return 0;
}

void access_close(TideState *state) {
  while (state->allowances) {
    TideAllowance *first = state->allowances;
    state->allowances = first->next;
    if (first->folder >= 0) close(first->folder);
    free(first);
  }
}

bool access_has(const TideState *state, uint32_t kind, const char *name) {
  for (const TideAllowance *one = state->allowances; one; one = one->next)
    if (one->kind == kind && (!name || strcmp(one->name, name) == 0)) return true;
  return false;
}

static const TideAllowance *folder_of(const TideState *state, uint32_t kind, const char *real) {
  for (const TideAllowance *one = state->allowances; one; one = one->next) {
    if (one->kind != kind) continue;
    size_t count = one->count == 1 ? 0 : one->count;  // the root's path ends in the slash itself
    if (*real && strncmp(real, one->name, count) == 0 && (real[count] == '/' || !real[count]))
      return one;
  }
  return NULL;
}

/// Whether a part of the path is "..".
static bool goes_up(const char *path) {
  for (const char *at = strstr(path, ".."); at; at = strstr(at + 1, ".."))
    if ((at == path || at[-1] == '/') && (at[2] == '/' || !at[2])) return true;
  return false;
}

/// Resolves as much of the path as exists; the error's number where something is missing on the way
/// to its last part. -1: there is no telling.
static int resolve(const char *path, bool follows, char *real) {
  char part[PATH_MAX];
  size_t count = strlen(path);
  while (count > 1 && path[count - 1] == '/') count--;
  memcpy(part, path, count);
  part[count] = 0;
  const char *slash = memrchr(part, '/', count);
  const char *last = slash ? slash + 1 : part;
  bool isPlain = strcmp(last, ".") != 0 && strcmp(last, "..") != 0 && *last;
  if ((follows || !isPlain) && realpath(part, real)) return 0;
  if (!isPlain) return -1;
  int failure = 0;
  // What is missing is kept as it is written, behind the longest part that is there.
  for (size_t end = (size_t)(last - part);; failure = ENOENT) {
    while (end > 1 && part[end - 1] == '/') end--;
    char above[PATH_MAX];
    memcpy(above, part, end);
    above[end] = 0;
    if (realpath(end ? above : ".", real)) {
      const char *rest = part + end + (part[end] == '/' && end ? 1 : 0);
      if (end == 1 && *part == '/') rest = part + 1;
      if (goes_up(rest)) return -1;
      size_t length = strcmp(real, "/") == 0 ? 0 : strlen(real);
      if (length + strlen(rest) + 2 > PATH_MAX) return -1;
      real[length] = '/';
      memmove(real + length + 1, rest, strlen(rest) + 1);
      return failure;
    }
    if (errno == ENAMETOOLONG || end == 0 || (end == 1 && *part == '/')) return -1;
    while (end > 0 && part[end - 1] != '/') end--;
  }
}

int access_refuse(lua_State *L, const char *path, const AccessPlace *place) {
  char folder[PATH_MAX] = "DIR";
  const char *slash = strrchr(place->real, '/');
  if (slash) {
    size_t count = slash > place->real ? (size_t)(slash - place->real) : 1;
    memcpy(folder, place->real, count);
    folder[count] = 0;
  }
  return luaL_error(L, "%s \"%s\" is not allowed; run with --allow %s=%s", verb(place->refused),
                    path, flag(place->refused), folder);
}

/// Opens the folder that holds the file, from an allowed folder down.
static int descend(const TideAllowance *from, AccessPlace *place) {
  int folder = openat(from->folder, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return errno;
  char *part = place->real + (from->count == 1 ? 0 : from->count);
  while (*part == '/') part++;
  for (char *slash; (slash = strchr(part, '/')); part = slash + 1) {
    *slash = 0;
    int next = openat(folder, part, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int failure = errno;
    *slash = '/';
    close(folder);
    if (next < 0) return failure;
    folder = next;
  }
  place->name = *part ? part : ".";
  place->folder = folder;
  return 0;
}

const char *access_path(lua_State *L, int argument) {
  size_t count;
  const char *path = luaL_checklstring(L, argument, &count);
  luaL_argcheck(L, strlen(path) == count, argument, "a path contains no zeros");
  return path;
}

int access_find(const TideState *state, const char *path, uint32_t kinds, bool follows,
                AccessPlace *place) {
  *place->real = 0;
  place->folder = -1;
  place->refused = 0;
  if (!*path) return ENOENT;
  int failure = strlen(path) < PATH_MAX - 2 ? resolve(path, follows, place->real) : -1;
  if (failure < 0) *place->real = 0;
  const TideAllowance *found = NULL;
  for (uint32_t kind = TIDE_ALLOW_READ; kind <= TIDE_ALLOW_WRITE; kind <<= 1) {
    if (!(kinds & kind)) continue;
    found = folder_of(state, kind, place->real);
    // What is not allowed is refused whether it exists or not. A folder that is allowed is not
    // itself a place in it.
    if (found && (follows || place->real[found->count])) continue;
    place->refused = kind;
    return EACCES;
  }
  return failure ? failure : descend(found, place);
}

const TideAllowance *access_scratch(lua_State *L, const char *what) {
  const TideAllowance *found = NULL;
  for (const TideAllowance *one = state_of(L)->allowances; one; one = one->next)
    if (one->kind == TIDE_ALLOW_WRITE) found = one;
  if (!found) luaL_error(L, "%s is not allowed; run with --allow write=DIR", what);
  return found;
}

int access_open_scratch(int folder, char *name) {
  static _Atomic(unsigned) made;
  if (!name) {
    int unnamed = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (unnamed >= 0) return unnamed;
    // A wall that lets the folder be written need not let it be read.
    if (errno == EACCES && access_outside.scratch) return access_outside.scratch();
  }
  char local[32];
  char *chosen = name ? name : local;
  for (int try = 0; try < 100; try++) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    unsigned number = (unsigned)time.tv_nsec * 2654435761u ^ (unsigned)getpid() ^ (made++ << 20);
    snprintf(chosen, 32, "lua-%08x", number);
    int file = openat(folder, chosen, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file >= 0 && !name) unlinkat(folder, chosen, 0);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}
