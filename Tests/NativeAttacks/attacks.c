#define _GNU_SOURCE
#include "NativeAttacks.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <netinet/in.h>

static AttackScene scene;
static int root_folder, datagram, terminal, plain_program, sealable;
static void (*tell_all)(const char *, int32_t);

static char *in(const char *folder, const char *name) {
  static char rooms[4][4096];
  static int next;
  char *room = rooms[next++ % 4];
  snprintf(room, sizeof rooms[0], "%s/%s", folder, name);
  return room;
}

static void say(const char *name, long result) { tell_all(name, result < 0 ? errno : 0); }
#define TRY(name, call) (errno = 0, say(name, (long)(call)))

// MARK: A thread that is older than the wall

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static enum { IDLE, ASKED, ANSWERED } state;
static int older_open, older_socket, older_exec;

static int try_exec(void);

static void *older_thread(void *ignored) {
  (void)ignored;
  pthread_mutex_lock(&mutex);
  while (state != ASKED) pthread_cond_wait(&changed, &mutex);
  older_open = open(in(scene.outside, "file"), O_RDONLY) < 0 ? errno : 0;
  older_socket = socket(AF_INET, SOCK_STREAM, 0) < 0 ? errno : 0;
  state = ANSWERED;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void ask_older_thread(void) {
  pthread_mutex_lock(&mutex);
  state = ASKED;
  pthread_cond_broadcast(&changed);
  while (state != ANSWERED) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
}

void attacks_prepare(const AttackScene *given) {
  scene = *given;
  root_folder = open("/", O_RDONLY | O_DIRECTORY);
  datagram = socket(AF_UNIX, SOCK_DGRAM, 0);
  plain_program = open("/bin/true", O_RDONLY);
  sealable = (int)syscall(SYS_memfd_create, "sealable", 2 /* MFD_ALLOW_SEALING */);
  int controller = posix_openpt(O_RDWR | O_NOCTTY);
  grantpt(controller);
  unlockpt(controller);
  terminal = open(ptsname(controller), O_RDWR | O_NOCTTY);
  pthread_t thread;
  pthread_create(&thread, NULL, older_thread, NULL);
}

// MARK: Programs

/// In a process of its own where there can be one: else this one would be replaced, and say no more.
static int exec_apart(int (*start)(void)) {
  long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child < 0) return start();
  if (child == 0) {
    start();
    _exit(errno);
  }
  int status = 0;
  waitpid((pid_t)child, &status, 0);
  errno = WEXITSTATUS(status);
  return errno ? -1 : 0;
}

static int start_program(void) {
  char *arguments[] = {"true", NULL};
  return execve("/bin/true", arguments, arguments + 1);
}

static int start_open_program(void) {
  char *arguments[] = {"true", NULL};
  return (int)syscall(SYS_execveat, plain_program, "", arguments, arguments + 1, AT_EMPTY_PATH);
}

static int start_memory(void) {
  int memory = (int)syscall(SYS_memfd_create, "program", 0);
  char bytes[4096];
  ssize_t count;
  lseek(plain_program, 0, SEEK_SET);
  while ((count = read(plain_program, bytes, sizeof bytes)) > 0)
    if (write(memory, bytes, (size_t)count) < 0) return -1;
  char *arguments[] = {"true", NULL};
  return (int)syscall(SYS_execveat, memory, "", arguments, arguments + 1, AT_EMPTY_PATH);
}

static int try_exec(void) { return exec_apart(start_program); }

static int fork_and_wait(void) {
  long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  if (child > 0) waitpid((pid_t)child, NULL, 0);
  return child < 0 ? -1 : 0;
}

/// A filter of the attacker's own that allows everything changes nothing.
static int exec_after_other_filter(void) {
  struct sock_filter all = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {1, &all};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
  return try_exec();
}

// MARK: Sockets

static int connect_path(int descriptor, const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  return connect(descriptor, (struct sockaddr *)&address, sizeof address);
}

static int connect_stream(void) {
  int made = socket(AF_UNIX, SOCK_STREAM, 0);
  return made < 0 ? -1 : connect_path(made, scene.socket);
}

static int connect_datagram(void) {
  int result = connect_path(datagram, in(scene.outside, "datagrams"));
  return result;
}

static int send_datagram(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, in(scene.outside, "datagrams"), sizeof address.sun_path - 1);
  return (int)sendto(datagram, "x", 1, MSG_DONTWAIT, (struct sockaddr *)&address, sizeof address);
}

static int pair_of_datagrams(void) {
  int ends[2];
  return socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
}

static int bind_path(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, in(scene.writable, "socket"), sizeof address.sun_path - 1);
  return bind(datagram, (struct sockaddr *)&address, sizeof address);
}

