#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "access.h"
#include "protected.h"
#include "trail.h"

// A script's path is resolved name by name. Outside of the allowed folders, only names count and
// the file system is not read, so neither a refusal nor a success reveals what exists there. Below
// an allowed folder, symbolic links are followed, and their targets are checked in the same way.
// The file is then opened from the folder's descriptor, one component at a time and without
// following links: replacing a component by a link meanwhile causes an error, not an escape.

TideAccessBroker access_broker;

void tide_access_set_broker(TideAccessBroker broker) { access_broker = broker; }

// Indexed by the position of a kind in FOLDER_KINDS.
static const uint32_t FOLDER_KINDS[] = {TIDE_ALLOW_READ, TIDE_ALLOW_WRITE, TIDE_ALLOW_STORE};
static const char *const VERBS[] = {"reading", "writing", "keeping a database at"};
static const char *const FLAGS[] = {"read", "write", "store"};
enum { FOLDER_KIND_COUNT = sizeof FOLDER_KINDS / sizeof *FOLDER_KINDS };

static size_t place_of(uint32_t kind) {
  size_t place = 0;
  while (place < FOLDER_KIND_COUNT - 1 && FOLDER_KINDS[place] != kind) place++;
  return place;
}
static const char *verb(uint32_t kind) { return VERBS[place_of(kind)]; }
static const char *flag(uint32_t kind) { return FLAGS[place_of(kind)]; }

