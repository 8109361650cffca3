// A state is one interpreter with everything around it (state.c).
#pragma once

#include "TideValue.h"

#pragma clang assume_nonnull begin

/// Parts of the standard library that are dangerous in scripts.
enum {
  TIDE_OPEN_IO = 1,
  TIDE_OPEN_OS = 2,
  TIDE_OPEN_DEBUG = 4,
  TIDE_OPEN_PACKAGE = 8,
  TIDE_OPEN_LOADING = 16,   // dofile, loadfile, compiled chunks, the whole collectgarbage
  TIDE_OPEN_PATCHING = 32,  // scripts may change the library tables and set finalizers
};

typedef struct TideConfiguration {
  uint64_t memory;       // bytes that Lua may use; 0: no limit
  uint64_t turn;         // nanoseconds before a turn is stopped; 0: no limit
  uint64_t textBytes;    // the longest string that one library call may build
  uint64_t sourceBytes;  // the longest text that `load` takes
  uint64_t valueBytes;   // the longest text that a property takes; 0: no limit
  uint64_t printedBytes;  // that may be printed within a second; 0: no limit
  uint32_t open;         // TIDE_OPEN_*
  bool countsSteps;      // a standing count hook in place of the watchdog's signal
} TideConfiguration;

/// The host's functions for the state.
typedef struct TideHost {
  void *_Nullable owner;
  void (*release)(void *object);
  void (*print)(void *_Nullable owner, const char *bytes, size_t count);
  /// A part of a warning; `continues` tells whether more parts follow.
  void (*warn)(void *_Nullable owner, const char *bytes, size_t count, bool continues);
  /// A blocking function was called although the script could have waited.
  void (*block)(void *_Nullable owner, const char *function);
} TideHost;

/// The tables of functions that scripts have in addition to the border's own (TideBorder.h).
typedef struct TideLibrary TideLibrary;

/// Creates a state with the complete sandbox, or returns NULL if memory runs out.
TideState *_Nullable tide_state_open(const TideConfiguration *configuration, const TideHost *host,
                                     const TideLibrary *library);
/// Closes the interpreter, or marks it for closing at the end of the outermost call.
void tide_state_close(TideState *state);
bool tide_state_is_open(const TideState *state);
/// Whether the state is closed, or will be, because an operation could not be stopped otherwise.
bool tide_state_is_given_up(const TideState *state);
/// Whether a call or turn is in progress.
bool tide_state_is_running(const TideState *state);
/// A state's memory, even after closing, exists until all owners have released it. Any thread may
/// release it.
void tide_state_retain(TideState *state);
void tide_state_release(TideState *state);
void *_Nullable tide_state_owner(const TideState *state);

/// The height of the running Lua stack: equal before and after every call.
int32_t tide_state_height(TideState *state);
/// The location of the Lua code that is running, as from `tide_call_location`.
const char *_Nullable tide_state_location(TideState *state, int32_t *line);

/// Whether the interpreter's structures have the expected layout, so that even one of its own
/// operations can be abandoned. Tested when the first state is opened.
bool tide_interpreter_is_known(void);
/// Whether the interpreter is a build whose operator `..` may use freed memory (concat.c).
bool tide_interpreter_has_concatenation_fault(void);
/// Whether scripts are guarded against the known bugs of the interpreter's release, if it has any
/// (guards.c).
bool tide_interpreter_is_guarded(void);
/// The release of the running Lua library, such as "5.4.9"; empty if unknown.
const char *tide_interpreter_version(void);
/// The oldest supported release.
const char *tide_interpreter_oldest(void);
bool tide_interpreter_is_supported(void);
/// Whether the library was built by scripts/lua.
bool tide_interpreter_is_own_build(void);

#pragma clang assume_nonnull end
