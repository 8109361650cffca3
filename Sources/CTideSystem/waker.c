#include "CTideSystem.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

int tide_waker_make(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void tide_waker_wake(int waker) {
  int saved = errno;
  uint64_t one = 1;
  // A full counter means that a wake is already pending.
  while (write(waker, &one, sizeof one) < 0 && errno == EINTR) continue;
  errno = saved;
}

void tide_waker_clear(int waker) {
  int saved = errno;
  uint64_t count;
  while (read(waker, &count, sizeof count) < 0 && errno == EINTR) continue;
  errno = saved;
}
