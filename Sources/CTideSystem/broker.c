#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "broker.h"
#include "programs.h"

// The broker: a small process that is not confined. It is told its tasks before confinement, and
// checks every later request against them, because the other end may be running hostile code by
// then.
//
//   process ──── requests ────> broker ──> programs, each with a group of its own
//           <─── descriptors ──        ──> the editor, in the terminal's foreground
//
// It ends when the other end of its socket is closed. It then kills the programs that it has
// started, and their descendants, even those that have left their groups and sessions.

extern char **environ;

enum { MOST_PROGRAMS = 256, MOST_WORKERS = 4096, MOST = MOST_PROGRAMS + MOST_WORKERS };

struct program {
  pid_t id;      // 0: it has ended
  int control;   // our end; -1: closed, because its status is not needed
  bool is_editor, is_worker, is_shut;
  bool takes_group;  // its descendants are killed with it
};

static struct {
  int socket, signals;
  pid_t id;
  TideBrokerTasks tasks;
  struct program programs[MOST];
  int count;
  char edited[PATH_MAX];  // the file that is being edited; empty: none
  char text[BROKER_MOST_BYTES + 1];
} broker;

// MARK: Programs

static void add_program(struct program added) {
  for (int i = 0; i < MOST; i++) {
    struct program *program = &broker.programs[i];
    if (i < broker.count && (program->id || program->control >= 0)) continue;
    *program = added;
    if (i == broker.count) broker.count++;
    return;
  }
}

/// Whether another worker, or another program, may be started.
static bool has_room(bool is_worker) {
  int used = 0;
  for (int i = 0; i < broker.count; i++) {
    const struct program *program = &broker.programs[i];
    if (program->is_worker == is_worker && (program->id || program->control >= 0)) used++;
  }
  return used < (is_worker ? MOST_WORKERS : MOST_PROGRAMS);
}

static void end_program(struct program *program) {
  // The editor is in the app's own process group, and killing it would lose the user's text.
  if (!program->id || program->is_editor) return;
  kill(-program->id, SIGKILL);
  // The process may have joined another group. Its id is not reused until it is reaped.
  kill(program->id, SIGKILL);
}

/// Starts a program. Returns 0 and the app's end of the control socket, or an error number.
static int start(const TideProgramRequest *request, bool is_editor, pid_t *id, int *control) {
  int ends[2];
  if (!has_room(false)) return EAGAIN;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
  // The editor is the user's own program, and is not confined.
  struct program_place place = {.is_foreground = is_editor, .is_child = !is_editor,
                                .ruleset = is_editor ? -1 : broker.tasks.ruleset};
  int failure = program_spawn(request, &place, id);
  if (failure) {
    close(ends[0]);
    close(ends[1]);
    return failure;
  }
  add_program((struct program){.id = *id, .control = ends[0], .is_editor = is_editor});
  *control = ends[1];
  return 0;
}

