#define _GNU_SOURCE
#include "CTideSystem.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <time.h>

enum { MOST_EVENTS = 64 };
static const int64_t nanoseconds_a_second = 1000000000, nanoseconds_a_millisecond = 1000000;

int tide_poller_make(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int add(int poller, int descriptor, uint32_t events, uint64_t tag) {
  struct epoll_event event = {.events = events, .data = {.u64 = tag}};
  return epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) == 0 ? 0 : errno;
}

int tide_poller_add(int poller, int descriptor, uint64_t tag) {
  return add(poller, descriptor, EPOLLIN, tag);
}

int tide_poller_add_writing(int poller, int descriptor, uint64_t tag) {
  return add(poller, descriptor, EPOLLOUT, tag);
}

void tide_poller_remove(int poller, int descriptor) {
  int saved = errno;
  epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, 0);
  errno = saved;
}

static int wait_milliseconds(int poller, struct epoll_event *events, int most, int64_t limit) {
  int64_t milliseconds = limit / nanoseconds_a_millisecond;
  // Rounded up, to avoid spinning in the last millisecond before a deadline.
  if (limit % nanoseconds_a_millisecond > 0) milliseconds++;
  if (milliseconds > INT32_MAX) milliseconds = INT32_MAX;
  return epoll_wait(poller, events, most, limit < 0 ? -1 : (int)milliseconds);
}

static int wait_events(int poller, struct epoll_event *events, int most, int64_t limit) {
  // Kernels before 5.11 and some sandboxes lack this call.
  static _Atomic bool lacks_nanoseconds = false;
  if (limit > 0 && !lacks_nanoseconds) {
    struct timespec time = {limit / nanoseconds_a_second, limit % nanoseconds_a_second};
    int count = epoll_pwait2(poller, events, most, &time, 0);
    if (count >= 0 || (errno != ENOSYS && errno != EPERM)) return count;
    lacks_nanoseconds = true;
  }
  return wait_milliseconds(poller, events, most, limit);
}

int tide_poller_wait(int poller, uint64_t *tags, int capacity, int64_t nanoseconds) {
  struct epoll_event events[MOST_EVENTS];
  int most = capacity < MOST_EVENTS ? capacity : MOST_EVENTS;
  int count = wait_events(poller, events, most, nanoseconds);
  for (int i = 0; i < count; i++) tags[i] = events[i].data.u64;
  return count < 0 ? 0 : count;
}
