// A state is one interpreter with everything around it (state.c).
#pragma once

#include "TideValue.h"

#pragma clang assume_nonnull begin

/// Parts of the stock library that are dangerous in a script's hands.
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

/// What the state itself asks of Swift.
typedef struct TideHost {
  void *_Nullable owner;
  void (*release)(void *object);
  void (*print)(void *_Nullable owner, const char *bytes, size_t count);
  /// A piece of a warning, of which more are to come or not.
  void (*warn)(void *_Nullable owner, const char *bytes, size_t count, bool continues);
  /// A function that lets everything else stand still was called where a script could wait.
  void (*block)(void *_Nullable owner, const char *function);
} TideHost;

/// The tables of functions that scripts have besides the border's own (TideBorder.h).
typedef struct TideLibrary TideLibrary;

/// Makes a state with the whole sandbox, or gives NULL when memory does not suffice.
TideState *_Nullable tide_state_open(const TideConfiguration *configuration, const TideHost *host,
                                     const TideLibrary *library);
/// Closes the interpreter, or marks it to be closed when the outermost call has ended.
void tide_state_close(TideState *state);
bool tide_state_is_open(const TideState *state);
/// Whether it is closed, or will be, because nothing else could stop what it did.
bool tide_state_is_given_up(const TideState *state);
/// Whether a call or turn has not ended.
bool tide_state_is_running(const TideState *state);
/// A state's memory stays, closed or not, until all who know it have released it; any thread may.
void tide_state_retain(TideState *state);
void tide_state_release(TideState *state);
void *_Nullable tide_state_owner(const TideState *state);

/// The used height of the running Lua stack: equal before and after every call.
int32_t tide_state_height(TideState *state);
/// The location of whatever Lua code runs now, as `tide_call_location` gives it.
const char *_Nullable tide_state_location(TideState *state, int32_t *line);

/// Whether the interpreter's structures are laid out as expected, so that even one of its own
/// operations can be abandoned. Probed when the first state is opened.
bool tide_interpreter_is_known(void);
/// Whether it is a build whose operator `..` may use freed memory (concat.c).
bool tide_interpreter_has_concatenation_fault(void);
/// Whether scripts are kept from its release's known faults, where it has any (guards.c).
bool tide_interpreter_is_guarded(void);
/// The release of Lua that runs, such as "5.4.9"; empty where it is unknown.
const char *tide_interpreter_version(void);
/// The oldest release that is supported.
const char *tide_interpreter_oldest(void);
bool tide_interpreter_is_supported(void);
/// Whether it was built by scripts/lua.
bool tide_interpreter_is_own_build(void);

#pragma clang assume_nonnull end
