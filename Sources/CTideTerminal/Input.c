#include "Guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

bool guard_watch(void) {
  guard.poll = epoll_create1(EPOLL_CLOEXEC);
  guard.timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  if (guard.poll < 0 || guard.timer < 0) return false;
  if (pipe2(guard.wake, O_CLOEXEC | O_NONBLOCK) != 0) return false;
  int watched[] = {guard.input, guard.wake[0], guard.timer};
  for (size_t i = 0; i < COUNT(watched); i++) {
    struct epoll_event event = {.events = EPOLLIN};
    if (epoll_ctl(guard.poll, EPOLL_CTL_ADD, watched[i], &event) != 0) return false;
  }
  return true;
}

int tide_terminal_descriptor(void) { return guard.poll; }

ptrdiff_t guard_read(uint8_t *bytes, size_t count) {
  // `VMIN` 0 alone does not suffice: after a suspension it may be 1 until raw mode is restored.
  struct pollfd ready = {.fd = guard.input, .events = POLLIN};
  if (guard.input < 0 || poll(&ready, 1, 0) <= 0) return 0;
  ssize_t found = read(guard.input, bytes, count);
  if (found > 0) return found;
  if (found < 0 ? errno == EAGAIN || errno == EINTR : !(ready.revents & (POLLHUP | POLLERR))) {
    return 0;
  }
  // A closed input would stay readable forever.
  epoll_ctl(guard.poll, EPOLL_CTL_DEL, guard.input, NULL);
  return -1;
}

bool guard_has_input(void) {
  struct pollfd ready = {.fd = guard.input, .events = POLLIN};
  return guard.input >= 0 && poll(&ready, 1, 0) > 0 && !(ready.revents & (POLLHUP | POLLERR));
}

void tide_terminal_wake(void) { guard_note(TIDE_TERMINAL_WAKE); }

int tide_terminal_next_signal(void) {
  uint8_t byte;
  return guard.wake[0] >= 0 && read(guard.wake[0], &byte, 1) == 1 ? byte : 0;
}

void tide_terminal_set_timer(int milliseconds) {
  struct itimerspec due = {
      .it_value = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L}};
  if (guard.timer >= 0) timerfd_settime(guard.timer, 0, &due, NULL);
}

bool tide_terminal_timer_fired(void) {
  uint64_t times;
  return guard.timer >= 0 && read(guard.timer, &times, sizeof times) == sizeof times;
}
