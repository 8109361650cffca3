#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "CTideSystem.h"

// These numbers are identical on all architectures. The C library has no wrappers for these calls,
// and its headers may be older than the kernel.
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { RULE_PATH_BENEATH = 1, RULE_NET_PORT = 2, WANTS_VERSION = 1 };

/// The kernel's `landlock_ruleset_attr`, as of version 6.
struct ruleset {
  uint64_t files, network, scopes;
};

/// The kernel's `landlock_path_beneath_attr`.
struct path_rule {
  uint64_t rights;
  int32_t parent;
} __attribute__((packed));

/// The kernel's `landlock_net_port_attr`, since version 4.
struct port_rule {
  uint64_t rights, port;
};

int32_t tide_landlock_version(void) {
  long version = syscall(CREATE_RULESET, NULL, 0, WANTS_VERSION);
  return version < 0 ? -errno : (int32_t)version;
}

int32_t tide_landlock_make(TideLandlockRights rights, int32_t version) {
  struct ruleset ruleset = {rights.files, rights.network, rights.scopes};
  // A kernel refuses attributes longer than it knows.
  size_t size = version >= 6   ? sizeof ruleset
                : version >= 4 ? offsetof(struct ruleset, scopes)
                               : offsetof(struct ruleset, network);
  long made = syscall(CREATE_RULESET, &ruleset, size, 0);
  return made < 0 ? -errno : (int32_t)made;
}

int32_t tide_landlock_allow(int32_t ruleset, const char *path, uint64_t rights) {
  // EXECUTE, WRITE_FILE, READ_FILE, TRUNCATE and IOCTL_DEV; the others apply to folders only.
  static const uint64_t rights_of_files = 1 | 2 | 4 | 1 << 14 | 1 << 15;
  int parent = open(path, O_PATH | O_CLOEXEC);
  if (parent < 0) return errno;
  struct stat status;
  int failure = fstat(parent, &status) == 0 ? 0 : errno;
  if (!failure && !S_ISDIR(status.st_mode)) rights &= rights_of_files;
  if (!failure && rights) {
    struct path_rule rule = {rights, parent};
    if (syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) != 0) failure = errno;
  }
  close(parent);
  return failure;
}

int32_t tide_landlock_allow_port(int32_t ruleset, uint16_t port, uint64_t rights) {
  struct port_rule rule = {rights, port};
  return syscall(ADD_RULE, ruleset, RULE_NET_PORT, &rule, 0) == 0 ? 0 : errno;
}

int32_t tide_landlock_restrict(int32_t ruleset) {
  return syscall(RESTRICT_SELF, ruleset, 0) == 0 ? 0 : errno;
}

// MARK: Other threads

// The kernel restricts only the calling thread, so every other thread must make the call itself, in
// a signal handler. The signal is the one that glibc uses to change the user id of all threads: it
// cannot be blocked, and programs may not use it. Its action is restored afterwards.

enum { EVERY_THREAD = 33, MOST_THREADS = 4096, PATIENCE_MILLISECONDS = 1000 };

static struct {
  int ruleset;
  atomic_int failure, done, signalled;
  atomic_int told[MOST_THREADS];     // threads that were sent the signal
  atomic_int threads[MOST_THREADS];  // threads that have restricted themselves
} others;

static void restrict_thread(int number) {
  (void)number;
  int saved = errno;
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (syscall(RESTRICT_SELF, others.ruleset, 0) != 0) atomic_store(&others.failure, errno);
  int index = atomic_fetch_add(&others.done, 1);
  if (index < MOST_THREADS) atomic_store(&others.threads[index], (int)syscall(SYS_gettid));
  errno = saved;
}

/// The kernel's own `struct sigaction`; the C library's `sigaction` refuses this signal.
struct kernel_action {
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)(void);
  uint64_t mask;
};

#if defined(__x86_64__)
enum { HAS_RESTORER = 0x04000000 };
void tide_return_from_signal(void);
__asm__(".text\n.hidden tide_return_from_signal\n.globl tide_return_from_signal\n"
        "tide_return_from_signal:\n mov $15, %eax\n syscall\n");
#endif

static bool contains(const atomic_int *threads, int count, int thread) {
  for (int i = 0; i < count && i < MOST_THREADS; i++)
    if (atomic_load(&threads[i]) == thread) return true;
  return false;
}

/// Signals each thread that was not signalled yet. Returns the number of unrestricted threads, or a
/// negative error number.
static int signal_rest(void) {
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return -errno;
  int own = (int)syscall(SYS_gettid), count = 0;
  for (struct dirent *entry; (entry = readdir(tasks));) {
    int thread = atoi(entry->d_name);
    if (thread <= 0 || thread == own) continue;
    if (contains(others.threads, atomic_load(&others.done), thread)) continue;
    count++;
    int known = atomic_load(&others.signalled);
    if (contains(others.told, known, thread) || known == MOST_THREADS) continue;
    if (syscall(SYS_tgkill, getpid(), thread, EVERY_THREAD) != 0) continue;
    atomic_store(&others.told[known], thread);
    atomic_store(&others.signalled, known + 1);
  }
  closedir(tasks);
  return count;
}

int32_t tide_landlock_restrict_others(int32_t ruleset) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  struct kernel_action action = {.handler = restrict_thread, .flags = SA_RESTART, .mask = ~0ULL};
#if defined(__x86_64__)
  action.flags |= HAS_RESTORER;
  action.restorer = tide_return_from_signal;
#endif
  struct kernel_action former;
  pthread_mutex_lock(&mutex);
  others.ruleset = ruleset;
  atomic_store(&others.failure, 0);
  atomic_store(&others.done, 0);
  atomic_store(&others.signalled, 0);
  if (syscall(SYS_rt_sigaction, EVERY_THREAD, &action, &former, sizeof action.mask) != 0) {
    pthread_mutex_unlock(&mutex);
    return -errno;
  }
  int result = 0;
  // Repeats until no thread is left: an unrestricted thread may have started another one meanwhile.
  for (int waited = 0;; waited++) {
    int count = signal_rest();
    if (count <= 0 || waited > PATIENCE_MILLISECONDS) {
      result = count > 0 ? -EAGAIN : count;
      break;
    }
    for (int nap = 0; nap < 20; nap++) {
      if (atomic_load(&others.done) >= atomic_load(&others.signalled)) break;
      struct timespec time = {0, 50000};
      nanosleep(&time, NULL);
    }
  }
  syscall(SYS_rt_sigaction, EVERY_THREAD, &former, NULL, sizeof action.mask);
  if (result == 0) {
    int failure = atomic_load(&others.failure);
    result = failure ? -failure : atomic_load(&others.done);
  }
  pthread_mutex_unlock(&mutex);
  return result;
}
