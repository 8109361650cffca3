// What Swift cannot call directly: system calls for which the C library has no function, and code
// that runs in a forked process. Nothing here knows of models, views or Lua.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "TideHTTP.h"

#pragma clang assume_nonnull begin

// MARK: Landlock (landlock.c)

/// The rights that a ruleset governs: what none of its rules allows is refused. Bits as the kernel
/// numbers them.
typedef struct TideLandlockRights {
  uint64_t files, network, scopes;
} TideLandlockRights;

/// The version of Landlock's ABI that the kernel has, or a negative error number.
int32_t tide_landlock_version(void);
/// Makes a ruleset; gives its descriptor, which the caller closes, or a negative error number. Rights
/// that are newer than `version` are left out, because an older kernel refuses them.
int32_t tide_landlock_make(TideLandlockRights rights, int32_t version);
/// Allows rights at and below a path; of those, a plain file gets only the ones that apply to
/// files. Gives 0 or an error number.
int32_t tide_landlock_allow(int32_t ruleset, const char *path, uint64_t rights);
/// Allows rights to a TCP port. Gives 0 or an error number.
int32_t tide_landlock_allow_port(int32_t ruleset, uint16_t port, uint64_t rights);
/// Confines this thread, and those that it starts from now on, to the ruleset. Gives 0 or an error
/// number.
int32_t tide_landlock_restrict(int32_t ruleset);
/// Confines all other threads of the process to it, waiting at most a second; gives how many there
/// were, or a negative error number.
int32_t tide_landlock_restrict_others(int32_t ruleset);

// MARK: The process as a whole (process.c)

/// One instruction of a seccomp filter: the kernel's `struct sock_filter`.
typedef struct TideFilterInstruction {
  uint16_t code;
  uint8_t jump_true, jump_false;
  uint32_t value;
} TideFilterInstruction;

/// 0 where the kernel would accept a filter, else an error number.
int32_t tide_filter_probe(void);
/// Installs a filter for the system calls of all threads, for good. Gives 0 or an error number.
int32_t tide_filter_install(const TideFilterInstruction *instructions, size_t count);
/// From now on no program that is started gains rights (no_new_privs). Gives 0 or an error number.
int32_t tide_refuse_privileges(void);
/// From now on no core is dumped, and no process of the same user may look inside. Gives 0 or an
/// error number.
int32_t tide_refuse_dumps(void);
/// Limits the memory of this process: bytes of data that it may write, and bytes of address space.
/// Gives 0 or an error number.
int32_t tide_limit_memory(uint64_t data, uint64_t space);
/// Limits how many files and sockets this process may have open. Gives 0 or an error number.
int32_t tide_limit_files(uint64_t files);
/// Whether this build has a sanitizer, which reads files, and traces the process when it ends.
bool tide_is_sanitized(void);
/// How many threads the process has, or -1 where /proc cannot be read.
int32_t tide_thread_count(void);
/// Runs a function in a forked process and waits for it; gives the byte that it returned, or -1.
/// What the child leaves as a string in `text`, which has room for so many bytes, is copied back.
int32_t tide_run_forked(int32_t (*body)(void *_Nullable), void *_Nullable context, char *text,
                        size_t room);

/// Gives the system what its allocator keeps for later, holes between blocks included.
void tide_trim_memory(void);
/// From now on the system gets large blocks back as soon as they are freed.
void tide_return_large_blocks(void);

/// Makes a file without a name in a folder; gives its descriptor, open for writing, or -1 with
/// `errno`.
int32_t tide_open_unnamed(const char *folder, uint32_t mode);

// MARK: Programs (programs.c)

/// What a program is started with. The lists end with NULL.
typedef struct TideProgramRequest {
  const char *_Nullable const *_Nonnull arguments;  // the program first, found as a shell finds it
  const char *_Nullable const *_Nullable environment;  // NAME=value, beside those it gets anyway
  // Names of variables of this process that it gets, too, and that may be set where one program
  // alone may be started.
  const char *_Nullable const *_Nullable inherited;
  const char *_Nullable folder;                        // NULL: this process's own
  int32_t input, output, errors;
} TideProgramRequest;

/// A program that has been started and not been waited for.
typedef struct TideProgram {
  int32_t id;       // also of its group
  int32_t control;  // becomes readable when it has ended; -1 once that has been asked for
  bool is_brokered;
} TideProgram;

/// Starts a program in a group of its own, through the broker where there is one. Gives 0 or an error
/// number. `control` is closed by `tide_program_finish` and `tide_program_end`.
int32_t tide_program_start(const TideProgramRequest *request, TideProgram *program);
/// What of a request could have other code run than the program of that name, where scripts may start that
/// one alone: a variable, or a path that depends on the folder; NULL for none. It lives as long as the
/// request.
const char *_Nullable tide_program_forbidden_part(const TideProgramRequest *request);
/// Sends a signal to its group. Gives 0 or an error number; EINVAL for one that is not for programs.
int32_t tide_program_signal(const TideProgram *program, int32_t number);
/// Gives the status, as `waitpid` does, of a program that has ended, and kills what is left of its group;
/// false where it has not ended.
bool tide_program_finish(TideProgram *program, int32_t *status);
/// Kills it and its group.
void tide_program_end(TideProgram *program);
/// Writes to a program's input without waiting. Gives how many bytes were written, which is 0 where there
/// is no room, or a negative error number.
int64_t tide_program_write(int32_t channel, const void *bytes, size_t count);

