// The resources outside of the interpreter that scripts may use: files below certain folders,
// certain environment variables, and programs.
#pragma once

#include <limits.h>

#include "state.h"

/// An allowed folder, variable or permission.
typedef struct TideAllowance {
  struct TideAllowance *next;
  uint32_t kind;  // TIDE_ALLOW_*
  int folder;     // held open, so that renaming has no effect; -1 for no path
  bool isFile;    // a single file, in that folder
  char *written;  // after the name: the folder's path as given, with links
  size_t count;
  char name[];  // a folder's real path, a variable's name
} TideAllowance;

/// The result of resolving a path: the folder that contains the file, and the file's name in it.
typedef struct AccessTarget {
  int folder;           // the caller closes it; -1: none was found
  uint32_t refused;     // the kind of access that is not allowed, or 0
  bool isProtected;     // refused because allowed folders exclude such files
  const char *name;     // within `real`
  char real[PATH_MAX];  // links resolved; the root is empty
} AccessTarget;

/// Whether a permission other than for files is granted. `name` is NULL for a permission without a
/// name.
bool access_has(const TideState *state, uint32_t kind, const char *name);
/// The beginning of the hint at the end of a refusal.
const char *access_remedy(const TideState *state);
/// The path in an argument. Raises an error if the argument cannot be a path.
const char *access_path(lua_State *L, int argument);
/// Resolves a path if access is allowed for all `kinds`. Follows a link at its end only if
/// `follows` is true. Returns the system's error number, or 0; never raises an error.
int access_find(const TideState *state, const char *path, uint32_t kinds, bool follows,
                AccessTarget *target);
/// Raises the error of a refused path.
int access_refuse(lua_State *L, const char *path, const AccessTarget *target);
/// Writes the message of that error.
void access_write_refusal(TideState *state, const char *path, const AccessTarget *target,
                          char *text, size_t room);
/// The first writable folder. Raises an error that names the call in `what` if there is none.
const TideAllowance *access_scratch(lua_State *L, const char *what);
/// Whether a file or folder may be renamed: not if that would move protected files to another
/// place.
bool access_admits_move(const AccessTarget *from, const AccessTarget *to);
/// Opens a resolved path without blocking. Opening a device may have side effects, so a device or
/// pipe is opened with `O_PATH` only. Returns -1 with `errno`.
int access_open(const AccessTarget *target, int flags);
void access_close(TideState *state);

/// Performs the operations that a confined process must not perform itself.
extern TideAccessBroker access_broker;

/// Opens an unnamed file in a folder, or a named one whose name is written to `name` (room for 32).
int access_open_scratch(int folder, char *name);
