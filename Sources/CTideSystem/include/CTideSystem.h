// Functions that Swift cannot call directly: system calls without a wrapper in the C library, and
// code that runs in a forked process. Independent of models, views and Lua.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "TideHTTP.h"

#pragma clang assume_nonnull begin

// MARK: Landlock (landlock.c)

/// The rights that a ruleset handles: those that none of its rules allows are refused. The bits are
/// the kernel's.
typedef struct TideLandlockRights {
  uint64_t files, network, scopes;
} TideLandlockRights;

/// The kernel's Landlock ABI version, or a negative error number.
int32_t tide_landlock_version(void);
/// Creates a ruleset. Returns its descriptor, which the caller closes, or a negative error number.
/// Rights newer than `version` are omitted, because an older kernel refuses them.
int32_t tide_landlock_make(TideLandlockRights rights, int32_t version);
/// Allows rights at and below a path; a regular file gets only the rights that apply to files.
/// Returns 0 or an error number.
int32_t tide_landlock_allow(int32_t ruleset, const char *path, uint64_t rights);
/// Allows rights to a TCP port. Returns 0 or an error number.
int32_t tide_landlock_allow_port(int32_t ruleset, uint16_t port, uint64_t rights);
/// Restricts this thread, and threads that it starts later, to the ruleset. Returns 0 or an error
/// number.
int32_t tide_landlock_restrict(int32_t ruleset);
/// Restricts all other threads of the process to the ruleset, waiting at most a second. Returns the
/// number of those threads, or a negative error number.
int32_t tide_landlock_restrict_others(int32_t ruleset);

// MARK: The process as a whole (process.c)

/// One instruction of a seccomp filter: the kernel's `struct sock_filter`.
typedef struct TideFilterInstruction {
  uint16_t code;
  uint8_t jump_true, jump_false;
  uint32_t value;
} TideFilterInstruction;

/// 0 if the kernel accepts filters, else an error number.
int32_t tide_filter_probe(void);
/// Installs a filter for the system calls of all threads, permanently. Returns 0 or an error
/// number.
int32_t tide_filter_install(const TideFilterInstruction *instructions, size_t count);
/// Prevents programs started from now on from gaining privileges (no_new_privs). Returns 0 or an
/// error number.
int32_t tide_refuse_privileges(void);
/// Disables core dumps, and inspection by other processes of the same user. Returns 0 or an error
/// number.
int32_t tide_refuse_dumps(void);
/// Limits the memory of this process: bytes of writable data, and bytes of address space. Returns 0
/// or an error number.
int32_t tide_limit_memory(uint64_t data, uint64_t space);
/// Limits the number of open files and sockets of this process. Returns 0 or an error number.
int32_t tide_limit_files(uint64_t files);
/// Whether this build has a sanitizer, which reads files, and traces the process at its end.
bool tide_is_sanitized(void);
/// The number of threads of the process, or -1 if /proc cannot be read.
int32_t tide_thread_count(void);
/// Runs a function in a forked process and waits for it. Returns the byte that the function
/// returned, or -1. A string that the child writes to `text`, with a capacity of `room` bytes, is
/// copied back.
int32_t tide_run_forked(int32_t (*body)(void *_Nullable), void *_Nullable context, char *text,
                        size_t room);

/// Returns the allocator's free memory to the system, including gaps between used blocks.
void tide_trim_memory(void);
/// Makes the allocator return large blocks to the system as soon as they are freed, from now on.
void tide_return_large_blocks(void);

/// Creates an unnamed file in a folder. Returns its descriptor, open for writing, or -1 with
/// `errno`.
int32_t tide_open_unnamed(const char *folder, uint32_t mode);

// MARK: Programs (programs.c)

/// How to start a program. The lists end with NULL.
typedef struct TideProgramRequest {
  const char *_Nullable const *_Nonnull arguments;  // the program first, found as a shell finds it
  const char *_Nullable const *_Nullable environment;  // NAME=value, beside inherited variables
  // Names of further variables to inherit from this process. Scripts may also set them if they may
  // start only programs by name.
  const char *_Nullable const *_Nullable inherited;
  const char *_Nullable folder;                        // NULL: this process's own
  int32_t input, output, errors;
} TideProgramRequest;

/// A started program that has not been waited for.
typedef struct TideProgram {
  int32_t id;       // also of its group
  int32_t control;  // readable when it has ended; -1 once the status was taken
  bool is_brokered;
} TideProgram;

/// Starts a program in its own process group, through the broker if there is one. Returns 0 or an
/// error number. `tide_program_finish` and `tide_program_end` close `control`.
int32_t tide_program_start(const TideProgramRequest *request, TideProgram *program);
/// The part of a request that could run other code than the named program, for use where scripts
/// may start only that program: a variable, or a path that depends on the folder; NULL if there is
/// none. Valid as long as the request.
const char *_Nullable tide_program_forbidden_part(const TideProgramRequest *request);
/// Sends a signal to the program's group. Returns 0 or an error number; EINVAL for a signal that is
/// not allowed.
int32_t tide_program_signal(const TideProgram *program, int32_t number);
/// Takes the status, as from `waitpid`, of a program that has ended, and kills the rest of its
/// group. Returns false if it has not ended.
bool tide_program_finish(TideProgram *program, int32_t *status);
/// Kills the program and its group.
void tide_program_end(TideProgram *program);
/// Writes to a program's input without blocking. Returns the number of bytes written, which is 0 if
/// there is no room, or a negative error number.
int64_t tide_program_write(int32_t channel, const void *bytes, size_t count);

