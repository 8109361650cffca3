#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CTideSystem.h"

_Static_assert(sizeof(TideFilterInstruction) == sizeof(struct sock_filter), "the kernel's layout");

int32_t tide_filter_probe(void) {
  uint32_t action = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0 ? 0 : errno;
}

int32_t tide_filter_install(const TideFilterInstruction *instructions, size_t count) {
  struct sock_fprog program = {(unsigned short)count, (struct sock_filter *)instructions};
  long result =
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  // A positive result is the id of a thread that has a different filter.
  return result < 0 ? errno : result > 0 ? EBUSY : 0;
}

int32_t tide_refuse_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
}

int32_t tide_refuse_dumps(void) {
  struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) return errno;
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : errno;
}

int32_t tide_limit_memory(uint64_t data, uint64_t space) {
  struct rlimit most_data = {data, data}, most_space = {space, space};
  if (setrlimit(RLIMIT_DATA, &most_data) != 0) return errno;
  return setrlimit(RLIMIT_AS, &most_space) == 0 ? 0 : errno;
}

int32_t tide_limit_files(uint64_t files) {
  struct rlimit most;
  if (getrlimit(RLIMIT_NOFILE, &most) != 0) return errno;
  if (most.rlim_max > files) most.rlim_max = files;
  if (most.rlim_cur > files) most.rlim_cur = files;
  return setrlimit(RLIMIT_NOFILE, &most) == 0 ? 0 : errno;
}

bool tide_is_sanitized(void) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return true;
#else
  return false;
#endif
}

void tide_trim_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void tide_return_large_blocks(void) {
#ifdef __GLIBC__
  enum { LARGE = 4 << 20 };
  mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

int32_t tide_open_unnamed(const char *folder, uint32_t mode) {
  return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
}

int32_t tide_thread_count(void) {
  struct stat status;
  // A folder's link count is two plus the number of its subfolders.
  return stat("/proc/self/task", &status) == 0 ? (int32_t)status.st_nlink - 2 : -1;
}

int32_t tide_run_forked(int32_t (*body)(void *), void *context, char *text, size_t room) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    int32_t result = body(context);
    ssize_t written = write(ends[1], text, strnlen(text, room));
    (void)written;
    _exit(result);
  }
  close(ends[1]);
  size_t count = 0;
  while (child > 0 && count + 1 < room) {
    ssize_t got = read(ends[0], text + count, room - 1 - count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    count += (size_t)got;
  }
  text[count] = 0;
  close(ends[0]);
  if (child < 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
