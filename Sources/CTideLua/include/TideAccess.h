// Resources outside of the interpreter: files, variables, programs (access.c, files.c, processes.c,
// system.c).
#pragma once

#include "TideValue.h"

#pragma clang assume_nonnull begin

/// The permissions of a script outside of the interpreter.
enum {
  TIDE_ALLOW_READ = 1,   // open the files below a folder
  TIDE_ALLOW_WRITE = 2,  // make, change and remove them
  TIDE_ALLOW_ENVIRONMENT = 4,  // read a variable of that name
  TIDE_ALLOW_RUN = 8,          // run programs; the name does not matter
  TIDE_ALLOW_STORE = 16,       // keep databases below a folder
};

/// Grants a permission. Returns 0, or the system's error number if a folder cannot be opened.
int32_t tide_access_allow(TideState *state, uint32_t kind, const char *name);
/// Makes refusals name the program's flag that would allow the call, instead of what the host can
/// do.
void tide_access_name_flags(TideState *state);
enum { TIDE_ACCESS_REFUSED = -1 };
/// Opens a file for reading if it is below a folder or where scripts may read. Returns 0, the
/// system's error number, or TIDE_ACCESS_REFUSED whether or not the file exists.
int32_t tide_access_open(TideState *state, const char *path, const char *folder, int32_t *file);

enum { TIDE_ACCESS_NAME = 256, TIDE_ACCESS_TEXT = 9000 };

/// The location of a file: its folder and its name in it. If access is refused, the message of the
/// refusal instead.
typedef struct TideAccessPlace {
  int32_t folder;  // the caller closes it; -1: none
  char name[TIDE_ACCESS_NAME];
  char refusal[TIDE_ACCESS_TEXT];
} TideAccessPlace;

/// Resolves a path that scripts may use for all `kinds`, without following a link at its end unless
/// `follows` is true. Returns 0, the system's error number, or TIDE_ACCESS_REFUSED.
int32_t tide_access_locate(TideState *state, const char *path, uint32_t kinds, bool follows,
                           TideAccessPlace *place);

static inline const char *tide_access_name(const TideAccessPlace *place) { return place->name; }
static inline const char *tide_access_refusal(const TideAccessPlace *place) {
  return place->refusal;
}

/// Whether an entry of an open folder may be renamed. Returns false for a folder whose new name
/// would be that of a folder of specs, and for a folder that contains scripts, specs, or entries
/// whose names begin with a dot.
bool tide_access_admits_move(int32_t folder, const char *name, const char *newName);

/// Starts programs and creates unnamed files for all states, if the process is confined and may not
/// do so itself.
typedef struct TideAccessBroker {
  /// Starts a shell command; `direction` is 'r', 'w', or 0 for no channel. Returns 0, an error
  /// number, or -1 without a broker, in which case the caller starts the command itself. The caller
  /// closes both descriptors. `control` becomes readable when the command has ended, and then
  /// yields its status, an `int` as in `waitpid`; shutting it down for writing kills the command.
  int32_t (*_Nullable run)(const char *command, char direction, int32_t *channel,
                           int32_t *control);
  /// Creates a file for reading and writing if the process may not create it itself. Returns -1
  /// with `errno` on failure.
  int32_t (*_Nullable scratch)(void);
  /// The environment of a command that the state starts itself: the variables that all programs
  /// need, and the named ones. The caller frees the array. NULL if memory runs out.
  char *_Nullable *_Nullable (*_Nullable environment)(const char *_Nullable const *_Nullable names);
} TideAccessBroker;

void tide_access_set_broker(TideAccessBroker broker);

#pragma clang assume_nonnull end
