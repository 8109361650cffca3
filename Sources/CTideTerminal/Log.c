#include "Guard.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void guard_print_log(void) {
  for (int i = STDOUT_FILENO; i <= STDERR_FILENO; i++) {
    if (guard.saved[i] >= 0) dup2(guard.saved[i], i);
  }
  if (guard.log < 0) return;
  uint8_t bytes[4096];
  off_t offset = 0;
  for (;;) {
    ssize_t count = pread(guard.log, bytes, sizeof bytes, offset);
    if (count <= 0 || guard_write(guard.output, bytes, (size_t)count, 1000) != 0) return;
    offset += count;
  }
}

void guard_open_log(bool captures) {
  guard.log = memfd_create("tidelock-log", MFD_CLOEXEC);
  // Several descriptors write to the log, and none may overwrite the output of another.
  if (guard.log < 0 || fcntl(guard.log, F_SETFL, O_APPEND) != 0 || !captures) return;
  fflush(stdout);
  for (int i = STDOUT_FILENO; i <= STDERR_FILENO; i++) {
    if (!isatty(i)) continue;
    guard.saved[i] = guard_copy(i);
    if (guard.saved[i] >= 0) dup2(guard.log, i);
  }
  // A crash must not lose lines in the buffer that the C library would use for a file.
  setvbuf(stdout, NULL, _IOLBF, 0);
}

int tide_terminal_log_descriptor(void) { return guard.log; }

void tide_terminal_trim_log(int64_t offset, const uint8_t *notice, size_t count) {
  off_t size = guard.log < 0 ? 0 : lseek(guard.log, 0, SEEK_END);
  if (offset <= 0 || offset > size) return;
  size_t rest = (size_t)(size - offset);
  uint8_t *bytes = malloc(rest + 1);
  if (bytes == NULL) return;
  ssize_t kept = pread(guard.log, bytes, rest, offset);
  if (kept >= 0 && ftruncate(guard.log, 0) == 0) {
    guard_write(guard.log, notice, count, 0);
    guard_write(guard.log, bytes, (size_t)kept, 0);
  }
  free(bytes);
}
