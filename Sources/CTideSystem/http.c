#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "TideHTTP.h"
#include "curl.h"

enum { MOST_EVENTS = 64, MOST_IDLE_HANDLES = 16 };
// Further connections wait in libcurl, so that an app cannot exhaust its descriptors. libcurl
// closes connections that become idle while there are more than MOST_IDLE_CONNECTIONS in total,
// including busy ones.
enum { MOST_CONNECTIONS = 64, MOST_CONNECTIONS_OF_A_HOST = 32, MOST_IDLE_CONNECTIONS = 64 };

struct TideHTTP {
  CURLM *multi;
  int poller;
  TideHTTPEvents events;
  void *context;
  CURL *idle[MOST_IDLE_HANDLES];  // made once and used again
  int idle_count;
};

struct TideHTTPTransfer {
  TideHTTP *http;
  CURL *handle;
  struct curl_slist *headers;
  void *context;
  char detail[CURL_ERROR_SIZE];
};

// MARK: Signals

/// Blocks SIGPIPE, which writing to a closed TLS connection may raise; libcurl leaves this to its
/// caller.
typedef struct Quiet {
  bool is_blocked, was_pending;
  sigset_t former;
} Quiet;

static Quiet keep_quiet(void) {
  Quiet quiet = {0};
  struct sigaction action;
  if (sigaction(SIGPIPE, NULL, &action) != 0 || action.sa_handler != SIG_DFL) return quiet;
  sigset_t set, pending;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  sigpending(&pending);
  quiet.was_pending = sigismember(&pending, SIGPIPE);
  quiet.is_blocked = pthread_sigmask(SIG_BLOCK, &set, &quiet.former) == 0;
  return quiet;
}

static void end_quiet(const Quiet *quiet) {
  if (!quiet->is_blocked) return;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  if (!quiet->was_pending) sigtimedwait(&set, NULL, &(struct timespec){0, 0});
  pthread_sigmask(SIG_SETMASK, &quiet->former, NULL);
}

// MARK: Callbacks of libcurl

static int watch_socket(CURL *handle, int socket, int what, void *context, void *known) {
  (void)handle;
  (void)known;
  TideHTTP *http = context;
  if (what == CURL_POLL_REMOVE) {
    epoll_ctl(http->poller, EPOLL_CTL_DEL, socket, NULL);
    return 0;
  }
  struct epoll_event event = {
      .events = (what & CURL_POLL_IN ? (uint32_t)EPOLLIN : 0) |
                (what & CURL_POLL_OUT ? (uint32_t)EPOLLOUT : 0),
      .data.fd = socket,
  };
  if (epoll_ctl(http->poller, EPOLL_CTL_ADD, socket, &event) == 0) {
    // Sockets made by libcurl's own threads lack this flag.
    fcntl(socket, F_SETFD, FD_CLOEXEC);
  } else if (errno == EEXIST) {
    epoll_ctl(http->poller, EPOLL_CTL_MOD, socket, &event);
  }
  return 0;
}

static int schedule(CURLM *multi, long milliseconds, void *context) {
  (void)multi;
  TideHTTP *http = context;
  http->events.schedule(http->context, milliseconds);
  return 0;
}

static int open_socket(void *context, int purpose, struct curl_address *target) {
  (void)purpose;
  TideHTTPTransfer *transfer = context;
  char text[INET6_ADDRSTRLEN] = "";
  int port = 0;
  // The address extends beyond the field that libcurl declares.
  const void *bytes = &target->address;
  if (target->family == AF_INET) {
    struct sockaddr_in address;
    memcpy(&address, bytes, sizeof address);
    inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
    port = ntohs(address.sin_port);
  } else if (target->family == AF_INET6) {
    struct sockaddr_in6 address;
    memcpy(&address, bytes, sizeof address);
    inet_ntop(AF_INET6, &address.sin6_addr, text, sizeof text);
    port = ntohs(address.sin6_port);
  } else {
    return CURL_SOCKET_BAD;
  }
  if (!transfer->http->events.admits(transfer->context, text, port)) return CURL_SOCKET_BAD;
  return socket(target->family, target->kind | SOCK_CLOEXEC | SOCK_NONBLOCK, target->protocol);
}