static int run(struct broker_message *request, struct broker_message *answer) {
  if (!broker.tasks.starts_programs) return EPERM;
  int direction = request->argument;
  if (direction != 0 && direction != 'r' && direction != 'w') return EINVAL;
  // The app's end, and the program's. For writing it is a socket, because writes to a closed socket
  // can avoid SIGPIPE.
  int ends[2] = {-1, -1};
  if (direction == 'r' && pipe2(ends, O_CLOEXEC) != 0) return errno;
  if (direction == 'w' && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return errno;
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  // Standard input would take keys away from the app. Output goes to the app's own output, which
  // may not be the terminal.
  int output = request->descriptors[0] >= 0 ? request->descriptors[0] : nothing;
  int errors = request->descriptors[1] >= 0 ? request->descriptors[1] : nothing;
  const char *arguments[] = {"/bin/sh", "-c", broker.text, NULL};
  TideProgramRequest program = {.arguments = arguments,
                                .inherited = broker.tasks.variables,
                                .input = direction == 'w' ? ends[1] : nothing,
                                .output = direction == 'r' ? ends[1] : output,
                                .errors = errors};
  pid_t id;
  int failure = start(&program, false, &id, &answer->descriptors[0]);
  if (nothing >= 0) close(nothing);
  if (ends[1] >= 0) close(ends[1]);
  if (failure) {
    if (ends[0] >= 0) close(ends[0]);
  } else {
    answer->descriptors[1] = ends[0];
  }
  return failure;
}

/// Whether a program may be started: any program, or one of the listed names without anything that
/// would run other code.
static bool may_start(const TideProgramRequest *request) {
  if (broker.tasks.starts_programs) return true;
  for (const char *const *one = broker.tasks.programs; one && *one; one++)
    if (strcmp(*one, request->arguments[0]) == 0) return !tide_program_forbidden_part(request);
  return false;
}

static int start_program(struct broker_message *request, struct broker_message *answer) {
  TideProgramRequest program = {.inherited = broker.tasks.variables,
                                .input = request->descriptors[0],
                                .output = request->descriptors[1],
                                .errors = request->descriptors[2]};
  int failure = EINVAL;
  pid_t id = 0;
  if (program_decode(broker.text, &program) && program.errors >= 0)
    failure = may_start(&program)
                  ? start(&program, false, &id, &answer->descriptors[0])
                  : EPERM;
  for (int i = 0; i < broker.count && !failure; i++)
    if (broker.programs[i].id == id) broker.programs[i].takes_group = true;
  program_forget(&program);
  answer->argument = id;
  return failure;
}

/// Turns the forked process into a worker.
static void run_worker(int channel, int output) {
  setpgid(0, 0);
  prctl(PR_SET_NAME, "tidelock-worker");
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The broker may have ended before PR_SET_PDEATHSIG was set.
  if (getppid() != broker.id) _exit(0);
  // Confinement will clear this again.
  prctl(PR_SET_DUMPABLE, 1);
  for (int number = 1; number < SIGRTMIN; number++) signal(number, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0) _exit(1);
  if (channel == 3)
    fcntl(channel, F_SETFD, FD_CLOEXEC);
  else if (dup3(channel, 3, O_CLOEXEC) < 0)
    _exit(1);
  close_range(4, ~0u, 0);
  broker.count = 0;
  broker.tasks.worker(broker.tasks.worker_context, 3);
  _exit(0);
}

static int start_worker(struct broker_message *request, struct broker_message *answer) {
  if (!broker.tasks.worker) return EPERM;
  if (request->descriptors[0] < 0 || request->descriptors[1] < 0) return EINVAL;
  if (!has_room(true)) return EAGAIN;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
  pid_t id = fork();
  if (id == 0) run_worker(request->descriptors[0], request->descriptors[1]);
  if (id < 0) {
    int failure = errno;
    close(ends[0]);
    close(ends[1]);
    return failure;
  }
  // Both processes call this, so that the group exists whichever runs first.
  setpgid(id, id);
  add_program(
      (struct program){.id = id, .control = ends[0], .is_worker = true, .takes_group = true});
  answer->argument = id;
  answer->descriptors[0] = ends[1];
  return 0;
}

/// Reaps programs that have ended, and sends their status to their control sockets.
static void reap(void) {
  struct signalfd_siginfo ignored;
  while (read(broker.signals, &ignored, sizeof ignored) > 0) continue;
  for (;;) {
    siginfo_t information = {0};
    if (waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) != 0) return;
    pid_t id = information.si_pid;
    if (id == 0) return;
    for (int i = 0; i < broker.count; i++)
      // Before the process is reaped, its group's number is not reused.
      if (broker.programs[i].id == id && broker.programs[i].takes_group) kill(-id, SIGKILL);
    int status = 0;
    if (waitpid(id, &status, WNOHANG) != id) return;
    for (int i = 0; i < broker.count; i++) {
      struct program *program = &broker.programs[i];
      if (program->id != id) continue;
      program->id = 0;
      if (program->control < 0) continue;
      send(program->control, &status, sizeof status, MSG_NOSIGNAL);
      close(program->control);
      program->control = -1;
    }
  }
}

// MARK: The editor

static void forget_edited(void) {
  if (*broker.edited) unlink(broker.edited);
  *broker.edited = 0;
}