/// Both ends of a program's channels; -1 for none.
typedef struct TideProgramChannels {
  int32_t input, output, errors;  // our ends, which do not block
  int32_t their_input, their_output, their_errors;
} TideProgramChannels;

enum { TIDE_PROGRAM_INPUT = 1 };

/// The environment for programs started by scripts: the variables that most programs need, and the
/// named ones. The caller frees only the list; NULL if memory is exhausted.
char *_Nullable *_Nullable tide_program_environment(
    const char *_Nullable const *_Nullable inherited);

/// Creates channels for a program: output, errors and, if wanted, input. Returns 0 or an error
/// number.
int32_t tide_program_channels(int32_t wanted, TideProgramChannels *channels);
/// Closes the program's ends, or both ends.
void tide_program_close(TideProgramChannels *channels, bool all);

// MARK: The broker (broker.c, requests.c)

/// The tasks that the broker performs for its parent.
typedef struct TideBrokerTasks {
  bool starts_programs;  // any program, also through the shell
  const char *const _Nullable *_Nullable programs;  // by name, without a shell; NULL at the end
  const char *const _Nullable *_Nullable variables;  // inherited by programs; NULL at the end
  int32_t ruleset;  // of Landlock, for `programs`; -1: none. The caller closes it
  const char *_Nullable editor;  // a shell command, to which a file's name is added
  const char *_Nullable scratch;  // a folder for unnamed files
  const char *const _Nullable *_Nullable reopened;  // absolute paths; NULL at the end
  // Folders that did not exist, to be removed at the end if they are empty; NULL at the end.
  const char *const _Nullable *_Nullable emptied;
  // The workers' main function, called in a forked process with the worker's channel; NULL for no
  // workers.
  void (*_Nullable worker)(void *_Nullable context, int32_t channel);
  void *_Nullable worker_context;
} TideBrokerTasks;

/// Forks the broker; call it before confining the process. The broker has its own copy of the
/// tasks. Returns 0 or an error number.
int32_t tide_broker_start(const TideBrokerTasks *tasks);
/// Whether this process has a broker.
bool tide_broker_exists(void);

/// Like `open`, for reading. A device is opened with `O_PATH` only. If confinement refuses a path,
/// the broker opens it if it may be reopened.
int32_t tide_open_to_read(const char *path, int32_t flags);
/// Creates an unnamed file in the broker's scratch folder, open for reading and writing. Returns -1
/// with `errno` on failure.
int32_t tide_broker_scratch(void);
/// Starts a shell command; `direction` is 'r', 'w', or 0 for no channel. Returns 0, an error
/// number, or -1 without a broker.
///
/// The caller closes both descriptors; `channel` is -1 without a direction. `control` becomes
/// readable when the command has ended, and then yields its status, an `int` as from `waitpid`.
/// Shutting `control` down for writing, or closing it, kills the command's process group.
int32_t tide_broker_run(const char *command, char direction, int32_t *channel, int32_t *control);

/// Makes the broker start a program; called by `tide_program_start` if there is a broker.
int32_t tide_broker_start_program(const TideProgramRequest *request, TideProgram *program);

/// Makes the broker fork a worker, in its own process group, which reads and writes `channel` and
/// prints to `output`. Returns 0 or an error number; the caller closes both descriptors.
///
/// The worker ends with the broker, and so with this process. It inherits only the memory from when
/// the broker was started, but neither threads nor descriptors.
int32_t tide_broker_start_worker(int32_t channel, int32_t output, TideProgram *program);

/// Creates a new file for the editor, open for writing. Returns 0 or an error number.
int32_t tide_broker_edit(int32_t *file);
/// Runs the editor in the broker's own terminal and waits for its end. Yields its status, as from
/// `waitpid`, and the edited file, open for reading. Returns 0 or an error number.
int32_t tide_broker_finish_edit(int32_t *status, int32_t *file);

// MARK: Other threads (workers.c)

/// Calls a function on a thread of a small pool. Long-running functions never occupy all threads.
/// Returns 0, or an error number if the function is not called.
int32_t tide_work(void (*body)(void *_Nullable), void *_Nullable context, bool takes_long);

// MARK: Event loops (poller.c, waker.c)

/// Creates a set of descriptors to wait for, itself a descriptor. Returns -1 with `errno` on
/// failure.
int tide_poller_make(void);

/// Adds a descriptor; `tide_poller_wait` identifies it by the tag. Returns 0 or an error number.
int tide_poller_add(int poller, int descriptor, uint64_t tag);

/// Adds a descriptor to wait until it is writable. Returns 0 or an error number.
int tide_poller_add_writing(int poller, int descriptor, uint64_t tag);

/// Removes a descriptor; does nothing if it was not added.
void tide_poller_remove(int poller, int descriptor);

/// Waits until descriptors are readable, closed or broken, and stores their tags.
///
/// Returns their number; 0 after a timeout in nanoseconds (negative: none) or at a signal.
int tide_poller_wait(int poller, uint64_t *tags, int capacity, int64_t nanoseconds);

/// Creates a descriptor that `tide_waker_wake` makes readable and `tide_waker_clear` resets; -1 on
/// failure.
int tide_waker_make(void);
void tide_waker_wake(int waker);
void tide_waker_clear(int waker);

#pragma clang assume_nonnull end