/// Opens a folder, or the parent folder of a single file that may be written. Returns -1 with
/// `errno`.
static int open_allowed(const char *real, uint32_t kind, bool *isFile) {
  int folder = open(real, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0 || errno != ENOTDIR || kind != TIDE_ALLOW_WRITE) return folder;
  struct stat status;
  if (stat(real, &status) != 0) return -1;
  errno = ENOTDIR;
  if (!S_ISREG(status.st_mode)) return -1;
  *isFile = true;
  char parent[PATH_MAX];
  size_t count = (size_t)(strrchr(real, '/') - real);
  memcpy(parent, real, count);
  strcpy(parent + count, count ? "" : "/");
  return open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static int allow(TideState *state, uint32_t kind, const char *name) {
  char real[PATH_MAX];
  Trail written;
  trail_cut(&written, 0);
  int folder = -1;
  bool isFile = false;
  if (FOLDER_KINDS[place_of(kind)] == kind) {
    if (!trail_walk(&written, name)) return ENAMETOOLONG;
    if (!realpath(name, real)) return errno;
    folder = open_allowed(real, kind, &isFile);
    if (folder < 0) return errno;
    name = real;
  }
  size_t count = strlen(name);
  TideAllowance *made = malloc(sizeof *made + count + written.count + 2);
  if (!made) {
    if (folder >= 0) close(folder);
    return ENOMEM;
  }
  *made = (TideAllowance){.next = state->outside.allowances, .kind = kind, .folder = folder,
                          .isFile = isFile, .count = count};
  memcpy(made->name, name, count + 1);
  made->written = made->name + count + 1;
  memcpy(made->written, written.path, written.count + 1);
  state->outside.allowances = made;
  return 0;
}

int32_t tide_access_allow(TideState *state, uint32_t kind, const char *name) {
  return allow(state, kind, name);
}

/// Revokes the latest allowance.
static void withdraw(TideState *state) {
  TideAllowance *first = state->outside.allowances;
  state->outside.allowances = first->next;
  if (first->folder >= 0) close(first->folder);
  free(first);
}

void access_close(TideState *state) {
  while (state->outside.allowances) withdraw(state);
}

bool access_has(const TideState *state, uint32_t kind, const char *name) {
  for (const TideAllowance *one = state->outside.allowances; one; one = one->next)
    if (one->kind == kind && (!name || strcmp(one->name, name) == 0)) return true;
  return false;
}

/// The number of characters of an allowed folder's path that a file's path begins with; 0 for the
/// root.
static size_t stem_count(const TideAllowance *one) { return one->count == 1 ? 0 : one->count; }

static bool is_within(const TideAllowance *one, const char *path) {
  size_t count = stem_count(one);
  return one->folder >= 0 && strncmp(path, one->name, count) == 0 &&
         ((path[count] == '/' && !one->isFile) || !path[count]);
}

static const TideAllowance *folder_of(const TideState *state, uint32_t kind, const char *path) {
  for (const TideAllowance *one = state->outside.allowances; one; one = one->next)
    if (one->kind == kind && is_within(one, path)) return one;
  return NULL;
}

bool access_admits_move(const AccessTarget *from, const AccessTarget *to) {
  return tide_access_admits_move(from->folder, from->name, to->name);
}

/// The allowance that covers a path. If it is NULL, `isProtected` tells whether one would cover the
/// path if the path were not protected.
static const TideAllowance *covering(const TideState *state, uint32_t kind, const char *path,
                                     bool *isProtected) {
  for (const TideAllowance *one = state->outside.allowances; one; one = one->next) {
    if (one->kind != kind || !is_within(one, path)) continue;
    if (kind == TIDE_ALLOW_READ || !protected_below(path + stem_count(one))) return one;
    *isProtected = true;
  }
  return NULL;
}

/// Whether the path is below an allowed folder, where a script may list and inspect files.
static bool is_in_view(const TideState *state, const char *path) {
  for (const TideAllowance *one = state->outside.allowances; one; one = one->next)
    if (is_within(one, path) && path[stem_count(one)]) return true;
  return false;
}

/// If the path is the path by which a folder was allowed, continues at that folder's real path.
static void trail_enter_folder(Trail *trail, const TideState *state) {
  for (const TideAllowance *one = state->outside.allowances; one; one = one->next) {
    if (one->folder < 0 || strcmp(one->written, trail->path) != 0) continue;
    memcpy(trail->path, one->name, stem_count(one));
    trail_cut(trail, stem_count(one));
    return;
  }
}

// MARK: Following a path

enum { MOST_LINKS = 40 };

/// The part of a path that has not been followed yet, with room for the targets of links.
typedef struct Rest {
  char *next;
  char text[2 * PATH_MAX];
} Rest;

/// Inserts a link's target before the rest of the path. Returns false if that becomes too long.
static bool rest_insert(Rest *rest, const char *target, size_t count) {
  size_t left = strlen(rest->next);
  if (count + left + 2 > sizeof rest->text) return false;
  memmove(rest->text + count + 1, rest->next, left + 1);
  memcpy(rest->text, target, count);
  rest->text[count] = '/';
  rest->next = rest->text;
  return true;
}

/// Continues at the target of the link that the trail has reached; `before` is the length of its
/// folder's path. Returns 0, an error number, or -1 if the path becomes too long.
static int follow_link(Trail *trail, size_t before, Rest *rest, int *links) {
  char target[PATH_MAX];
  ssize_t length = readlink(trail->path, target, sizeof target);
  if (length <= 0 || length == sizeof target || ++*links > MOST_LINKS) return ELOOP;
  trail_cut(trail, *target == '/' ? 0 : before);
  return rest_insert(rest, target, (size_t)length) ? 0 : -1;
}

/// Resolves a path. Returns an error number if a component before the last is missing or is not a
/// folder, or -1 if the path cannot be resolved.
static int resolve(const TideState *state, const char *path, bool follows, Trail *trail) {
  Rest rest = {.next = rest.text};
  memcpy(rest.text, path, strlen(path) + 1);
  if (!trail_begin(trail, path)) return -1;
  int failure = 0, links = 0;
  for (;;) {
    trail_enter_folder(trail, state);
    rest.next += strspn(rest.next, "/");
    size_t count = strcspn(rest.next, "/"), before = trail->count;
    if (!count) return failure;
    if (!trail_enter(trail, rest.next, count)) return -1;
    rest.next += count;
    bool isLast = !rest.next[strspn(rest.next, "/")];
    if (failure || trail->count <= before || !is_in_view(state, trail->path)) continue;
    struct stat status;
    if (lstat(trail->path, &status) != 0) {
      if (!isLast || errno != ENOENT) failure = errno;
    } else if (S_ISLNK(status.st_mode) && (follows || !isLast)) {
      failure = follow_link(trail, before, &rest, &links);
      if (failure < 0) return failure;
    } else if (!isLast && !S_ISDIR(status.st_mode)) {
      failure = ENOTDIR;
    }
  }
}

// MARK: Refusing

/// The folder of a path in the script's spelling, without redundant parts.
static void written_folder(const char *path, char *folder) {
  bool isAbsolute = *path == '/';
  const char *slash = strrchr(path, '/');
  size_t used = 0;
  Trail trail;
  trail_cut(&trail, 0);
  for (size_t count; slash && path < slash; path += count + (path[count] == '/')) {
    count = strcspn(path, "/");
    if (!isAbsolute && !trail.count && count == 2 && strncmp(path, "..", 2) == 0) {
      // Leading `..` components that leave the working folder are kept.
      memcpy(folder + used, "/..", 3);
      used += 3;
    } else {
      trail_enter(&trail, path, count);
    }
  }
  memcpy(folder + used, trail.path, trail.count + 1);
  if (isAbsolute && !*folder) strcpy(folder, "/");
  if (!isAbsolute) memmove(folder, *folder ? folder + 1 : ".", *folder ? strlen(folder) : 2);
}

void tide_access_name_flags(TideState *state) { state->outside.namesFlags = true; }

const char *access_remedy(const TideState *state) {
  return state->outside.namesFlags ? "run with --allow" : "the host can allow";
}

static const char UNCOVERED[] =
    ": a folder does not cover scripts (*.lua), specs, and files and folders with a dot";

void access_write_refusal(TideState *state, const char *path, const AccessTarget *target,
                          char *text, size_t room) {
  char folder[PATH_MAX] = "DIR";
  Trail trail;
  if (strlen(path) < PATH_MAX - 2) {
    written_folder(path, folder);
    bool isKnown = trail_walk(&trail, folder);
    if (isKnown) trail_enter_folder(&trail, state);
    // A folder that is already allowed is not suggested again: a link in it leads outside, and its
    // target must not be revealed.
    if (!isKnown || folder_of(state, target->refused, trail.path)) strcpy(folder, "DIR");
  }
  // Allowing its folder would not cover it either.
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  bool isFolder = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
  bool covers = !target->isProtected &&
                (target->refused == TIDE_ALLOW_READ || isFolder || !protected_below(name));
  size_t count = (size_t)snprintf(text, room, "%s \"%s\" is not allowed%s; ", verb(target->refused),
                                  path, covers ? "" : UNCOVERED);
  if (count >= room) return;
  text += count;
  room -= count;
  if (covers)
    snprintf(text, room, "%s %s=%s", access_remedy(state), flag(target->refused), folder);
  else if (target->refused == TIDE_ALLOW_STORE)
    // Databases are allowed only by their folder.
    snprintf(text, room, "give it another name or folder");
  else
    snprintf(text, room, "%s %s=%s, which names the file itself", access_remedy(state),
             flag(target->refused), strlen(path) < PATH_MAX / 2 ? path : "FILE");
}

int access_refuse(lua_State *L, const char *path, const AccessTarget *target) {
  char text[TIDE_ACCESS_TEXT];
  access_write_refusal(state_of(L), path, target, text, sizeof text);
  return luaL_error(L, "%s", text);
}

/// Opens the folder that contains the file, starting from an allowed folder.
static int descend(const TideAllowance *from, AccessTarget *target) {
  int folder = openat(from->folder, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return errno;
  char *part = from->isFile ? strrchr(target->real, '/') : target->real + stem_count(from);
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
  target->name = *part ? part : ".";
  target->folder = folder;
  return 0;
}

const char *access_path(lua_State *L, int argument) {
  size_t count;
  const char *path = luaL_checklstring(L, argument, &count);
  luaL_argcheck(L, strlen(path) == count, argument, "a path contains no zeros");
  return path;
}

int access_find(const TideState *state, const char *path, uint32_t kinds, bool follows,
                AccessTarget *target) {
  *target->real = 0;
  target->folder = -1;
  target->refused = 0;
  target->isProtected = false;
  if (!*path) return ENOENT;
  Trail trail;
  int failure = strlen(path) < PATH_MAX - 2 ? resolve(state, path, follows, &trail) : -1;
  if (failure >= 0) memcpy(target->real, trail.path, trail.count + 1);
  const TideAllowance *found = NULL;
  for (size_t place = 0; place < FOLDER_KIND_COUNT; place++) {
    uint32_t kind = FOLDER_KINDS[place];
    if (!(kinds & kind)) continue;
    bool isProtected = false;
    found = failure < 0 ? NULL : covering(state, kind, target->real, &isProtected);
    // A path that is not allowed is refused whether it exists or not. An allowed folder is not part
    // of its own contents.
    if (found && (follows || found->isFile || target->real[stem_count(found)])) continue;
    target->refused = kind;
    target->isProtected = isProtected && !found;
    return EACCES;
  }
  if (!failure) failure = descend(found, target);
  if (failure || !(kinds & TIDE_ALLOW_WRITE) || !target->real[stem_count(found)]) return failure;
  // A folder of specs can neither be removed nor replaced.
  if (!protected_is_spec_folder(target->folder, target->name))
    return 0;
  close(target->folder);
  target->folder = -1;
  target->refused = TIDE_ALLOW_WRITE;
  target->isProtected = true;
  return EACCES;
}

int access_open(const AccessTarget *target, int flags) {
  struct stat status;
  bool isKnown = fstatat(target->folder, target->name, &status, AT_SYMLINK_NOFOLLOW) == 0;
  if (isKnown && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode) && !S_ISLNK(status.st_mode))
    flags = O_PATH;
  return openat(target->folder, target->name,
                flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
}

int32_t tide_access_open(TideState *state, const char *path, const char *folder, int32_t *file) {
  *file = -1;
  int failure = allow(state, TIDE_ALLOW_READ, folder);
  if (failure) return failure;
  AccessTarget target;
  failure = access_find(state, path, TIDE_ALLOW_READ, true, &target);
  withdraw(state);
  if (target.refused) return TIDE_ACCESS_REFUSED;
  if (failure) return failure;
  *file = access_open(&target, O_RDONLY);
  failure = *file < 0 ? errno : 0;
  close(target.folder);
  return failure;
}

int32_t tide_access_locate(TideState *state, const char *path, uint32_t kinds, bool follows,
                           TideAccessPlace *place) {
  AccessTarget target;
  place->folder = -1;
  *place->name = *place->refusal = 0;
  int failure = access_find(state, path, kinds, follows, &target);
  if (target.refused) {
    access_write_refusal(state, path, &target, place->refusal, sizeof place->refusal);
    return TIDE_ACCESS_REFUSED;
  }
  if (failure) return failure;
  place->folder = target.folder;
  snprintf(place->name, sizeof place->name, "%s", target.name);
  return 0;
}

const TideAllowance *access_scratch(lua_State *L, const char *what) {
  const TideAllowance *found = NULL;
  for (const TideAllowance *one = state_of(L)->outside.allowances; one; one = one->next)
    if (one->kind == TIDE_ALLOW_WRITE && !one->isFile) found = one;
  if (!found) luaL_error(L, "%s is not allowed; %s write=DIR", what, access_remedy(state_of(L)));
  return found;
}

int access_open_scratch(int folder, char *name) {
  static _Atomic(unsigned) made;
  if (!name) {
    int unnamed = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (unnamed >= 0) return unnamed;
    // A confined process may be allowed to write to the folder but not to read it.
    if (errno == EACCES && access_broker.scratch) return access_broker.scratch();
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
