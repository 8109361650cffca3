#define _GNU_SOURCE
#include "programs.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "broker.h"

extern char **environ;

// MARK: Starting

/// Whether `entry`, NAME=value, sets the same variable as `other`.
static bool sets_same(const char *entry, const char *other) {
  size_t count = strcspn(entry, "=");
  return strncmp(entry, other, count) == 0 && other[count] == '=';
}

// The variables that programs need for paths, the user, and output. Other variables may contain
// secrets, or name code to run.
static const char *const inherited_by_all[] = {
    "PATH", "HOME", "USER", "LOGNAME",   "SHELL",    "TMPDIR", "LANG",
    "LANGUAGE", "TZ", "TERM", "COLORTERM", "NO_COLOR"};

static bool is_named(const char *variable, const char *name) {
  size_t length = strlen(name);
  return strncmp(variable, name, length) == 0 && (variable[length] == '=' || !variable[length]);
}

static bool is_of_locale(const char *variable) { return strncmp(variable, "LC_", 3) == 0; }

static bool is_listed(const char *variable, const char *const *names) {
  for (; names && *names; names++)
    if (is_named(variable, *names)) return true;
  return false;
}

static bool is_inherited(const char *variable, const char *const *names) {
  if (is_of_locale(variable) || is_listed(variable, names)) return true;
  for (size_t i = 0; i < sizeof inherited_by_all / sizeof *inherited_by_all; i++)
    if (is_named(variable, inherited_by_all[i])) return true;
  return false;
}

/// The environment of a program: this process's variables, all or only inherited ones, and those
/// set by the request. The caller frees only the list.
static char **make_environment(const TideProgramRequest *request, bool is_whole) {
  const char *const *added = request->environment;
  size_t most = program_count((const char *const *)environ) + program_count(added) + 1, count = 0;
  char **made = calloc(most, sizeof *made);
  if (!made) return NULL;
  for (char **one = environ; *one; one++) {
    bool is_dropped = !is_whole && !is_inherited(*one, request->inherited);
    for (const char *const *other = added; other && *other && !is_dropped; other++)
      if (sets_same(*other, *one)) is_dropped = true;
    if (!is_dropped) made[count++] = *one;
  }
  for (const char *const *one = added; one && *one; one++) made[count++] = (char *)*one;
  return made;
}

char **tide_program_environment(const char *const *inherited) {
  TideProgramRequest request = {.inherited = inherited};
  return make_environment(&request, false);
}

static int prepare(const TideProgramRequest *request, posix_spawn_file_actions_t *actions) {
  const int ends[] = {request->input, request->output, request->errors};
  for (int i = 0; i < 3; i++) {
    if (ends[i] < 0) continue;
    int failure = posix_spawn_file_actions_adddup2(actions, ends[i], i);
    if (failure) return failure;
  }
  return request->folder ? posix_spawn_file_actions_addchdir_np(actions, request->folder) : 0;
}

/// Starts a program with `posix_spawn`, which is fast even from a large process.
static int spawn(const TideProgramRequest *request, bool has_own_group, char **environment,
                 pid_t *id) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  int failure = posix_spawnattr_init(&attributes);
  if (failure) return failure;
  failure = posix_spawn_file_actions_init(&actions);
  if (failure) {
    posix_spawnattr_destroy(&attributes);
    return failure;
  }
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                            (has_own_group ? POSIX_SPAWN_SETPGROUP : 0));
  failure = prepare(request, &actions);
  if (!failure)
    failure = posix_spawnp(id, request->arguments[0], &actions, &attributes,
                           (char *const *)request->arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return failure;
}

/// Drops all capabilities of root except those for files, users and ports. Others would bypass
/// Landlock: CAP_PERFMON allows reading the environment and memory map of every process, and
/// CAP_DAC_READ_SEARCH allows opening files by their handles. Returns 0 or an error number.
static int renounce_capabilities(void) {
  static const int kept[] = {CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_FSETID,
                             CAP_KILL,  CAP_SETGID,       CAP_SETUID, CAP_NET_BIND_SERVICE};
  uint64_t mask = 0;
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) mask |= UINT64_C(1) << kept[i];
  // A process that may not change this set has no capabilities, and cannot gain any without new
  // privileges.
  for (int number = 0; number < 64; number++)
    if (!(mask >> number & 1)) prctl(PR_CAPBSET_DROP, number, 0, 0, 0);
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct parts[_LINUX_CAPABILITY_U32S_3];
  if (syscall(SYS_capget, &header, parts) != 0) return errno;
  for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
    uint32_t part = (uint32_t)(mask >> (32 * i));
    parts[i].effective &= part;
    parts[i].permitted &= part;
    parts[i].inheritable &= part;
  }
  return syscall(SYS_capset, &header, parts) == 0 ? 0 : errno;
}