/// Both ends of what a program reads and writes; -1: none.
typedef struct TideProgramChannels {
  int32_t input, output, errors;  // ours, which do not block
  int32_t their_input, their_output, their_errors;
} TideProgramChannels;

enum { TIDE_PROGRAM_INPUT = 1 };

/// The environment with which programs start that scripts may start: what most need, and the named
/// variables. The caller frees the list alone; NULL without memory.
char *_Nullable *_Nullable tide_program_environment(
    const char *_Nullable const *_Nullable inherited);

/// Makes channels for a program: output, errors and, if wanted, input. Gives 0 or an error number.
int32_t tide_program_channels(int32_t wanted, TideProgramChannels *channels);
/// Closes the program's ends, or all of them.
void tide_program_close(TideProgramChannels *channels, bool all);

// MARK: The broker (broker.c, requests.c)

/// All that the broker does for its parent.
typedef struct TideBrokerTasks {
  bool starts_programs;  // any program, also through the shell
  const char *const _Nullable *_Nullable programs;  // some by name, without a shell; NULL at the end
  const char *const _Nullable *_Nullable variables;  // that programs inherit; NULL at the end
  int32_t ruleset;  // of Landlock, for `programs`; -1: none. The caller closes it
  const char *_Nullable editor;  // a shell command, to which a file's name is added
  const char *_Nullable scratch;  // a folder in which it makes unnamed files
  const char *const _Nullable *_Nullable reopened;  // absolute paths; NULL at the end
  // Folders that were not there, to be removed at the end if they are empty; NULL at the end.
  const char *const _Nullable *_Nullable emptied;
  // The body of workers, called in a forked process with the worker's channel; NULL: there are none.
  void (*_Nullable worker)(void *_Nullable context, int32_t channel);
  void *_Nullable worker_context;
} TideBrokerTasks;

/// Forks the broker; to be called before the process is confined. It copies what it is given. Gives
/// 0 or an error number.
int32_t tide_broker_start(const TideBrokerTasks *tasks);
/// Whether this process has a broker.
bool tide_broker_exists(void);

/// Like `open`, for reading. A device is only located (`O_PATH`). A path that the kernel refuses is
/// opened by the broker if it may be reopened.
int32_t tide_open_to_read(const char *path, int32_t flags);
/// Makes an unnamed file in the broker's scratch folder, open for reading and writing; -1 with
/// `errno`.
int32_t tide_broker_scratch(void);
/// Starts a shell command; `direction` is 'r', 'w', or 0 for no channel. Gives an error number, or
/// -1 where there is no broker.
///
/// The caller closes both descriptors; `channel` is -1 without a direction. `control` becomes
/// readable when the command has ended, and then yields its status, an `int` as `waitpid` gives it.
/// Shutting it down for writing, or closing it, kills the command's process group.
int32_t tide_broker_run(const char *command, char direction, int32_t *channel, int32_t *control);

/// Has the broker start a program; `tide_program_start` calls it where there is one.
int32_t tide_broker_start_program(const TideProgramRequest *request, TideProgram *program);

/// Has the broker fork a worker, in a group of its own, which reads and writes `channel` and prints to
/// `output`. Gives 0 or an error number; the caller closes both descriptors.
///
/// The worker ends with the broker, and so with this process. It has no more of this process than
/// there was when the broker was started: neither its threads nor its descriptors.
int32_t tide_broker_start_worker(int32_t channel, int32_t output, TideProgram *program);

/// Makes a new file for the editor, open for writing. Gives 0 or an error number.
int32_t tide_broker_edit(int32_t *file);
/// Runs the editor in the broker's own terminal and waits until it ends; gives its status, as
/// `waitpid` does, and the edited file, open for reading. Gives 0 or an error number.
int32_t tide_broker_finish_edit(int32_t *status, int32_t *file);

// MARK: Other threads (workers.c)

/// Calls a function on one of a few other threads. Functions that take long never hold all of them.
/// Gives 0, or an error number; the function is not called then.
int32_t tide_work(void (*body)(void *_Nullable), void *_Nullable context, bool takes_long);

// MARK: Event loops (poller.c, waker.c)

/// A set of descriptors to wait for, itself a descriptor; or -1 with `errno`.
int tide_poller_make(void);

/// Adds a descriptor; the tag tells it apart in what `tide_poller_wait` gives. Returns 0 or an errno.
int tide_poller_add(int poller, int descriptor, uint64_t tag);

/// The same for a descriptor that is waited for until it can be written.
int tide_poller_add_writing(int poller, int descriptor, uint64_t tag);

/// Takes a descriptor out; harmless when it is not in.
void tide_poller_remove(int poller, int descriptor);

/// Waits until descriptors are readable, closed or broken, and writes their tags.
///
/// Returns how many, 0 after so many nanoseconds (negative: never) or at a signal.
int tide_poller_wait(int poller, uint64_t *tags, int capacity, int64_t nanoseconds);

/// A descriptor that becomes readable by `tide_waker_wake` and stops by `tide_waker_clear`; or -1.
int tide_waker_make(void);
void tide_waker_wake(int waker);
void tide_waker_clear(int waker);

#pragma clang assume_nonnull end
