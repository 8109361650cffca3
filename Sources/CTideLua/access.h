// What scripts may reach outside of the interpreter: files below certain folders, certain variables
// of the environment, and programs.
#pragma once

#include <limits.h>

#include "state.h"

/// A folder, variable or permission that was given.
typedef struct TideAllowance {
  struct TideAllowance *next;
  uint32_t kind;  // TIDE_ALLOW_*
  int folder;     // held open, so that renaming it changes nothing; -1 where it is no path
  bool isFile;    // a single file; the folder is the one that holds it
  char *written;  // behind the name: a folder's absolute path as it was given, links left in it
  size_t count;
  char name[];  // a folder's real path, a variable's name
} TideAllowance;

/// Where a path leads: the folder that holds the file, and its name in there.
typedef struct AccessTarget {
  int folder;           // to be closed by whoever got it; -1: none was found
  uint32_t refused;     // the kind of access that is not allowed, or 0
  bool isProtected;     // because a folder that is allowed does not cover such files
  const char *name;     // within `real`
  char real[PATH_MAX];  // links resolved; the root is empty
} AccessTarget;

/// Whether a permission other than for files is granted; `name` is NULL for one that takes none.
bool access_has(const TideState *state, uint32_t kind, const char *name);
/// The beginning of the hint that ends a refusal.
const char *access_remedy(const TideState *state);
/// The path that an argument is; raises when it cannot be one.
const char *access_path(lua_State *L, int argument);
/// Finds where a path leads, without following a link at its end unless `follows`, if that is
/// allowed for all `kinds`. Gives the system's error number, 0 when found; never raises.
int access_find(const TideState *state, const char *path, uint32_t kinds, bool follows,
                AccessTarget *target);
/// Raises what says that what a path leads to is not allowed.
int access_refuse(lua_State *L, const char *path, const AccessTarget *target);
/// Writes the text of that.
void access_write_refusal(TideState *state, const char *path, const AccessTarget *target,
                          char *text, size_t room);
/// The first folder that may be written; raises when there is none. `what` says for which call.
const TideAllowance *access_scratch(lua_State *L, const char *what);
/// Whether a file or folder may get another name: not where that would bring protected files to
/// another place.
bool access_admits_move(const AccessTarget *from, const AccessTarget *to);
/// Opens what a path leads to, without waiting. Opening a device may do something, so a device or
/// pipe is only located (`O_PATH`); -1 with `errno`.
int access_open(const AccessTarget *target, int flags);
void access_close(TideState *state);

/// Does what a confined process may not do itself.
extern TideAccessBroker access_broker;

/// Opens an unnamed file in a folder, or a named one whose name goes into `name` (room for 32).
int access_open_scratch(int folder, char *name);
