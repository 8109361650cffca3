// The part of libcurl's stable ABI that is used here: constants and types from its headers, so that
// the headers are not needed to build. `tide_http_load` finds the functions.
#pragma once

#include <stdbool.h>
#include <sys/socket.h>

typedef struct CURL CURL;
typedef struct CURLM CURLM;
typedef struct CURLU CURLU;

struct curl_slist {
  char *data;
  struct curl_slist *next;
};

/// `struct curl_sockaddr`; the actual address may be longer than declared.
struct curl_address {
  int family, kind, protocol;
  unsigned int length;
  struct sockaddr address;
};

/// `struct CURLMsg`
struct curl_message {
  int message;
  CURL *handle;
  union {
    void *anything;
    int code;
  } data;
};

enum { CURL_ALL = 3, CURL_IS_DONE = 1 };
enum { CURL_SOCKET_TIMEOUT = -1, CURL_SOCKET_BAD = -1 };
enum { CURL_POLL_IN = 1, CURL_POLL_OUT = 2, CURL_POLL_REMOVE = 4 };
enum { CURL_SELECT_IN = 1, CURL_SELECT_OUT = 2, CURL_SELECT_ERR = 4 };
enum { CURL_ERROR_SIZE = 256, CURL_PAUSE = 0x10000001, CURL_CONTINUE = 0 };
enum { CURL_HTTP_AND_HTTPS = 3, CURL_HTTP_1_1 = 2 };
enum { CURLU_DEFAULT_PORT = 1, CURLU_NON_SUPPORT_SCHEME = 8, CURLUPART_PORT = 6 };

enum {
  CURLMOPT_MAXCONNECTS = 6,
  CURLMOPT_MAX_HOST_CONNECTIONS = 7,
  CURLMOPT_MAX_TOTAL_CONNECTIONS = 13,
  CURLMOPT_SOCKETDATA = 10002,
  CURLMOPT_TIMERDATA = 10005,
  CURLMOPT_SOCKETFUNCTION = 20001,
  CURLMOPT_TIMERFUNCTION = 20004,
};

enum { CURLINFO_PRIVATE = 0x100000 + 21, CURLINFO_OS_ERRNO = 0x200000 + 25 };

enum {
  CURLOPT_NOPROGRESS = 43,
  CURLOPT_NOBODY = 44,
  CURLOPT_POST = 47,
  CURLOPT_NETRC = 51,
  CURLOPT_FOLLOWLOCATION = 52,
  CURLOPT_HTTPGET = 80,
  CURLOPT_SSL_VERIFYPEER = 64,
  CURLOPT_SSL_VERIFYHOST = 81,
  CURLOPT_HTTP_VERSION = 84,
  CURLOPT_NOSIGNAL = 99,
  CURLOPT_TIMEOUT_MS = 155,
  CURLOPT_CONNECTTIMEOUT_MS = 156,
  CURLOPT_PROTOCOLS = 181,
  CURLOPT_SUPPRESS_CONNECT_HEADERS = 265,
  CURLOPT_HTTP09_ALLOWED = 285,
  CURLOPT_QUICK_EXIT = 322,
  CURLOPT_WRITEDATA = 10001,
  CURLOPT_PROXY = 10004,
  CURLOPT_ERRORBUFFER = 10010,
  CURLOPT_POSTFIELDS = 10015,
  CURLOPT_HTTPHEADER = 10023,
  CURLOPT_HEADERDATA = 10029,
  CURLOPT_CUSTOMREQUEST = 10036,
  CURLOPT_CAINFO = 10065,
  CURLOPT_CAPATH = 10097,
  CURLOPT_ACCEPT_ENCODING = 10102,
  CURLOPT_PRIVATE = 10103,
  CURLOPT_OPENSOCKETDATA = 10164,
  CURLOPT_NOPROXY = 10177,
  CURLOPT_CURLU = 10282,
  CURLOPT_WRITEFUNCTION = 20011,
  CURLOPT_HEADERFUNCTION = 20079,
  CURLOPT_OPENSOCKETFUNCTION = 20163,
  CURLOPT_POSTFIELDSIZE_LARGE = 30120,
};

/// The library's functions by name.
#define CURL_FUNCTIONS(DO)                                                    \
  DO(int, global_init, (long))                                                \
  DO(struct curl_slist *, slist_append, (struct curl_slist *, const char *))  \
  DO(void, slist_free_all, (struct curl_slist *))                             \
  DO(void, free, (void *))                                                    \
  DO(CURL *, easy_init, (void))                                               \
  DO(void, easy_reset, (CURL *))                                              \
  DO(void, easy_cleanup, (CURL *))                                            \
  DO(int, easy_setopt, (CURL *, int, ...))                                    \
  DO(int, easy_getinfo, (CURL *, int, ...))                                   \
  DO(int, easy_pause, (CURL *, int))                                          \
  DO(CURLM *, multi_init, (void))                                             \
  DO(int, multi_cleanup, (CURLM *))                                           \
  DO(int, multi_setopt, (CURLM *, int, ...))                                  \
  DO(int, multi_add_handle, (CURLM *, CURL *))                                \
  DO(int, multi_remove_handle, (CURLM *, CURL *))                             \
  DO(int, multi_socket_action, (CURLM *, int, int, int *))                    \
  DO(struct curl_message *, multi_info_read, (CURLM *, int *))                \
  DO(CURLU *, url, (void))                                                    \
  DO(void, url_cleanup, (CURLU *))                                            \
  DO(CURLU *, url_dup, (const CURLU *))                                       \
  DO(int, url_set, (CURLU *, int, const char *, unsigned int))                \
  DO(int, url_get, (const CURLU *, int, char **, unsigned int))

#define CURL_DECLARE(result, name, parameters) result(*name) parameters;
struct curl_functions {
  CURL_FUNCTIONS(CURL_DECLARE)
};
extern struct curl_functions curl;
