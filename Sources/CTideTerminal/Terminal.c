#include "Guard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int guard_copy(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 3); }

static void close_all(void) {
  int *all[] = {
      &guard.input,   &guard.output,  &guard.log,   &guard.saved[1], &guard.saved[2],
      &guard.wake[0], &guard.wake[1], &guard.timer, &guard.poll,
  };
  for (size_t i = 0; i < COUNT(all); i++) {
    if (*all[i] >= 0) close(*all[i]);
    *all[i] = -1;
  }
}

static void leave_at_exit(void) {
  if (getpid() != guard.owner || !atomic_load(&guard.taken)) return;
  fflush(stdout);
  tide_terminal_leave();
}

int tide_terminal_take(
    int input, int output, const uint8_t *enter, size_t enter_count, const uint8_t *leave,
    size_t leave_count, int options) {
  static pid_t watched;  // the process whose exit restores the terminal
  if (atomic_load(&guard.taken)) return EBUSY;
  if (enter_count > GUARD_BYTES || leave_count > GUARD_BYTES) return EINVAL;
  struct termios original;
  if (tcgetattr(input, &original) != 0) return errno;
  tide_terminal_release();
  guard.original = guard.raw = original;
  cfmakeraw(&guard.raw);
  guard.raw.c_cc[VMIN] = 0;
  guard.raw.c_cc[VTIME] = 0;
  memcpy(guard.enter, enter, enter_count);
  memcpy(guard.leave, leave, leave_count);
  guard.keeps_input = (options & TIDE_TERMINAL_KEEP_INPUT) != 0;
  guard.enter_count = enter_count;
  guard.leave_count = leave_count;
  guard.owner = getpid();
  guard.input = guard_copy(input);
  guard.output = guard_copy(output);
  if (guard.input < 0 || guard.output < 0 || !guard_watch()) {
    int failure = errno;
    close_all();
    return failure;
  }
  guard_open_log(options & TIDE_TERMINAL_CAPTURE);
  atomic_store(&guard.ending, 0);
  atomic_store(&guard.taken, 1);
  if (watched != guard.owner && atexit(leave_at_exit) == 0) watched = guard.owner;
  if (options & TIDE_TERMINAL_SIGNALS) {
    tide_terminal_guard_thread();
    guard_install();
  }
  guard_show();
  return 0;
}

void tide_terminal_release(void) {
  if (atomic_load(&guard.taken)) fflush(stdout);
  tide_terminal_leave();
  guard_end_watch();
  guard_uninstall();
  close_all();
}

bool tide_terminal_is_shown(void) { return atomic_load(&guard.shown) != 0; }

int tide_terminal_write(const uint8_t *bytes, size_t count) {
  if (!atomic_load(&guard.shown)) return EAGAIN;
  return guard_write(guard.output, bytes, count, -1);
}

bool tide_terminal_size(int *columns, int *rows) {
  struct winsize size;
  if (ioctl(guard.output, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) {
    return false;
  }
  *columns = size.ws_col;
  *rows = size.ws_row;
  return true;
}
