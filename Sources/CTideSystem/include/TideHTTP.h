// libcurl, opened when it is first needed: its transfers on an epoll set of their own. Nothing here
// decides anything; the HTTP client in TideSystem does.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Opens the library, once for the process. Gives NULL, or why it cannot be used.
const char *_Nullable tide_http_load(void);

// MARK: Addresses (http_url.c)

/// An address as libcurl reads it, and as it will connect to it.
typedef struct TideURL TideURL;

/// What of an address is asked for: libcurl's CURLUPART_….
typedef enum TideURLPart { TIDE_URL_ALL = 0, TIDE_URL_SCHEME = 1, TIDE_URL_HOST = 5 } TideURLPart;
/// What is wrong with a text: libcurl's CURLUE_….
enum { TIDE_URL_UNSUPPORTED_SCHEME = 5 };

/// Reads an address; a relative one from another on. Gives NULL, and what is wrong with it. The
/// library must have been loaded.
TideURL *_Nullable tide_url_make(const char *text, const TideURL *_Nullable base,
                                 bool anyScheme, int32_t *failure);
void tide_url_free(TideURL *url);
/// One part, which the caller frees; or NULL.
char *_Nullable tide_url_part(TideURL *url, TideURLPart part);
/// The port, or else the usual one of its scheme if that is asked for; -1 where there is none.
int32_t tide_url_port(TideURL *url, bool orUsual);

// MARK: Transfers (http.c)

/// The transfers of one event loop, and the connections that they leave open.
typedef struct TideHTTP TideHTTP;
/// One request and its answer.
typedef struct TideHTTPTransfer TideHTTPTransfer;

/// What a function that takes a part of the body answers.
typedef enum TideHTTPAnswer { TIDE_HTTP_GO_ON, TIDE_HTTP_HOLD_BACK, TIDE_HTTP_STOP } TideHTTPAnswer;

/// Functions that are called while libcurl works. They must not call anything of this file.
typedef struct TideHTTPEvents {
  /// Have `tide_http_run` called with `isDue` after so many milliseconds; never, when negative.
  void (*schedule)(void *context, long milliseconds);
  /// Whether a connection to an address may be made.
  bool (*admits)(void *transfer, const char *address, int32_t port);
  /// A line of the head, the empty one at its end included, or of what follows a body in chunks.
  bool (*took_line)(void *transfer, const char *bytes, size_t count);
  TideHTTPAnswer (*took_body)(void *transfer, const char *bytes, size_t count);
  /// It has ended, with libcurl's CURLcode, the system's error number if that was the cause, and
  /// more words, which may be empty. It must be removed later.
  void (*ended)(void *transfer, int32_t code, int32_t number, const char *detail);
} TideHTTPEvents;

/// A request. All of it is copied, but for the body and the address.
typedef struct TideHTTPRequest {
  TideURL *url;
  const char *method;
  const char *_Nullable *_Nullable headers;  // lines without an end; NULL at the end
  const void *_Nullable body;             // stays where it is until the transfer is removed
  int64_t bodyCount;                      // -1 without a body
  const char *proxy;                      // empty for none
  const char *_Nullable authorities;      // a file of certificates in place of the system's
  long milliseconds, connectMilliseconds;  // 0 for no limit
} TideHTTPRequest;

/// NULL where memory or descriptors are lacking.
TideHTTP *_Nullable tide_http_make(const TideHTTPEvents *events, void *context);
/// Closes all connections. Its transfers must have been removed.
void tide_http_free(TideHTTP *http);
/// Readable when `tide_http_run` has something to do.
int32_t tide_http_descriptor(const TideHTTP *http);
/// Does what can be done without waiting.
void tide_http_run(TideHTTP *http, bool isDue);

/// NULL where memory is lacking.
TideHTTPTransfer *_Nullable tide_http_add(TideHTTP *http, const TideHTTPRequest *request,
                                          void *transfer);
/// Goes on with a body that was held back.
void tide_http_resume(TideHTTPTransfer *transfer);
/// Ends a transfer, finished or not.
void tide_http_remove(TideHTTPTransfer *transfer);

#pragma clang assume_nonnull end