/// Executes the program in a forked process. Returns an error number on failure.
static int become(const TideProgramRequest *request, int ruleset, char **environment) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  int ends[] = {request->input, request->output, request->errors};
  // Moves descriptors away from the numbers 0 to 2, so that they do not overwrite each other.
  for (int i = 0; i < 3; i++)
    if (ends[i] >= 0 && ends[i] < 3) ends[i] = fcntl(ends[i], F_DUPFD_CLOEXEC, 3);
  for (int i = 0; i < 3; i++)
    if (ends[i] >= 0 && dup2(ends[i], i) < 0) return errno;
  if (request->folder && chdir(request->folder) != 0) return errno;
  if (ruleset >= 0) {
    int failure = tide_refuse_privileges();
    if (!failure) failure = renounce_capabilities();
    if (!failure) failure = tide_landlock_restrict(ruleset);
    if (failure) return failure;
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execvpe(request->arguments[0], (char *const *)request->arguments, environment);
  return errno;
}

static int spawn_child(const TideProgramRequest *request, int ruleset, char **environment,
                       pid_t *id) {
  int ends[2], failure = 0;
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  pid_t child = fork();
  if (child == 0) {
    failure = become(request, ruleset, environment);
    ssize_t written = write(ends[1], &failure, sizeof failure);
    (void)written;
    _exit(127);
  }
  if (child < 0) failure = errno;
  close(ends[1]);
  ssize_t got = 0;
  while (child > 0 && (got = read(ends[0], &failure, sizeof failure)) < 0 && errno == EINTR)
    continue;
  close(ends[0]);
  if (failure && child > 0) waitpid(child, NULL, 0);
  *id = child;
  return failure;
}

int program_spawn(const TideProgramRequest *request, const struct program_place *place,
                  pid_t *id) {
  if (!request->arguments[0]) return EINVAL;
  char **environment = make_environment(request, place->is_foreground);
  if (!environment) return ENOMEM;
  int failure = place->is_child
                    ? spawn_child(request, place->ruleset, environment, id)
                    : spawn(request, !place->is_foreground, environment, id);
  free(environment);
  return failure;
}

int32_t tide_program_start(const TideProgramRequest *request, TideProgram *program) {
  *program = (TideProgram){.control = -1};
  if (tide_broker_exists()) return tide_broker_start_program(request, program);
  pid_t id;
  struct program_place place = {.ruleset = -1};
  int failure = program_spawn(request, &place, &id);
  if (failure) return failure;
  int control = (int)syscall(SYS_pidfd_open, id, 0);
  if (control < 0) {
    failure = errno;
    kill(-id, SIGKILL);
    waitpid(id, NULL, 0);
    return failure;
  }
  fcntl(control, F_SETFD, FD_CLOEXEC);
  *program = (TideProgram){.id = id, .control = control};
  return 0;
}

/// Whether a value is a plain name, or several joined by slashes: letters and digits, with signs
/// only inside. Such a value cannot refer to a script's file.
static bool is_plain(const char *value) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  bool begins = true;
  for (; *value; value++) {
    bool isLetter = strchr(letters, *value);
    if (!isLetter && (begins || !strchr("._-+@/", *value))) return false;
    begins = *value == '/';
  }
  return true;
}

// Libraries, interpreters and shells have countless variables that name code to run, or files
// equivalent to code, such as message catalogues with formats and terminal descriptions. A script
// may therefore set only variables about the appearance of output, and those that the user has
// named.
static bool may_be_set(const char *variable, const char *const *named) {
  static const char *const plain[] = {"LANG", "TERM", "NO_COLOR", "COLORTERM", "COLUMNS", "LINES",
                                      "TZ"};
  static const char *const own[] = {"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", NULL};
  const char *value = variable + strcspn(variable, "=");
  value += *value == '=';
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (is_named(variable, plain[i])) return is_plain(value);
  if (is_of_locale(variable)) return is_plain(value);
  // Scripts may not change where programs find other programs and their settings.
  return is_listed(variable, named) && !is_listed(variable, own);
}

/// Whether programs are also searched in the working folder.
static bool searches_folder(void) {
  const char *path = getenv("PATH");
  if (!path) return false;
  for (const char *part = path; part; part = strchr(part, ':')) {
    if (*part == ':') part++;
    if (*part != '/') return true;
  }
  return false;
}