static int make_edited(struct broker_message *answer) {
  if (!broker.tasks.editor) return EPERM;
  forget_edited();
  const char *folder = getenv("TMPDIR");
  snprintf(broker.edited, sizeof broker.edited, "%s/tidelock-XXXXXX.lua",
           folder && *folder ? folder : "/tmp");
  int file = mkostemps(broker.edited, 4, O_CLOEXEC);
  if (file < 0) {
    *broker.edited = 0;
    return errno;
  }
  answer->descriptors[0] = file;
  return 0;
}

static int start_editor(struct broker_message *answer) {
  if (!broker.tasks.editor || !*broker.edited) return EPERM;
  char script[PATH_MAX];
  if (snprintf(script, sizeof script, "%s \"$1\"", broker.tasks.editor) >= (int)sizeof script)
    return ENAMETOOLONG;
  const char *arguments[] = {"/bin/sh", "-c", script, "sh", broker.edited, NULL};
  // In the broker's own terminal: a terminal supplied by the app could inject input into the
  // editor.
  TideProgramRequest editor = {.arguments = arguments, .input = -1, .output = -1, .errors = -1};
  pid_t id;
  return start(&editor, true, &id, &answer->descriptors[0]);
}

static int take_edited(struct broker_message *answer) {
  if (!*broker.edited) return EPERM;
  int file = open(broker.edited, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  int failure = file < 0 ? errno : 0;
  forget_edited();
  answer->descriptors[0] = file;
  return failure;
}

// MARK: Serving

/// Called when a control socket becomes readable: the app has sent a signal's number, or has shut
/// down or closed the socket.
static void take_control(struct program *program, short events) {
  if (program->control < 0) return;
  char number;
  ssize_t got = recv(program->control, &number, 1, MSG_DONTWAIT);
  if (got == 1) {
    if (number == SIGKILL)
      end_program(program);
    else if (program->id && !program->is_editor && program_takes(number))
      kill(-program->id, number);
    return;
  }
  if (got < 0 && (errno == EAGAIN || errno == EINTR) && !(events & (POLLHUP | POLLERR))) return;
  end_program(program);
  // After a shutdown the app still waits for the status.
  program->is_shut = true;
  if (!(events & (POLLHUP | POLLERR))) return;
  close(program->control);
  program->control = -1;
}

static int answer_request(struct broker_message *request, size_t count,
                          struct broker_message *answer) {
  if (strlen(broker.text) != count) return EINVAL;
  switch (request->kind) {
    case BROKER_OPEN:
      return broker_reopen(&broker.tasks, broker.text, &answer->descriptors[0]);
    case BROKER_SCRATCH: return broker_make_scratch(&broker.tasks, &answer->descriptors[0]);
    case BROKER_RUN: return run(request, answer);
    case BROKER_START: return start_program(request, answer);
    case BROKER_EDIT: return make_edited(answer);
    case BROKER_EDITOR: return start_editor(answer);
    case BROKER_EDITED: return take_edited(answer);
    case BROKER_WORKER: return start_worker(request, answer);
    default: return EINVAL;
  }
}

static bool is_editor(pid_t id) {
  for (int i = 0; i < broker.count; i++)
    if (broker.programs[i].id == id && broker.programs[i].is_editor) return true;
  return false;
}

/// Kills all child processes except the editor. Returns their number.
static int kill_children(void) {
  char path[64], text[1 << 14];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
  int file = open(path, O_RDONLY | O_CLOEXEC), count = 0;
  if (file < 0) return 0;
  ssize_t got = read(file, text, sizeof text - 1);
  close(file);
  text[got > 0 ? got : 0] = 0;
  char *next = text;
  for (pid_t id; (id = (pid_t)strtol(next, &next, 10)) > 0;) {
    if (is_editor(id)) continue;
    kill(id, SIGKILL);
    count++;
  }
  return count;
}

/// Ends the descendants that programs have left behind; this process inherits them as their
/// subreaper.
static void end_orphans(void) {
  enum { MOST_ROUNDS = 2000 };
  for (int round = 0; round < MOST_ROUNDS && kill_children() > 0; round++) {
    struct pollfd entry = {.fd = broker.signals, .events = POLLIN};
    poll(&entry, 1, 10);
    struct signalfd_siginfo ignored;
    while (read(broker.signals, &ignored, sizeof ignored) > 0) continue;
    while (waitpid(-1, NULL, WNOHANG) > 0) continue;
  }
}

static void end(void) {
  for (int i = 0; i < broker.count; i++) end_program(&broker.programs[i]);
  end_orphans();
  // A process that was killed could not remove its folders itself.
  for (const char *const *one = broker.tasks.emptied; one && *one; one++) rmdir(*one);
  _exit(0);
}

static void take_request(void) {
  struct broker_message request, answer = {.descriptors = {-1, -1, -1}};
  size_t count = 0;
  int failure = broker_receive(broker.socket, &request, broker.text, &count);
  if (failure == ENOTCONN || failure == ECONNRESET) end();
  if (!failure) failure = answer_request(&request, count, &answer);
  broker_close(&request);
  answer.kind = failure;
  if (broker_send(broker.socket, &answer, "", 0) == EPIPE) end();
  broker_close(&answer);
}

static void prepare(int socket) {
  prctl(PR_SET_NAME, "tidelock-broker");
  prctl(PR_SET_DUMPABLE, 0);
  // Orphans of programs become children of this process.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  // Signals from the terminal, or to the whole group, are meant for the app; the broker ends with
  // the app.
  static const int ignored[] = {SIGINT,  SIGQUIT, SIGTERM, SIGHUP,  SIGTSTP, SIGTTIN,
                                SIGTTOU, SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM, SIGWINCH};
  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) signal(ignored[i], SIG_IGN);
  signal(SIGCHLD, SIG_DFL);
  // Inherited crash handlers would restore the terminal, which is the app's task.
  static const int crashes[] = {SIGSEGV, SIGABRT, SIGILL, SIGBUS, SIGFPE, SIGTRAP, SIGSYS};
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], SIG_DFL);
  int ruleset = broker.tasks.ruleset;
  // Moved out of the way of the fixed descriptor numbers.
  if (ruleset >= 0) ruleset = fcntl(ruleset, F_DUPFD_CLOEXEC, 5);
  if (socket != 3) {
    dup3(socket, 3, O_CLOEXEC);
    socket = 3;
  }
  if (ruleset >= 0) dup3(ruleset, 4, O_CLOEXEC);
  broker.tasks.ruleset = ruleset >= 0 ? 4 : -1;
  close_range(ruleset >= 0 ? 5 : 4, ~0u, 0);
  // Pipes that the app writes to must close when the app ends.
  if (!broker.tasks.editor) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int i = 0; i < 3 && nothing >= 0; i++) dup2(nothing, i);
    if (nothing > 3) close(nothing);
  }
  broker.socket = socket;
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_SETMASK, &child, NULL);
  broker.signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
}

void broker_serve(int socket, const TideBrokerTasks *tasks) {
  // A worker may start its own broker, which must not end the other broker's programs.
  memset(&broker, 0, sizeof broker);
  broker.tasks = *tasks;
  broker.id = getpid();
  prepare(socket);
  // Each worker has a control socket.
  struct rlimit files;
  if (tasks->worker && getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  while (true) {
    static struct pollfd polled[2 + MOST];
    polled[0] = (struct pollfd){.fd = broker.socket, .events = POLLIN};
    polled[1] = (struct pollfd){.fd = broker.signals, .events = POLLIN};
    int count = broker.count;
    for (int i = 0; i < count; i++) {
      const struct program *program = &broker.programs[i];
      polled[2 + i] = (struct pollfd){.fd = program->is_shut ? -1 : program->control,
                                      .events = POLLIN};
    }
    if (poll(polled, (nfds_t)(2 + count), -1) < 0) continue;
    if (polled[1].revents) reap();
    for (int i = 0; i < count; i++)
      if (polled[2 + i].revents) take_control(&broker.programs[i], polled[2 + i].revents);
    if (polled[0].revents) take_request();
  }
}
