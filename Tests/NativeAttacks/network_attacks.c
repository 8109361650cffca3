#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "NativeAttacks.h"

// From within a wall that leaves the network open, for connections to one port.

static void (*tell_all)(const char *, int32_t);
static void say(const char *name, long result) { tell_all(name, result < 0 ? errno : 0); }
#define TRY(name, call) (errno = 0, say(name, (long)(call)))

static struct sockaddr_in local(uint16_t port) {
  return (struct sockaddr_in){
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int connect_to(uint16_t port) {
  struct sockaddr_in address = local(port);
  int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) return -1;
  int result = connect(made, (struct sockaddr *)&address, sizeof address), saved = errno;
  close(made);
  errno = saved;
  return result;
}

/// Data that make the connection: the kernel's rule for ports is about `connect`.
static int send_first(uint16_t port, int how) {
  struct sockaddr_in address = local(port);
  struct iovec part = {"x", 1};
  struct mmsghdr message = {.msg_hdr = {.msg_name = &address,
                                        .msg_namelen = sizeof address,
                                        .msg_iov = &part,
                                        .msg_iovlen = 1}};
  int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) return -1;
  if (how == 0)
    return (int)sendto(made, "x", 1, MSG_FASTOPEN, (struct sockaddr *)&address, sizeof address);
  if (how == 1) return (int)sendmsg(made, &message.msg_hdr, MSG_FASTOPEN);
  return sendmmsg(made, &message, 1, MSG_FASTOPEN);
}

static int bind_port(void) {
  struct sockaddr_in address = local(0);
  return bind(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), (struct sockaddr *)&address,
              sizeof address);
}

static int listen_anywhere(void) {
  return listen(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), 1);
}

static int connect_path(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/nonexistent"};
  int made = socket(AF_UNIX, SOCK_STREAM, 0);
  if (made < 0) return -1;
  // Without a wall there is nobody to answer, which is as good as an answer.
  return connect(made, (struct sockaddr *)&address, sizeof address) < 0 && errno != ENOENT ? -1 : 0;
}

static int find_name(void) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG}, *found = NULL;
  int failure = getaddrinfo("localhost", "80", &hints, &found);
  if (found) freeaddrinfo(found);
  return failure ? -1 : 0;
}

void network_attacks_run(uint16_t port, uint16_t other,
                         void (*tell)(const char *, int32_t)) {
  tell_all = tell;
  TRY("need: connect to the port", connect_to(port));
  TRY("need: find a name", find_name());
  TRY("need: list interfaces", socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0));
  TRY("need: ask a name server", socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  TRY("need: names of hosts", open("/etc/hosts", O_RDONLY));
  TRY("connect to another port", connect_to(other));
  TRY("connect by sendto", send_first(other, 0));
  TRY("connect by sendmsg", send_first(other, 1));
  TRY("connect by sendmmsg", send_first(other, 2));
  TRY("connect to a path", connect_path());
  TRY("bind a port", bind_port());
  TRY("listen", listen_anywhere());
  TRY("socket: multipath", socket(AF_INET, SOCK_STREAM, 262));
  TRY("socket: raw", socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
  TRY("socket: netlink of another kind", socket(AF_NETLINK, SOCK_RAW, 15));
  TRY("socket: packets", socket(AF_PACKET, SOCK_RAW, 0));
  TRY("open outside", open("/etc/passwd", O_RDONLY));
}
