#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "access.h"
#include "clock.h"
#include "processes.h"

// Programs that a script runs. Each has a process group of its own, so that it can be killed
// together with its child processes when the script's turn is over.

extern char **environ;

/// The environment of a command. The caller frees the array. NULL if memory runs out.
static char **make_environment(const TideState *state) {
  size_t count = 1, used = 0;
  for (const TideAllowance *one = state->outside.allowances; one; one = one->next) count++;
  const char **names = calloc(count, sizeof *names);
  if (!names) return NULL;
  for (const TideAllowance *one = state->outside.allowances; one; one = one->next)
    if (one->kind == TIDE_ALLOW_ENVIRONMENT) names[used++] = one->name;
  char **made = access_broker.environment(names);
  free(names);
  return made;
}

static int spawn_shell(const char *command, char **environment,
                       posix_spawn_file_actions_t *actions, pid_t *id) {
  posix_spawnattr_t attributes;
  int failure = posix_spawnattr_init(&attributes);
  if (failure) return failure;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                            POSIX_SPAWN_SETPGROUP);
  char *arguments[] = {"sh", "-c", (char *)command, NULL};
  failure = posix_spawn(id, "/bin/sh", actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  return failure;
}

// Programs that were killed but still exist, as another user's may for a while, are reaped when
// others are started or killed.
static struct {
  pthread_mutex_t mutex;
  pid_t *ids;
  size_t count, room;
} leaving = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void reap_leaving(void) {
  pthread_mutex_lock(&leaving.mutex);
  for (size_t i = 0; i < leaving.count;) {
    if (waitpid(leaving.ids[i], NULL, WNOHANG) == 0)
      i++;
    else
      leaving.ids[i] = leaving.ids[--leaving.count];
  }
  pthread_mutex_unlock(&leaving.mutex);
}

static void note_leaving(pid_t id) {
  pthread_mutex_lock(&leaving.mutex);
  if (leaving.count == leaving.room) {
    size_t room = leaving.room ? leaving.room * 2 : 8;
    pid_t *ids = realloc(leaving.ids, room * sizeof *ids);
    if (ids) {
      leaving.ids = ids;
      leaving.room = room;
    }
  }
  if (leaving.count < leaving.room) leaving.ids[leaving.count++] = id;
  pthread_mutex_unlock(&leaving.mutex);
}

int process_start(const TideState *state, const char *command, char direction,
                  ChildProcess *child) {
  *child = (ChildProcess){.channel = -1};
  reap_leaving();
  if (access_broker.run) {
    int failure = access_broker.run(command, direction, &child->channel, &child->control);
    if (failure >= 0) return failure;
  }
  // Our end and the program's. For writing, a socket is used, because it can avoid a signal when
  // the reader is gone.
  int ends[2] = {-1, -1};
  if (direction == 'r' && pipe2(ends, O_CLOEXEC) != 0) return errno;
  if (direction == 'w' && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return errno;
  posix_spawn_file_actions_t actions;
  int failure = posix_spawn_file_actions_init(&actions);
  if (!failure) {
    // Keyboard input belongs to the app.
    if (direction == 'w')
      posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
    else
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (direction == 'r') posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    char **environment = access_broker.environment ? make_environment(state) : environ;
    failure = environment ? spawn_shell(command, environment, &actions, &child->id) : ENOMEM;
    if (environment != environ) free(environment);
    posix_spawn_file_actions_destroy(&actions);
  }
  if (ends[1] >= 0) close(ends[1]);
  if (failure) {
    if (ends[0] >= 0) close(ends[0]);
    child->id = 0;
    return failure;
  }
  if (ends[0] >= 0) fcntl(ends[0], F_SETFL, O_NONBLOCK);
  child->channel = ends[0];
  return 0;
}

/// Waits for the end of a program that the broker has started.
static void finish_brokered(ChildProcess *child, int *status) {
  ssize_t got;
  while ((got = read(child->control, status, sizeof *status)) < 0 && errno == EINTR) continue;
  // The broker no longer exists, and has killed the program.
  if (got != sizeof *status) *status = SIGKILL;
  close(child->control);
  child->control = 0;
}

/// Whether the program has ended. If so, sets its status, or the system's error number if the
/// status is lost.
static bool has_ended(ChildProcess *child, int *status, int *failure) {
  if (child->control) {
    struct pollfd entry = {.fd = child->control, .events = POLLIN};
    if (poll(&entry, 1, 0) <= 0) return false;
    finish_brokered(child, status);
    return true;
  }
  pid_t ended = waitpid(child->id, status, WNOHANG);
  if (ended < 0 && errno != EINTR) *failure = errno;
  return ended == child->id || *failure;
}

void process_kill(ChildProcess *child) {
  // In milliseconds. The end of a turn does not wait for a program that it is not allowed to kill.
  enum { LONGEST_WAIT = 10 };
  if (child->channel >= 0) close(child->channel);
  child->channel = -1;
  if (child->control) {
    shutdown(child->control, SHUT_WR);
    struct pollfd entry = {.fd = child->control, .events = POLLIN};
    poll(&entry, 1, LONGEST_WAIT);
    close(child->control);
    child->control = 0;
  }
  reap_leaving();
  if (!child->id) return;
  // If the host has reaped the child, its id may already belong to another process.
  siginfo_t information;
  int result = waitid(P_PID, (id_t)child->id, &information, WEXITED | WNOHANG | WNOWAIT);
  if (result == 0 || errno != ECHILD) {
    kill(-child->id, SIGKILL);
    // The child may have joined another group.
    kill(child->id, SIGKILL);
  }
  pid_t ended;
  for (int nap = 0; (ended = waitpid(child->id, NULL, WNOHANG)) == 0; nap++) {
    if (nap == LONGEST_WAIT) break;
    poll(NULL, 0, 1);
  }
  if (ended == 0) note_leaving(child->id);
  child->id = 0;
}

static bool is_turn_over(TideState *state) {
  return state->budget.expired || (state->budget.limits.countsSteps && clock_is_late(state));
}

int process_finish(lua_State *L, ChildProcess *child) {
  enum { LONGEST_NAP = 10 };
  TideState *state = state_of(L);
  if (child->channel >= 0) close(child->channel);
  child->channel = -1;
  int status = 0, failure = 0;
  for (int nap = 0;; nap = nap < LONGEST_NAP ? nap + 1 : LONGEST_NAP) {
    if (has_ended(child, &status, &failure)) break;
    if (is_turn_over(state)) {
      process_kill(child);
      return clock_raise(L);
    }
    struct pollfd entry = {.fd = child->control ? child->control : -1, .events = POLLIN};
    poll(&entry, 1, nap);
  }
  child->id = 0;
  if (failure) {
    // A host that waits for all its children, or ignores SIGCHLD, has reaped it.
    luaL_pushfail(L);
    lua_pushfstring(L, "the program's status is unknown, because the host has reaped it (%s)",
                    strerror(failure));
    lua_pushinteger(L, failure);
    return 3;
  }
  bool wasSignalled = WIFSIGNALED(status);
  int code = wasSignalled ? WTERMSIG(status) : WEXITSTATUS(status);
  if (!wasSignalled && code == 0)
    lua_pushboolean(L, 1);
  else
    luaL_pushfail(L);
  lua_pushstring(L, wasSignalled ? "signal" : "exit");
  lua_pushinteger(L, code);
  return 3;
}
