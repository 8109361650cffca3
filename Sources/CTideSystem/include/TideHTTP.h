// A wrapper for libcurl, which is loaded on first use. Its transfers use their own epoll set. All
// decisions are made by the HTTP client in TideSystem.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Loads the library, once per process. Returns NULL, or the reason why it cannot be used.
const char *_Nullable tide_http_load(void);

// MARK: Addresses (http_url.c)

/// A URL as parsed by libcurl, which will connect to it.
typedef struct TideURL TideURL;

/// Parts of a URL: libcurl's CURLUPART_….
typedef enum TideURLPart { TIDE_URL_ALL = 0, TIDE_URL_SCHEME = 1, TIDE_URL_HOST = 5 } TideURLPart;
/// Errors in a URL: libcurl's CURLUE_….
enum { TIDE_URL_UNSUPPORTED_SCHEME = 5 };

/// Parses a URL; a relative one is resolved against the base. Returns NULL on failure, with an
/// error. The library must have been loaded.
TideURL *_Nullable tide_url_make(const char *text, const TideURL *_Nullable base,
                                 bool anyScheme, int32_t *failure);
void tide_url_free(TideURL *url);
/// One part of a URL, which the caller frees; or NULL.
char *_Nullable tide_url_part(TideURL *url, TideURLPart part);
/// The port, or the scheme's default port if requested; -1 if there is none.
int32_t tide_url_port(TideURL *url, bool orUsual);

// MARK: Transfers (http.c)

/// The transfers of one event loop, and the connections that they leave open.
typedef struct TideHTTP TideHTTP;
/// One request and its response.
typedef struct TideHTTPTransfer TideHTTPTransfer;

/// The result of a function that receives a part of the body.
typedef enum TideHTTPAnswer { TIDE_HTTP_GO_ON, TIDE_HTTP_HOLD_BACK, TIDE_HTTP_STOP } TideHTTPAnswer;

/// Functions called while libcurl is running. They must not call any function of this file.
typedef struct TideHTTPEvents {
  /// Schedules a call of `tide_http_run` with `isDue` after some milliseconds; negative cancels it.
  void (*schedule)(void *context, long milliseconds);
  /// Whether a connection to an address is allowed.
  bool (*admits)(void *transfer, const char *address, int32_t port);
  /// Receives a line of the head, including the empty line at its end, or of the trailers of a
  /// chunked body.
  bool (*took_line)(void *transfer, const char *bytes, size_t count);
  TideHTTPAnswer (*took_body)(void *transfer, const char *bytes, size_t count);
  /// Called at the end, with libcurl's CURLcode, the system's error number if it was the cause, and
  /// details, which may be empty. The transfer must be removed later.
  void (*ended)(void *transfer, int32_t code, int32_t number, const char *detail);
} TideHTTPEvents;

/// A request. Everything except the body and the URL is copied.
typedef struct TideHTTPRequest {
  TideURL *url;
  const char *method;
  const char *_Nullable *_Nullable headers;  // lines without an end; NULL at the end
  const void *_Nullable body;             // must stay valid until the transfer is removed
  int64_t bodyCount;                      // -1 without a body
  const char *proxy;                      // empty for none
  const char *_Nullable authorities;      // a file of certificates in place of the system's
  long milliseconds, connectMilliseconds;  // 0 for no limit
} TideHTTPRequest;

/// NULL if memory or descriptors are exhausted.
TideHTTP *_Nullable tide_http_make(const TideHTTPEvents *events, void *context);
/// Closes all connections. Its transfers must have been removed.
void tide_http_free(TideHTTP *http);
/// The descriptor that is readable when `tide_http_run` has work.
int32_t tide_http_descriptor(const TideHTTP *http);
/// Does all work that is possible without waiting.
void tide_http_run(TideHTTP *http, bool isDue);

/// NULL if memory is exhausted.
TideHTTPTransfer *_Nullable tide_http_add(TideHTTP *http, const TideHTTPRequest *request,
                                          void *transfer);
/// Resumes a body that was held back.
void tide_http_resume(TideHTTPTransfer *transfer);
/// Removes a transfer, finished or not.
void tide_http_remove(TideHTTPTransfer *transfer);

#pragma clang assume_nonnull end
