#include "Guard.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

struct guard guard = {
    .input = -1,
    .output = -1,
    .log = -1,
    .saved = {-1, -1, -1},
    .wake = {-1, -1},
    .timer = -1,
    .poll = -1,
};

/// `patience` limits each wait, in milliseconds; -1 for no limit.
int guard_write(int descriptor, const uint8_t *bytes, size_t count, int patience) {
  while (count > 0) {
    ssize_t written = write(descriptor, bytes, count);
    if (written > 0) {
      bytes += written;
      count -= (size_t)written;
    } else if (written < 0 && errno == EAGAIN) {
      // The program that started this one may have made the terminal non-blocking.
      struct pollfd room = {.fd = descriptor, .events = POLLOUT};
      int ready = poll(&room, 1, patience);
      if (ready > 0 && room.revents & (POLLERR | POLLNVAL)) return EIO;
      if (ready == 0) return ETIMEDOUT;
    } else if (written < 0 && errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

void guard_note(int number) {
  uint8_t byte = (uint8_t)number;
  // A full pipe already has a reader to wake.
  if (guard.wake[1] >= 0 && write(guard.wake[1], &byte, 1) < 0) return;
}

void guard_show(void) {
  if (!guard_await_foreground()) return;
  atomic_store(&guard.shown, 1);
  tcsetattr(guard.input, TCSANOW, &guard.raw);
  guard_write(guard.output, guard.enter, guard.enter_count, 250);
}

void guard_hide(void) {
  if (!atomic_exchange(&guard.shown, 0)) return;
  // A terminal that takes no more bytes must not keep the process from ending.
  struct pollfd room = {.fd = guard.output, .events = POLLOUT};
  if (poll(&room, 1, 250) > 0) {
    guard_write(guard.output, guard.leave, guard.leave_count, 250);
  }
  // A job in the background must not change the modes of the one in the foreground.
  if (guard_is_background()) return;
  tcsetattr(guard.input, TCSANOW, &guard.original);
  // The rest of a paste or of mouse reports would be commands to the shell.
  if (!guard.keeps_input) tcflush(guard.input, TCIFLUSH);
}

void tide_terminal_leave(void) {
  if (getpid() != guard.owner || !atomic_exchange(&guard.taken, 0)) return;
  int kept = errno;
  // A process that ends in the background must not be stopped for writing.
  sigset_t output, masked;
  sigemptyset(&output);
  sigaddset(&output, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &output, &masked);
  guard_hide();
  guard_print_log();
  pthread_sigmask(SIG_SETMASK, &masked, NULL);
  errno = kept;
}