const char *tide_program_forbidden_part(const TideProgramRequest *request) {
  for (const char *const *one = request->environment; one && *one; one++)
    if (!may_be_set(*one, request->inherited)) return *one;
  const char *name = request->arguments[0];
  if (!request->folder || *name == '/') return NULL;
  // Such a path resolves differently in another folder.
  return strchr(name, '/') || searches_folder() ? name : NULL;
}

// MARK: Signals and the end

bool program_takes(int number) {
  static const int known[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGKILL, SIGUSR1,
                              SIGUSR2, SIGTERM, SIGCONT, SIGSTOP, SIGWINCH};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i] == number) return true;
  return false;
}

int32_t tide_program_signal(const TideProgram *program, int32_t number) {
  if (program->control < 0) return ESRCH;
  if (!program_takes(number)) return EINVAL;
  if (program->is_brokered) {
    char byte = (char)number;
    return send(program->control, &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1 ? 0 : errno;
  }
  // The id is not reused until the process is reaped, which happens only here.
  return kill(-program->id, number) == 0 ? 0 : errno;
}

bool tide_program_finish(TideProgram *program, int32_t *status) {
  if (program->control < 0) return false;
  if (program->is_brokered) {
    ssize_t got = recv(program->control, status, sizeof *status, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    // The broker has ended, and has killed the program.
    if (got != sizeof *status) *status = SIGKILL;
  } else {
    siginfo_t information = {0};
    int found = waitid(P_PID, (id_t)program->id, &information, WEXITED | WNOHANG | WNOWAIT);
    if (found < 0 && errno == EINTR) return false;
    if (found == 0 && information.si_pid == 0) return false;
    *status = 0;
    // If the host reaps all its children, the status is lost, and the group cannot be killed
    // safely.
    if (found == 0) {
      // Kills what the program has started. The id is not reused until the process is reaped.
      kill(-program->id, SIGKILL);
      waitpid(program->id, status, WNOHANG);
    }
  }
  close(program->control);
  program->control = -1;
  return true;
}

void tide_program_end(TideProgram *program) {
  enum { LONGEST_WAIT = 50 };  // in milliseconds
  if (program->control < 0) return;
  if (program->is_brokered) {
    // The broker kills programs whose control socket is shut down.
    shutdown(program->control, SHUT_WR);
  } else {
    kill(-program->id, SIGKILL);
    kill(program->id, SIGKILL);
    struct pollfd entry = {.fd = program->control, .events = POLLIN};
    poll(&entry, 1, LONGEST_WAIT);
    waitpid(program->id, NULL, WNOHANG);
  }
  close(program->control);
  program->control = -1;
}

int64_t tide_program_write(int32_t channel, const void *bytes, size_t count) {
  ssize_t written = send(channel, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (written >= 0) return written;
  return errno == EAGAIN || errno == EINTR ? 0 : -(int64_t)errno;
}

// MARK: Channels

int32_t tide_program_channels(int32_t wanted, TideProgramChannels *channels) {
  *channels = (TideProgramChannels){-1, -1, -1, -1, -1, -1};
  int ends[2], failure = 0;
  if (wanted & TIDE_PROGRAM_INPUT) {
    // A socket, because writes to a closed socket can avoid SIGPIPE.
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    channels->input = ends[0];
    channels->their_input = ends[1];
    shutdown(ends[0], SHUT_RD);
  } else {
    channels->their_input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  }
  if (pipe2(ends, O_CLOEXEC) == 0) {
    channels->output = ends[0];
    channels->their_output = ends[1];
  } else {
    failure = errno;
  }
  if (!failure && pipe2(ends, O_CLOEXEC) == 0) {
    channels->errors = ends[0];
    channels->their_errors = ends[1];
  } else if (!failure) {
    failure = errno;
  }
  if (failure) {
    tide_program_close(channels, true);
    return failure;
  }
  const int ours[] = {channels->input, channels->output, channels->errors};
  for (int i = 0; i < 3; i++)
    if (ours[i] >= 0) fcntl(ours[i], F_SETFL, O_NONBLOCK);
  return 0;
}

static void close_end(int32_t *end) {
  if (*end >= 0) close(*end);
  *end = -1;
}

void tide_program_close(TideProgramChannels *channels, bool all) {
  close_end(&channels->their_input);
  close_end(&channels->their_output);
  close_end(&channels->their_errors);
  if (!all) return;
  close_end(&channels->input);
  close_end(&channels->output);
  close_end(&channels->errors);
}
