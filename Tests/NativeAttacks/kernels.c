#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "NativeAttacks.h"

// Simulates kernels that offer less: a filter around a program answers in the kernel's place. For
// an older version of Landlock it asks this process, which gives that version and refuses the
// rights that such a kernel does not know.

enum { CREATE_RULESET = 444, OLD_VERSION = 1, KNOWN_RIGHTS = (1 << 13) - 1 };

#define REFUSE(number, error)                              \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))

static int install(int32_t lacks) {
  struct sock_filter steps[32];
  unsigned short count = 0;
#define ADD(...)                                    \
  do {                                              \
    struct sock_filter more[] = {__VA_ARGS__};      \
    memcpy(steps + count, more, sizeof more);       \
    count += sizeof more / sizeof *more;            \
  } while (0)
  ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
  if (lacks & LACKS_LANDLOCK)
    for (int number = 444; number <= 446; number++) ADD(REFUSE(number, ENOSYS));
  if (lacks & LANDLOCK_IS_OFF)
    for (int number = 444; number <= 446; number++) ADD(REFUSE(number, EOPNOTSUPP));
  if (lacks & LACKS_SECCOMP) ADD(REFUSE(SYS_seccomp, EPERM));
  if (lacks & HAS_OLD_LANDLOCK)
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CREATE_RULESET, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF));
  ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  struct sock_fprog program = {count, steps};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  unsigned flags = lacks & HAS_OLD_LANDLOCK ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

static void send_listener(int channel, int listener) {
  char byte = 0;
  struct iovec part = {&byte, 1};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                           .msg_controllen = sizeof control.room};
  control.header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
                                    .cmsg_len = CMSG_LEN(sizeof(int))};
  memcpy(CMSG_DATA(&control.header), &listener, sizeof listener);
  sendmsg(channel, &message, 0);
}

static int receive_listener(int channel) {
  char byte;
  struct iovec part = {&byte, 1};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                           .msg_controllen = sizeof control.room};
  if (recvmsg(channel, &message, 0) <= 0) return -1;
  int listener;
  memcpy(&listener, CMSG_DATA(&control.header), sizeof listener);
  return listener;
}

/// Answers like a kernel with version 1, whose attributes have one word.
static void answer(int listener, const struct seccomp_notif *request) {
  struct seccomp_notif_resp response = {.id = request->id};
  const uint64_t *arguments = (const uint64_t *)request->data.args;
  if (arguments[2] == 1) {
    response.val = OLD_VERSION;
  } else {
    uint64_t rights = 0;
    struct iovec here = {&rights, sizeof rights};
    struct iovec there = {(void *)arguments[0], sizeof rights};
    process_vm_readv((pid_t)request->pid, &here, 1, &there, 1, 0);
    if (arguments[1] > sizeof rights)
      response.error = -E2BIG;
    else if (rights & ~(uint64_t)KNOWN_RIGHTS)
      response.error = -EINVAL;
    else
      response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  }
  ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

int32_t tide_fork(void) { return fork(); }

int32_t attacks_simulate_kernel(int32_t lacks, char *const *arguments) {
  int channel[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0) return 99;
  pid_t child = fork();
  if (child == 0) {
    int listener = install(lacks);
    if (listener < 0) _exit(98);
    if (lacks & HAS_OLD_LANDLOCK) {
      send_listener(channel[1], listener);
      close(listener);
    }
    execv(arguments[0], arguments);
    _exit(97);
  }
  close(channel[1]);
  if (lacks & HAS_OLD_LANDLOCK) {
    int listener = receive_listener(channel[0]);
    struct seccomp_notif request;
    // It fails once all processes with the filter have ended.
    while (memset(&request, 0, sizeof request),
           ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &request) == 0)
      answer(listener, &request);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
