#include "Guard.h"

#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

// The thread that runs scripts reads keys. If it leaves input unread for too long, a separate
// thread reads ahead, so that a Ctrl-C is noticed while a script is busy. The first thread receives
// that input later, in order:
//
//   keys ──> terminal ───────────────────────> tide_terminal_read
//                └── unread for a while ──> ahead ──^
//                                             └──> look

static struct {
  pthread_t thread;
  bool runs;
  int halt;  // readable once the thread is to end
  int patience;
  tide_terminal_look *look;
  void *context;
} watch;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// Protected by the lock.
static uint8_t ahead[1 << 16];
static size_t first, last;
static uint64_t readings;

/// Whether the thread is to end. Waits for that with a timeout.
static bool is_halted(int milliseconds) {
  struct pollfd halt = {.fd = watch.halt, .events = POLLIN};
  return poll(&halt, 1, milliseconds) > 0;
}

/// Reads the available input, unless the other thread has read since. Returns whether some input is
/// waiting for that thread.
static bool take_ahead(uint64_t before) {
  pthread_mutex_lock(&lock);
  if (readings == before) {
    struct pollfd input = {.fd = guard.input, .events = POLLIN};
    bool is_first = first == last;
    if (is_first) first = last = 0;
    ssize_t count = 0;
    // While the job is suspended, the terminal belongs to the shell.
    if (last < sizeof ahead && atomic_load(&guard.shown) && poll(&input, 1, 0) > 0) {
      count = read(guard.input, ahead + last, sizeof ahead - last);
    }
    if (count > 0) {
      watch.look(watch.context, ahead + last, (size_t)count, is_first);
      last += (size_t)count;
      guard_note(TIDE_TERMINAL_WAKE);
    } else if (!is_first) {
      watch.look(watch.context, ahead, 0, false);
    }
  }
  bool is_left = first < last;
  pthread_mutex_unlock(&lock);
  return is_left;
}

static uint64_t count_readings(void) {
  pthread_mutex_lock(&lock);
  uint64_t count = readings;
  pthread_mutex_unlock(&lock);
  return count;
}

static void *run(void *unused) {
  struct pollfd both[] = {
      {.fd = guard.input, .events = POLLIN},
      {.fd = watch.halt, .events = POLLIN},
  };
  bool is_left = false;
  for (;;) {
    if (!is_left && poll(both, 2, -1) <= 0) continue;
    if (both[1].revents) return unused;
    // The terminal is gone, so no more input will arrive.
    if (both[0].revents & (POLLHUP | POLLERR | POLLNVAL)) both[0].fd = -1;
    uint64_t before = count_readings();
    if (is_halted(watch.patience)) return unused;
    is_left = take_ahead(before);
  }
}

bool tide_terminal_watch(int patience, tide_terminal_look *look, void *context) {
  if (!atomic_load(&guard.taken) || watch.runs) return false;
  watch.halt = eventfd(0, EFD_CLOEXEC);
  if (watch.halt < 0) return false;
  watch.patience = patience;
  watch.look = look;
  watch.context = context;
  first = last = 0;
  // Signals are for the other threads, and reading in the background must not stop the job.
  sigset_t all, before;
  sigfillset(&all);
  for (size_t i = 0; i < COUNT(guard_crashes); i++) sigdelset(&all, guard_crashes[i]);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  watch.runs = pthread_create(&watch.thread, NULL, run, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!watch.runs) close(watch.halt);
  return watch.runs;
}

void guard_end_watch(void) {
  // A forked child has no such thread.
  if (!watch.runs || getpid() != guard.owner) return;
  uint64_t one = 1;
  if (write(watch.halt, &one, sizeof one) < 0) return;
  pthread_join(watch.thread, NULL);
  close(watch.halt);
  watch.runs = false;
}

ptrdiff_t tide_terminal_read(uint8_t *bytes, size_t count) {
  pthread_mutex_lock(&lock);
  readings++;
  size_t left = last - first;
  ptrdiff_t found;
  if (left > 0) {
    if (count > left) count = left;
    memcpy(bytes, ahead + first, count);
    first += count;
    found = (ptrdiff_t)count;
  } else {
    found = guard_read(bytes, count);
  }
  pthread_mutex_unlock(&lock);
  return found;
}

bool tide_terminal_has_input(void) {
  pthread_mutex_lock(&lock);
  bool has_ahead = last > first;
  pthread_mutex_unlock(&lock);
  return has_ahead || guard_has_input();
}