static size_t take_line(char *bytes, size_t size, size_t count, void *context) {
  TideHTTPTransfer *transfer = context;
  return transfer->http->events.took_line(transfer->context, bytes, size * count) ? size * count
                                                                                 : 0;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
  TideHTTPTransfer *transfer = context;
  // A call without bytes, as for an empty body, must not return an error.
  if (size * count == 0) return 0;
  switch (transfer->http->events.took_body(transfer->context, bytes, size * count)) {
    case TIDE_HTTP_GO_ON: return size * count;
    case TIDE_HTTP_HOLD_BACK: return CURL_PAUSE;
    case TIDE_HTTP_STOP: return 0;
  }
  return 0;
}

// MARK: All transfers

TideHTTP *tide_http_make(const TideHTTPEvents *events, void *context) {
  TideHTTP *http = calloc(1, sizeof *http);
  if (!http) return NULL;
  http->events = *events;
  http->context = context;
  http->poller = epoll_create1(EPOLL_CLOEXEC);
  if (http->poller >= 0) http->multi = curl.multi_init();
  if (!http->multi) {
    if (http->poller >= 0) close(http->poller);
    free(http);
    return NULL;
  }
  curl.multi_setopt(http->multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
  curl.multi_setopt(http->multi, CURLMOPT_SOCKETDATA, http);
  curl.multi_setopt(http->multi, CURLMOPT_TIMERFUNCTION, schedule);
  curl.multi_setopt(http->multi, CURLMOPT_TIMERDATA, http);
  curl.multi_setopt(http->multi, CURLMOPT_MAXCONNECTS, (long)MOST_IDLE_CONNECTIONS);
  curl.multi_setopt(http->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, (long)MOST_CONNECTIONS);
  curl.multi_setopt(http->multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)MOST_CONNECTIONS_OF_A_HOST);
  return http;
}

void tide_http_free(TideHTTP *http) {
  Quiet quiet = keep_quiet();
  for (int i = 0; i < http->idle_count; i++) curl.easy_cleanup(http->idle[i]);
  curl.multi_cleanup(http->multi);
  end_quiet(&quiet);
  close(http->poller);
  free(http);
}

int32_t tide_http_descriptor(const TideHTTP *http) { return http->poller; }

static void tell_ends(TideHTTP *http) {
  int left;
  for (struct curl_message *message; (message = curl.multi_info_read(http->multi, &left));) {
    if (message->message != CURL_IS_DONE) continue;
    TideHTTPTransfer *transfer = NULL;
    curl.easy_getinfo(message->handle, CURLINFO_PRIVATE, (char **)&transfer);
    if (!transfer) continue;
    long number = 0;
    curl.easy_getinfo(message->handle, CURLINFO_OS_ERRNO, &number);
    http->events.ended(transfer->context, message->data.code, (int32_t)number, transfer->detail);
  }
}

void tide_http_run(TideHTTP *http, bool isDue) {
  int running;
  Quiet quiet = keep_quiet();
  if (isDue) curl.multi_socket_action(http->multi, CURL_SOCKET_TIMEOUT, 0, &running);
  struct epoll_event events[MOST_EVENTS];
  int count = epoll_wait(http->poller, events, MOST_EVENTS, 0);
  for (int i = 0; i < count; i++) {
    int found = (events[i].events & EPOLLIN ? CURL_SELECT_IN : 0) |
                (events[i].events & EPOLLOUT ? CURL_SELECT_OUT : 0) |
                (events[i].events & (EPOLLERR | EPOLLHUP) ? CURL_SELECT_ERR : 0);
    curl.multi_socket_action(http->multi, events[i].data.fd, found, &running);
  }
  end_quiet(&quiet);
  tell_ends(http);
}

// MARK: One transfer

static void set_method(CURL *handle, const TideHTTPRequest *request) {
  if (strcmp(request->method, "HEAD") == 0) {
    curl.easy_setopt(handle, CURLOPT_NOBODY, 1L);
    return;
  }
  if (request->bodyCount >= 0) {
    curl.easy_setopt(handle, CURLOPT_POST, 1L);
    curl.easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, request->bodyCount);
    curl.easy_setopt(handle, CURLOPT_POSTFIELDS, request->bodyCount > 0 ? request->body : "");
  } else {
    curl.easy_setopt(handle, CURLOPT_HTTPGET, 1L);
  }
  curl.easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request->method);
}

