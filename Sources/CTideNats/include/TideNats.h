// A connection to a NATS server by libnats, which is opened when it is needed.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Opens the library, once. NULL, or why that is not possible.
const char *tide_nats_load(void);

typedef struct TideNats TideNats;

typedef enum TideNatsEvent {
  TideNatsConnected,
  TideNatsDisconnected,
  TideNatsClosed,
  TideNatsFailed,
} TideNatsEvent;

/// Strings that are NULL say nothing.
typedef struct TideNatsOptions {
  const char *servers;  // one URL or more, with commas between
  const char *name;
  const char *user, *password, *token;
  const char *credentials;               // a file
  const char *authorities;               // a file of certificates; NULL: the system's
  const char *certificate, *privateKey;  // files of one's own
  bool isSecure;
} TideNatsOptions;

/// A message, good until the function that gets it returns.
typedef struct TideNatsMessage {
  const char *subject;
  const char *reply;  // NULL for none
  const char *data;
  size_t length;
  const char *status;     // NULL for an ordinary message
  const char *operation;  // of a bucket: "DEL", "PURGE", or NULL
  const char *stalled;    // whom to answer so that messages go on; NULL for nobody
  const char *lastOrder;  // of a heartbeat: the number of the consumer's last message
} TideNatsMessage;

/// Called on threads of the library's.
typedef struct TideNatsHost {
  void *context;
  void (*message)(void *context, const TideNatsMessage *message);
  void (*event)(void *context, TideNatsEvent event, const char *text);
} TideNatsHost;

/// Connects, and connects again when the connection breaks, until it is closed. Waits for the server, for
/// two seconds at most. NULL where there is none or it refuses; then `reason` says why.
TideNats *tide_nats_connect(
  const TideNatsOptions *options, TideNatsHost host, char *reason, size_t room);
typedef struct TideNatsSubscription TideNatsSubscription;

/// Has messages of a subject come to the host, until it is ended; NULL where that fails, with a `reason`.
TideNatsSubscription *tide_nats_subscribe(
  TideNats *nats, const char *subject, char *reason, size_t room);
/// Ends it, before the connection is closed.
void tide_nats_unsubscribe(TideNatsSubscription *subscription);

/// What is published beside the bytes.
typedef struct TideNatsHeaders {
  int64_t expectedRevision;  // -1: whatever there is
  bool isRemoval;
} TideNatsHeaders;

/// Publishes; a failure's text, or NULL.
const char *tide_nats_publish(
  TideNats *nats, const char *subject, const char *reply, const char *data, size_t length,
  const TideNatsHeaders *headers);

/// The most bytes of one message.
int64_t tide_nats_most_bytes(TideNats *nats);
/// Waits for what was published to reach the server, for some milliseconds at most.
void tide_nats_flush(TideNats *nats, int64_t milliseconds);
/// Ends the connection. No function of the host's is called any more when it returns.
void tide_nats_close(TideNats *nats);