// MARK: Everything

static int set_mode_of_open_file(mode_t mode) {
  int file = open(in(scene.writable, "file"), O_WRONLY);
  return file < 0 ? -1 : fchmod(file, mode);
}

static int reopen_by_number(int descriptor) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return open(path, O_RDONLY);
}

/// An attribute of a file's that only its owner may change.
static int set_attribute(int descriptor) {
  int attributes = FS_NODUMP_FL;
  return ioctl(descriptor, FS_IOC_SETFLAGS, &attributes);
}

static int lease(int descriptor) { return fcntl(descriptor, F_SETLEASE, F_RDLCK); }

static int open_parent(const char *name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", getppid(), name);
  return open(path, O_RDONLY);
}

#if defined(__x86_64__)
static long call_32bit(void) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
  if (result < 0) errno = (int)-result;
  return result;
}
#endif

void attacks_run(void (*tell)(const char *, int32_t)) {
  tell_all = tell;
  pid_t parent = getppid();
  char byte[64] = "";
  struct {
    void *start;
    size_t count;
  } part = {byte, sizeof byte};
  char *file = in(scene.outside, "file");

  ask_older_thread();
  tell("older thread: open outside", older_open);
  tell("older thread: socket", older_socket);

  TRY("execve", try_exec());
  TRY("execveat of an open program", exec_apart(start_open_program));
  TRY("execveat of memory", exec_apart(start_memory));
  TRY("execve after another filter", exec_after_other_filter());
  TRY("fork", fork_and_wait());

  TRY("open outside", open(file, O_RDONLY));
  TRY("open outside for writing", open(file, O_WRONLY));
  TRY("open from an open folder", openat(root_folder, file + 1, O_RDONLY));
  TRY("open by way of ..", open(in(scene.readable, "../outside/file"), O_RDONLY));
  TRY("open by a link", open(in(scene.readable, "way-out"), O_RDONLY));
  TRY("list the root", open("/", O_RDONLY | O_DIRECTORY));
  TRY("create outside", open(in(scene.outside, "made"), O_CREAT | O_WRONLY, 0600));
  TRY("create where files may be read",
      open(in(scene.readable, "made"), O_CREAT | O_WRONLY, 0600));
  TRY("write where files may be read", open(in(scene.readable, "file"), O_WRONLY));
  TRY("cut what may be read", open(in(scene.readable, "file"), O_RDONLY | O_TRUNC));
  TRY("read where files may be written", open(in(scene.writable, "file"), O_RDONLY));
  TRY("truncate outside", truncate(in(scene.outside, "cut"), 0));
  TRY("mkdir outside", mkdir(in(scene.outside, "folder"), 0700));
  TRY("unlink outside", unlink(in(scene.outside, "gone")));
  TRY("rename outside", rename(in(scene.outside, "old"), in(scene.outside, "new")));
  TRY("hard link into the writable folder", link(file, in(scene.writable, "hard")));
  TRY("rename into the writable folder",
      rename(in(scene.outside, "moved"), in(scene.writable, "moved")));
  TRY("symbolic link", symlink("/etc", in(scene.writable, "link")));
  TRY("named pipe", mkfifo(in(scene.writable, "pipe"), 0600));
  TRY("device", mknod(in(scene.writable, "device"), S_IFCHR | 0600, 0x103));
  TRY("chmod outside", chmod(in(scene.outside, "moded"), 0600));
  TRY("set-user-ID of an open file", set_mode_of_open_file(04700));
  TRY("create a set-user-ID file",
      open(in(scene.writable, "set-id"), O_CREAT | O_WRONLY, 04700));
  TRY("openat2", syscall(SYS_openat2, -1, NULL, NULL, 0));
  TRY("chown outside", chown(in(scene.outside, "moded"), getuid(), getgid()));
  TRY("setxattr outside", setxattr(in(scene.outside, "moded"), "user.a", "b", 1, 0));
  TRY("utime outside", utime(in(scene.outside, "moded"), NULL));
  TRY("utimensat outside", utimensat(AT_FDCWD, in(scene.outside, "moded"), NULL, 0));
  // What may only be read is open for reading, and its owner may change more than its contents.
  int readable = open(in(scene.readable, "file"), O_RDONLY);
  int folder = open(scene.readable, O_RDONLY | O_DIRECTORY);
  TRY("fchmod where files may be read", fchmod(readable, 0600));
  TRY("fchmod of a folder that may be read", fchmod(folder, 0700));
  TRY("fchown where files may be read", fchown(readable, getuid(), getgid()));
  TRY("futimens where files may be read", futimens(readable, (struct timespec[2]){{1, 0}, {1, 0}}));
  TRY("futimens to now where files may be read", futimens(readable, NULL));
  TRY("fsetxattr where files may be read", fsetxattr(readable, "user.a", "b", 1, 0));
  TRY("attributes of what may be read", set_attribute(readable));
  TRY("lease of what may be read", lease(readable));
  TRY("notices of a folder that may be read", fcntl(folder, F_NOTIFY, DN_CREATE));
  TRY("hint about what may be read", fcntl(readable, F_SET_RW_HINT, &(uint64_t){2}));
  TRY("seal", fcntl(sealable, F_ADD_SEALS, F_SEAL_GROW));
  TRY("signal of a descriptor's", fcntl(terminal, F_SETSIG, SIGUSR1));
  TRY("window's size", ioctl(terminal, TIOCSWINSZ, &(struct winsize){.ws_row = 1}));
  TRY("/proc/self/mem", open("/proc/self/mem", O_RDWR));
  TRY("/proc/self/environ", open("/proc/self/environ", O_RDONLY));
  TRY("/proc/self/fd again", reopen_by_number(plain_program));
  TRY("memory of the parent", open_parent("mem"));
  TRY("environment of the parent", open_parent("environ"));
  TRY("open_by_handle_at", syscall(SYS_open_by_handle_at, -1, byte, 0));

  TRY("socket: internet", socket(AF_INET, SOCK_STREAM, 0));
  TRY("socket: internet, datagrams", socket(AF_INET6, SOCK_DGRAM, 0));
  TRY("socket: raw", socket(AF_PACKET, SOCK_RAW, 0));
  TRY("socket: netlink", socket(AF_NETLINK, SOCK_RAW, 0));
  TRY("socket: vsock", socket(40, SOCK_STREAM, 0));
  TRY("socket: kernel's crypto", socket(38, SOCK_SEQPACKET, 0));
  TRY("connect to a path", connect_stream());
  TRY("connect an older socket", connect_datagram());
  TRY("sendto by an older socket", send_datagram());
  TRY("bind an older socket", bind_path());
  TRY("listen", listen(datagram, 1) < 0 && errno == EOPNOTSUPP ? 0 : -1);
  TRY("socketpair of datagrams", pair_of_datagrams());

  TRY("ptrace: attach to the parent", ptrace(PTRACE_SEIZE, parent, 0, 0));
  TRY("process_vm_readv", syscall(SYS_process_vm_readv, parent, &part, 1, &part, 1, 0) < 0 &&
                                  errno == EFAULT ? 0 : errno ? -1 : 0);
  TRY("kcmp", syscall(SYS_kcmp, getpid(), parent, 0, 0, 0));
  TRY("pidfd_open", syscall(SYS_pidfd_open, parent, 0));
  TRY("kill: parent", kill(parent, 0));
  TRY("kill: group", kill(0, 0));
  TRY("kill: all", kill(-1, 0));
  TRY("tgkill", syscall(SYS_tgkill, parent, parent, 0));
  TRY("tkill", syscall(SYS_tkill, parent, 0));
  TRY("rt_sigqueueinfo", syscall(SYS_rt_sigqueueinfo, parent, 99, byte));
  TRY("signals by a descriptor", fcntl(terminal, F_SETOWN, parent));
  TRY("prlimit of the parent", prlimit(parent, RLIMIT_NOFILE, NULL, NULL));
  TRY("priority of the parent", setpriority(PRIO_PROCESS, (id_t)parent, 0));
  TRY("affinity of the parent", syscall(SYS_sched_setaffinity, parent, 0, NULL) < 0 &&
                                        errno == EINVAL ? 0 : -1);
  TRY("dumpable again", prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
  TRY("TIOCSTI", ioctl(terminal, TIOCSTI, "x") < 0 && errno != EPERM ? 0 : errno ? -1 : 0);

  TRY("unshare: user", unshare(CLONE_NEWUTS));
  TRY("clone: user", syscall(SYS_clone, CLONE_NEWUSER | CLONE_THREAD, 0, 0, 0, 0));
  TRY("clone3", syscall(SYS_clone3, NULL, 0));
  TRY("setns", setns(-1, 0));
  TRY("mount", syscall(SYS_mount, "none", "/nonexistent", "tmpfs", 0, 0));
  TRY("umount", syscall(SYS_umount2, "/nonexistent", 0));
  TRY("chroot", chroot("/nonexistent"));
  TRY("pivot_root", syscall(SYS_pivot_root, "/nonexistent", "/nonexistent"));
  TRY("open_tree", syscall(SYS_open_tree, -1, "nonexistent", 0));
  TRY("fsopen", syscall(SYS_fsopen, "nonexistent", 0));

  TRY("bpf", syscall(SYS_bpf, -1, NULL, 0));
  TRY("perf_event_open", syscall(SYS_perf_event_open, NULL, 0, 0, 0, 0));
  TRY("userfaultfd", syscall(SYS_userfaultfd, 0));
  TRY("keyctl", syscall(SYS_keyctl, 0, -3, 0));
  TRY("add_key", syscall(SYS_add_key, NULL, NULL, NULL, 0, 0));
  TRY("init_module", syscall(SYS_init_module, NULL, 0, NULL));
  TRY("kexec_load", syscall(SYS_kexec_load, 0, 0, NULL, ~0UL));
  TRY("reboot", syscall(SYS_reboot, 0, 0, 0, NULL));
  TRY("swapon", syscall(SYS_swapon, "/nonexistent", 0));
  TRY("sethostname", sethostname("x", ~0ul >> 1));
  TRY("settimeofday", syscall(SYS_settimeofday, &(long[]){0, -1}, NULL));
  TRY("shmget", syscall(SYS_shmget, 0, 4096, 0600));
  TRY("mq_open", syscall(SYS_mq_open, "nonexistent", 0, 0, NULL));
  TRY("personality", syscall(SYS_personality, 0xffffffff));
  TRY("syslog", syscall(SYS_syslog, 10, NULL, 0));
  TRY("io_uring_setup", syscall(SYS_io_uring_setup, 1, NULL));
  TRY("io_uring_enter", syscall(SYS_io_uring_enter, -1, 0, 0, 0, NULL, 0));
  TRY("a call of a later kernel", syscall(463, -1, NULL, 0, NULL, NULL, 0));
#if defined(__x86_64__)
  TRY("32-bit call", call_32bit());
  TRY("x32 call", syscall(0x40000000 | SYS_getpid));
#endif
}

// MARK: What must work

static void *nothing(void *value) { return value; }

static int start_thread(void) {
  pthread_t thread;
  errno = pthread_create(&thread, NULL, nothing, NULL);
  if (errno) return -1;
  pthread_join(thread, NULL);
  return 0;
}

static int save_in_one_step(void) {
  int draft = open(in(scene.writable, "draft"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (draft < 0 || write(draft, "x", 1) < 0 || fsync(draft) != 0 || close(draft) != 0) return -1;
  return rename(in(scene.writable, "draft"), in(scene.writable, "saved"));
}

static int move_between_folders(void) {
  if (mkdir(in(scene.writable, "below"), 0700) != 0) return -1;
  return rename(in(scene.writable, "saved"), in(scene.writable, "below/saved"));
}

static int pair_of_streams(void) {
  int ends[2];
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
}

static int have_timer(void) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 2};
  event._sigev_un._tid = (int)syscall(SYS_gettid);
  timer_t timer;
  return timer_create(CLOCK_MONOTONIC, &event, &timer);
}

void needs_run(void (*tell)(const char *, int32_t)) {
  tell_all = tell;
  TRY("read a file", open(in(scene.readable, "file"), O_RDONLY));
  TRY("list a folder", open(scene.readable, O_RDONLY | O_DIRECTORY));
  TRY("save in one step", save_in_one_step());
  TRY("move between folders", move_between_folders());
  TRY("remove", unlink(in(scene.writable, "below/saved")));
  TRY("remove a folder", rmdir(in(scene.writable, "below")));
  TRY("watch a folder", inotify_add_watch(inotify_init1(IN_CLOEXEC), scene.readable, IN_CREATE));
  TRY("start a thread", start_thread());
  TRY("a timer of a thread's", have_timer());
  TRY("raise", raise(SIGWINCH));
  TRY("kill itself", kill(getpid(), 0));
  TRY("socketpair of streams", pair_of_streams());
  TRY("know a terminal", isatty(terminal) ? 0 : -1);
  TRY("window's size", ioctl(terminal, TIOCGWINSZ, &(struct winsize){0}));
  TRY("bytes that wait", ioctl(terminal, FIONREAD, &(int){0}));
  TRY("do not wait", fcntl(terminal, F_SETFL, O_NONBLOCK));
  TRY("copy a descriptor", fcntl(terminal, F_DUPFD_CLOEXEC, 3));
  TRY("lock what may be written",
      fcntl(open(in(scene.writable, "file"), O_WRONLY), F_SETLK, &(struct flock){.l_type = F_WRLCK}));
  TRY("/dev/null", open("/dev/null", O_RDWR));
  TRY("/dev/urandom", open("/dev/urandom", O_RDONLY));
  TRY("time zones", open("/usr/share/zoneinfo", O_RDONLY));
  TRY("own limits", getrlimit(RLIMIT_NOFILE, &(struct rlimit){0, 0}));
}
