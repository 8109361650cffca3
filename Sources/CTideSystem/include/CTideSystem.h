// What the operating system offers and Swift cannot call: system calls without a function of the C
// library, and what runs in a forked process. Nothing here knows of models, views or Lua.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// MARK: Landlock (landlock.c)

/// What a ruleset holds back unless a rule allows it; bits as the kernel numbers them.
typedef struct TideLandlockRights {
  uint64_t files, network, scopes;
} TideLandlockRights;

/// The version that the kernel speaks, or a negative error number.
int32_t tide_landlock_version(void);
/// A new ruleset's descriptor, or a negative error number. `version` decides how much of the rights
/// the kernel is told of.
int32_t tide_landlock_make(TideLandlockRights rights, int32_t version);
/// Allows rights below what the path leads to, a plain file those that files have. An error number.
int32_t tide_landlock_allow(int32_t ruleset, const char *path, uint64_t rights);
/// Holds this thread, and those that it starts from now on, to the ruleset. An error number.
int32_t tide_landlock_restrict(int32_t ruleset);
/// Holds all other threads of the process to it; gives how many there were, or a negative error
/// number.
int32_t tide_landlock_restrict_others(int32_t ruleset);

// MARK: The process as a whole (process.c)

/// One instruction of a filter, as the kernel has it.
typedef struct TideFilterStep {
  uint16_t code;
  uint8_t jump_true, jump_false;
  uint32_t value;
} TideFilterStep;

/// 0 where the kernel would take a filter, else an error number.
int32_t tide_filter_probe(void);
/// Makes all threads' system calls pass a filter for good. An error number.
int32_t tide_filter_install(const TideFilterStep *steps, size_t count);
/// No program that is started has more rights than this one. An error number.
int32_t tide_refuse_privileges(void);
/// No core is dumped, and no process of the same user may look inside. An error number.
int32_t tide_refuse_dumps(void);
/// Whether a sanitizer is built in. It reads files and traces the process when that ends.
bool tide_is_sanitized(void);
/// How many threads the process has; -1 where that cannot be told.
int32_t tide_thread_count(void);
/// Runs a function in a forked process; gives the byte that it returned, or -1.
int32_t tide_run_forked(int32_t (*body)(void *_Nullable), void *_Nullable context, char *text,
                        size_t room);

/// A file without a name in a folder, open for writing; -1 with `errno`.
int32_t tide_open_unnamed(const char *folder, uint32_t mode);

// MARK: The broker (broker.c, requests.c)

/// What the broker does for its parent, and nothing else.
typedef struct TideBrokerTasks {
  bool starts_programs;  // any, by the shell
  const char *_Nullable editor;  // a shell command that takes a file
  const char *_Nullable scratch;  // a folder in which it makes unnamed files
  const char *const _Nullable *_Nullable reopened;  // absolute paths; NULL at the end
} TideBrokerTasks;

/// Forks the broker, before the wall goes up. An error number.
int32_t tide_broker_start(const TideBrokerTasks *tasks);
/// Whether there is one.
bool tide_broker_exists(void);

/// As `open`. What the wall refuses the broker opens if its path is one that may be reopened.
int32_t tide_open_to_read(const char *path, int32_t flags);
/// An unnamed file in the broker's scratch folder, or -1 with `errno`.
int32_t tide_broker_scratch(void);
/// Starts a shell command; `direction` is 'r', 'w', or 0 for no channel. Gives an error number, or
/// -1 where there is no broker.
///
/// `control` becomes readable when the command has ended, and holds an `int` then as `waitpid` gives
/// it. Shutting it down for writing, or closing it, ends the command with all of its group.
int32_t tide_broker_run(const char *command, char direction, int32_t *channel, int32_t *control);

/// A new file for the editor, open for writing. An error number.
int32_t tide_broker_edit(int32_t *file);
/// Runs the editor in the broker's own terminal to its end; gives how it ended, as `waitpid` does,
/// and the file as it is then, open for reading. An error number.
int32_t tide_broker_finish_edit(int32_t *status, int32_t *file);

#pragma clang assume_nonnull end
