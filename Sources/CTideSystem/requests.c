#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "broker.h"
#include "programs.h"

// The app's end of the broker's socket. One request at a time, from any thread. No request takes
// long; longer operations are awaited on separate descriptors.

static int broker_socket = -1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int32_t tide_broker_start(const TideBrokerTasks *tasks) {
  if (broker_socket >= 0) return EALREADY;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
  pid_t child = fork();
  if (child == 0) broker_serve(ends[1], tasks);
  int failure = child < 0 ? errno : 0;
  close(ends[1]);
  if (failure)
    close(ends[0]);
  else
    broker_socket = ends[0];
  return failure;
}

bool tide_broker_exists(void) { return broker_socket >= 0; }

/// Sends a request and replaces it with the answer. Returns 0 or an error number.
static int ask(struct broker_message *message, const char *text) {
  static char unused[BROKER_MOST_BYTES + 1];
  size_t count = strlen(text);
  if (count >= BROKER_MOST_BYTES) return E2BIG;
  pthread_mutex_lock(&mutex);
  int failure = broker_send(broker_socket, message, text, count);
  if (!failure) failure = broker_receive(broker_socket, message, unused, &count);
  pthread_mutex_unlock(&mutex);
  return failure ? failure : message->kind;
}

static struct broker_message request_of(enum broker_request kind) {
  return (struct broker_message){.kind = kind, .descriptors = {-1, -1, -1}};
}

// MARK: Files

/// Makes a path absolute, because the broker does not know the app's working folder.
static bool make_absolute(const char *path, char *whole) {
  size_t count = 0;
  if (*path != '/') {
    if (!getcwd(whole, PATH_MAX - 1)) return false;
    count = strlen(whole);
    if (count > 1) whole[count++] = '/';
  }
  if (count + strlen(path) >= PATH_MAX) return false;
  strcpy(whole + count, path);
  return true;
}

int32_t tide_open_to_read(const char *path, int32_t flags) {
  struct stat status;
  // Opening a device may have side effects. With O_PATH, the caller still finds out that it is not
  // a file or folder.
  if (stat(path, &status) == 0 && (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)))
    flags = O_PATH | O_CLOEXEC;
  int file = open(path, flags);
  if (file >= 0 || errno != EACCES || broker_socket < 0) return file;
  char whole[PATH_MAX];
  struct broker_message message = request_of(BROKER_OPEN);
  if (!make_absolute(path, whole) || ask(&message, whole) != 0 || message.descriptors[0] < 0) {
    errno = EACCES;
    return -1;
  }
  return message.descriptors[0];
}

int32_t tide_broker_scratch(void) {
  if (broker_socket < 0) {
    errno = EACCES;
    return -1;
  }
  struct broker_message message = request_of(BROKER_SCRATCH);
  int failure = ask(&message, "");
  if (failure) errno = failure;
  return failure ? -1 : message.descriptors[0];
}

// MARK: Programs

int32_t tide_broker_run(const char *command, char direction, int32_t *channel, int32_t *control) {
  if (broker_socket < 0) return -1;
  struct broker_message message = request_of(BROKER_RUN);
  message.argument = direction;
  int nothing = -1;
  for (int i = 0; i < 2; i++) {
    message.descriptors[i] = i + 1;
    if (fcntl(i + 1, F_GETFD) >= 0) continue;
    if (nothing < 0) nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    message.descriptors[i] = nothing;
  }
  int failure = ask(&message, command);
  if (nothing >= 0) close(nothing);
  if (failure) return failure;
  *control = message.descriptors[0];
  *channel = message.descriptors[1];
  if (*channel >= 0) fcntl(*channel, F_SETFL, O_NONBLOCK);
  return 0;
}

int32_t tide_broker_start_program(const TideProgramRequest *request, TideProgram *program) {
  char *text = program_encode(request);
  if (!text) return errno;
  struct broker_message message = request_of(BROKER_START);
  message.descriptors[0] = request->input;
  message.descriptors[1] = request->output;
  message.descriptors[2] = request->errors;
  int failure = ask(&message, text);
  free(text);
  if (failure) return failure;
  *program = (TideProgram){
      .id = message.argument, .control = message.descriptors[0], .is_brokered = true};
  return 0;
}

// MARK: Workers

int32_t tide_broker_start_worker(int32_t channel, int32_t output, TideProgram *program) {
  *program = (TideProgram){.control = -1};
  if (broker_socket < 0) return EACCES;
  struct broker_message message = request_of(BROKER_WORKER);
  message.descriptors[0] = channel;
  message.descriptors[1] = output;
  int failure = ask(&message, "");
  if (failure) return failure;
  *program = (TideProgram){
      .id = message.argument, .control = message.descriptors[0], .is_brokered = true};
  return 0;
}

// MARK: The editor

int32_t tide_broker_edit(int32_t *file) {
  struct broker_message message = request_of(BROKER_EDIT);
  int failure = ask(&message, "");
  *file = message.descriptors[0];
  return failure;
}

int32_t tide_broker_finish_edit(int32_t *status, int32_t *file) {
  struct broker_message message = request_of(BROKER_EDITOR);
  int failure = ask(&message, "");
  if (failure) return failure;
  int control = message.descriptors[0];
  ssize_t got;
  // A resized terminal interrupts the wait.
  while ((got = read(control, status, sizeof *status)) < 0 && errno == EINTR) continue;
  close(control);
  if (got != sizeof *status) *status = SIGKILL;
  message = request_of(BROKER_EDITED);
  failure = ask(&message, "");
  *file = message.descriptors[0];
  return failure;
}
