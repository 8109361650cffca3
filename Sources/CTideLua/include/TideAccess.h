// The world outside: files, variables, programs (access.c, files.c, processes.c, system.c).
#pragma once

#include "TideValue.h"

#pragma clang assume_nonnull begin

/// What a script may do outside of the interpreter.
enum {
  TIDE_ALLOW_READ = 1,   // open the files below a folder
  TIDE_ALLOW_WRITE = 2,  // make, change and remove them
  TIDE_ALLOW_ENVIRONMENT = 4,  // read a variable of that name
  TIDE_ALLOW_RUN = 8,          // run programs; the name does not matter
  TIDE_ALLOW_STORE = 16,       // keep databases below a folder
};

/// Allows one thing more; gives the system's error number where a folder cannot be opened, else 0.
int32_t tide_access_allow(TideState *state, uint32_t kind, const char *name);
/// Lets refusals say which flag of the program would allow the call, in place of what the host can
/// do.
void tide_access_name_flags(TideState *state);
enum { TIDE_ACCESS_REFUSED = -1 };
/// Opens a file for reading if it lies below a folder, or where scripts may read. Gives 0, the
/// system's error number, or TIDE_ACCESS_REFUSED whether or not the file exists.
int32_t tide_access_open(TideState *state, const char *path, const char *folder, int32_t *file);

enum { TIDE_ACCESS_NAME = 256, TIDE_ACCESS_TEXT = 9000 };

/// Where a file is: its folder, and its name in there. In place of it, where that is not allowed, what
/// says so.
typedef struct TideAccessPlace {
  int32_t folder;  // the caller closes it; -1: none
  char name[TIDE_ACCESS_NAME];
  char refusal[TIDE_ACCESS_TEXT];
} TideAccessPlace;

/// Finds where a path leads that scripts may use for all `kinds`, without following a link at its end
/// unless `follows`. Gives 0, the system's error number, or TIDE_ACCESS_REFUSED.
int32_t tide_access_locate(TideState *state, const char *path, uint32_t kinds, bool follows,
                           TideAccessPlace *place);

static inline const char *tide_access_name(const TideAccessPlace *place) { return place->name; }
static inline const char *tide_access_refusal(const TideAccessPlace *place) {
  return place->refusal;
}

/// Whether what is in an open folder may get another name: false for a folder that is to be called
/// as folders of specs are, or holds scripts, specs, or files and folders with a dot.
bool tide_access_admits_move(int32_t folder, const char *name, const char *newName);

/// Starts programs and makes unnamed files for all states where the process is confined and may not
/// do so itself.
typedef struct TideAccessBroker {
  /// Starts a shell command; `direction` is 'r', 'w', or 0 for no channel. Returns 0, an error number,
  /// or -1 without a broker: then the caller starts the command itself. The caller closes both
  /// descriptors. `control` becomes readable when the command has ended, and then yields its status, an
  /// `int` as in `waitpid`; shutting it down for writing kills the command.
  int32_t (*_Nullable run)(const char *command, char direction, int32_t *channel,
                           int32_t *control);
  /// Makes a file to read and write, used where the process may not; -1 with `errno`.
  int32_t (*_Nullable scratch)(void);
  /// The environment of a command that the state starts itself, whose list the caller frees: what
  /// all programs need, and the named variables. NULL without memory.
  char *_Nullable *_Nullable (*_Nullable environment)(const char *_Nullable const *_Nullable names);
} TideAccessBroker;

void tide_access_set_broker(TideAccessBroker broker);

#pragma clang assume_nonnull end