static void set_options(TideHTTPTransfer *transfer, const TideHTTPRequest *request) {
  CURL *handle = transfer->handle;
  curl.easy_setopt(handle, CURLOPT_PRIVATE, transfer);
  curl.easy_setopt(handle, CURLOPT_ERRORBUFFER, transfer->detail);
  curl.easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl.easy_setopt(handle, CURLOPT_NOPROGRESS, 1L);
  curl.easy_setopt(handle, CURLOPT_NETRC, 0L);
  curl.easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
  curl.easy_setopt(handle, CURLOPT_HTTP09_ALLOWED, 0L);
  curl.easy_setopt(handle, CURLOPT_PROTOCOLS, (long)CURL_HTTP_AND_HTTPS);
  curl.easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_1_1);
  curl.easy_setopt(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl.easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 1L);
  curl.easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 2L);
  // A cancelled transfer does not wait for name resolution. Supported since 7.87.
  curl.easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
  curl.easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
  curl.easy_setopt(handle, CURLOPT_PROXY, request->proxy);
  curl.easy_setopt(handle, CURLOPT_NOPROXY, "");
  if (request->authorities) {
    curl.easy_setopt(handle, CURLOPT_CAINFO, request->authorities);
    curl.easy_setopt(handle, CURLOPT_CAPATH, NULL);
  }
  curl.easy_setopt(handle, CURLOPT_TIMEOUT_MS, request->milliseconds);
  curl.easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, request->connectMilliseconds);
  curl.easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_socket);
  curl.easy_setopt(handle, CURLOPT_OPENSOCKETDATA, transfer);
  curl.easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_line);
  curl.easy_setopt(handle, CURLOPT_HEADERDATA, transfer);
  curl.easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_body);
  curl.easy_setopt(handle, CURLOPT_WRITEDATA, transfer);
  curl.easy_setopt(handle, CURLOPT_HTTPHEADER, transfer->headers);
  curl.easy_setopt(handle, CURLOPT_CURLU, request->url);
  set_method(handle, request);
}

static void release(TideHTTPTransfer *transfer) {
  TideHTTP *http = transfer->http;
  if (transfer->handle) {
    curl.easy_reset(transfer->handle);
    if (http->idle_count < MOST_IDLE_HANDLES) {
      http->idle[http->idle_count++] = transfer->handle;
    } else {
      curl.easy_cleanup(transfer->handle);
    }
  }
  curl.slist_free_all(transfer->headers);
  free(transfer);
}

static bool copy_headers(TideHTTPTransfer *transfer, const char **lines) {
  for (; lines && *lines; lines++) {
    struct curl_slist *longer = curl.slist_append(transfer->headers, *lines);
    if (!longer) return false;
    transfer->headers = longer;
  }
  return true;
}

TideHTTPTransfer *tide_http_add(TideHTTP *http, const TideHTTPRequest *request, void *context) {
  TideHTTPTransfer *transfer = calloc(1, sizeof *transfer);
  if (!transfer) return NULL;
  transfer->http = http;
  transfer->context = context;
  transfer->handle = http->idle_count > 0 ? http->idle[--http->idle_count] : curl.easy_init();
  if (transfer->handle && copy_headers(transfer, request->headers)) {
    set_options(transfer, request);
    if (curl.multi_add_handle(http->multi, transfer->handle) == 0) return transfer;
  }
  release(transfer);
  return NULL;
}

void tide_http_resume(TideHTTPTransfer *transfer) {
  Quiet quiet = keep_quiet();
  curl.easy_pause(transfer->handle, CURL_CONTINUE);
  end_quiet(&quiet);
}

void tide_http_remove(TideHTTPTransfer *transfer) {
  Quiet quiet = keep_quiet();
  curl.multi_remove_handle(transfer->http->multi, transfer->handle);
  release(transfer);
  end_quiet(&quiet);
}
