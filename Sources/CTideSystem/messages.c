#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "broker.h"

union control {
  struct cmsghdr header;
  char room[CMSG_SPACE(sizeof(int) * BROKER_MOST_DESCRIPTORS)];
};

int broker_send(int socket, const struct broker_message *message, const char *text, size_t count) {
  struct iovec parts[] = {{(void *)message, sizeof *message}, {(void *)text, count}};
  union control control;
  struct msghdr packet = {.msg_iov = parts, .msg_iovlen = 2};
  size_t descriptors = 0;
  while (descriptors < BROKER_MOST_DESCRIPTORS && message->descriptors[descriptors] >= 0)
    descriptors++;
  if (descriptors) {
    memset(&control, 0, sizeof control);
    packet.msg_control = &control;
    packet.msg_controllen = CMSG_SPACE(sizeof(int) * descriptors);
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof(int) * descriptors);
    memcpy(CMSG_DATA(&control.header), message->descriptors, sizeof(int) * descriptors);
  }
  while (sendmsg(socket, &packet, MSG_NOSIGNAL) < 0)
    if (errno != EINTR) return errno;
  return 0;
}

/// Takes the received descriptors. Returns false if there are more than a message may have; then it
/// closes all of them. The control buffer's size is rounded up, so it may hold an extra descriptor.
static bool take_descriptors(struct msghdr *packet, struct broker_message *message) {
  bool fits = true;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(packet); header;
       header = CMSG_NXTHDR(packet, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    // A second list would overwrite the first.
    if (count > BROKER_MOST_DESCRIPTORS || message->descriptors[0] >= 0) fits = false;
    for (size_t i = 0; i < count; i++) {
      int descriptor;
      memcpy(&descriptor, CMSG_DATA(header) + i * sizeof descriptor, sizeof descriptor);
      if (fits)
        message->descriptors[i] = descriptor;
      else
        close(descriptor);
    }
  }
  return fits;
}

int broker_receive(int socket, struct broker_message *message, char *text, size_t *count) {
  struct iovec parts[] = {{message, sizeof *message}, {text, BROKER_MOST_BYTES}};
  union control control;
  struct msghdr packet = {
      .msg_iov = parts,
      .msg_iovlen = 2,
      .msg_control = &control,
      .msg_controllen = sizeof control,
  };
  ssize_t size;
  while ((size = recvmsg(socket, &packet, MSG_CMSG_CLOEXEC)) < 0)
    if (errno != EINTR) return errno;
  // The descriptor numbers in the message itself are the sender's; only those in the control data
  // are valid here.
  for (int i = 0; i < BROKER_MOST_DESCRIPTORS; i++) message->descriptors[i] = -1;
  bool fits = take_descriptors(&packet, message);
  if (size == 0) return ENOTCONN;
  if (!fits || (size_t)size < sizeof *message || packet.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
    broker_close(message);
    return EPROTO;
  }
  *count = (size_t)size - sizeof *message;
  text[*count] = 0;
  return 0;
}

void broker_close(struct broker_message *message) {
  for (int i = 0; i < BROKER_MOST_DESCRIPTORS; i++) {
    if (message->descriptors[i] >= 0) close(message->descriptors[i]);
    message->descriptors[i] = -1;
  }
}
