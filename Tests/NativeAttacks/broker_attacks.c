#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../Sources/CTideSystem/broker.h"
#include "NativeAttacks.h"

static int broker = -1;

/// The only socket of packets that is open.
static void find_broker(void) {
  for (int i = 3; i < 256; i++) {
    int type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(i, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET) broker = i;
  }
}

static int ask(int kind, int argument, const char *text, size_t count) {
  static char unused[BROKER_MOST_BYTES + 1];
  struct broker_message message = {kind, argument, {-1, -1, -1}};
  if (broker_send(broker, &message, text, count) != 0) return -1;
  int failure = broker_receive(broker, &message, unused, &count);
  broker_close(&message);
  return failure ? -failure : message.kind;
}

/// Bytes that are no message.
static int send_raw(const void *bytes, size_t count) {
  static char unused[BROKER_MOST_BYTES + 1];
  struct broker_message message;
  if (send(broker, bytes, count, MSG_NOSIGNAL) < 0) return errno;
  int failure = broker_receive(broker, &message, unused, &count);
  if (!failure) broker_close(&message);
  return failure ? -failure : message.kind;
}

/// One more descriptor than a message has, for which the room of its control data suffices.
static int send_descriptors(int count) {
  static char unused[BROKER_MOST_BYTES + 1];
  struct broker_message message = {99, 0, {-1, -1, -1}};
  struct iovec part = {&message, sizeof message};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int) * 8)];
  } control = {0};
  struct msghdr packet = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control};
  packet.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count);
  control.header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
  control.header.cmsg_len = CMSG_LEN(sizeof(int) * (size_t)count);
  for (int i = 0; i < count; i++)
    memcpy(CMSG_DATA(&control.header) + (size_t)i * sizeof broker, &broker, sizeof broker);
  if (sendmsg(broker, &packet, MSG_NOSIGNAL) < 0) return errno;
  size_t size;
  int failure = broker_receive(broker, &message, unused, &size);
  if (!failure) broker_close(&message);
  return failure ? -failure : message.kind;
}

void broker_attacks_run(void (*tell)(const char *, int32_t)) {
  find_broker();
  const char *folder = getenv("ATTACK_FOLDER");
  char path[4096];
#define ASK(name, kind, argument, text) tell(name, ask(kind, argument, text, strlen(text)))
#define IN(name) (snprintf(path, sizeof path, "%s/%s", folder, name), path)
  ASK("open: elsewhere", BROKER_OPEN, 0, "/etc/passwd");
  ASK("open: by way of ..", BROKER_OPEN, 0, IN("readable/../outside/file"));
  ASK("open: by a link", BROKER_OPEN, 0, IN("readable/way-out"));
  ASK("open: the folder above", BROKER_OPEN, 0, IN("readable/.."));
  ASK("open: a name that begins alike", BROKER_OPEN, 0, IN("readable-not/file"));
  ASK("open: a device", BROKER_OPEN, 0, "/dev/null");
  ASK("open: relative", BROKER_OPEN, 0, "etc/passwd");
  ASK("open: nothing", BROKER_OPEN, 0, "");
  tell("open: with a zero in it", ask(BROKER_OPEN, 0, "/etc/passwd\0x", 13));
  ASK("run: not allowed", BROKER_RUN, 0, "touch /tmp/tidelock-escaped");
  ASK("scratch: no folder", BROKER_SCRATCH, 0, "");
  ASK("edit: no editor", BROKER_EDIT, 0, "");
  ASK("editor without a file", BROKER_EDITOR, 0, "");
  ASK("edited without an editor", BROKER_EDITED, 0, "");
  ASK("unknown", 99, 0, "");
  ASK("unknown, below zero", -1, 0, "");
  tell("short", send_raw("abc", 3));
  static char long_bytes[BROKER_MOST_BYTES + 4096];
  tell("long", send_raw(long_bytes, sizeof long_bytes));
  unsigned seed = 7;
  int answers = 0;
  for (int i = 0; i < 2000; i++) {
    unsigned char bytes[64];
    for (size_t at = 0; at < sizeof bytes; at++) bytes[at] = (unsigned char)rand_r(&seed);
    // Now and then a request that there is.
    if (i % 3 == 0) bytes[0] = (unsigned char)(i % 6), bytes[1] = bytes[2] = bytes[3] = 0;
    if (send_raw(bytes, rand_r(&seed) % sizeof bytes + 1) > 0) answers++;
  }
  tell("random bytes: all refused", answers == 2000 ? EPERM : 0);
  // More than it may have open, if it kept any.
  for (int count = 1; count <= 8; count++) {
    char name[64];
    int answer = EPROTO;
    for (int i = 0; i < 300 && answer > 0; i++) answer = send_descriptors(count);
    snprintf(name, sizeof name, "descriptors: %d", count);
    tell(name, answer);
  }
  // It is there after all that.
  ASK("open: what may be reopened", BROKER_OPEN, 0, IN("readable/file"));
  // The editor and programs are never signalled by who may not run any.
  tell("kill its programs", kill(-getpid(), 0) == 0 ? 0 : errno);
}
