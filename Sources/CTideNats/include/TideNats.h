// A connection to a NATS server by libnats, which is loaded on first use.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads the library, once per process. Returns NULL, or the reason why that fails.
const char *tide_nats_load(void);

typedef struct TideNats TideNats;

typedef enum TideNatsEvent {
  TideNatsConnected,
  TideNatsDisconnected,
  TideNatsClosed,
  TideNatsFailed,
} TideNatsEvent;

/// A string that is NULL stands for no value.
typedef struct TideNatsOptions {
  const char *servers;  // one or more URLs, separated by commas
  const char *name;
  const char *user, *password, *token;
  const char *credentials;               // a file
  const char *authorities;               // a file of certificates; NULL: the system's
  const char *certificate, *privateKey;  // files of the client
  bool isSecure;
} TideNatsOptions;

/// A message, valid until the function that receives it returns.
typedef struct TideNatsMessage {
  const char *subject;
  const char *reply;  // NULL for none
  const char *data;
  size_t length;
  const char *status;     // NULL for an ordinary message
  const char *operation;  // in a bucket: "DEL", "PURGE", or NULL
  const char *stalled;    // the subject to answer before messages continue; or NULL
  const char *lastOrder;  // in a heartbeat: the number of the consumer's last message
} TideNatsMessage;

/// Functions that the library's threads call.
typedef struct TideNatsHost {
  void *context;
  void (*message)(void *context, const TideNatsMessage *message);
  void (*event)(void *context, TideNatsEvent event, const char *text);
} TideNatsHost;

/// Connects, and waits for the server for at most two seconds. The connection is restored after
/// interruptions until it is closed. Returns NULL with a `reason` if there is no server or it
/// refuses.
TideNats *tide_nats_connect(
  const TideNatsOptions *options, TideNatsHost host, char *reason, size_t room);
typedef struct TideNatsSubscription TideNatsSubscription;

/// Subscribes to a subject, whose messages the host receives. Returns NULL with a `reason` on
/// failure.
TideNatsSubscription *tide_nats_subscribe(
  TideNats *nats, const char *subject, char *reason, size_t room);
/// Ends a subscription. Call it before the connection is closed.
void tide_nats_unsubscribe(TideNatsSubscription *subscription);

/// The headers of a published message.
typedef struct TideNatsHeaders {
  int64_t expectedRevision;  // -1: any
  bool isRemoval;
} TideNatsHeaders;

/// Publishes a message. Returns NULL, or the reason of the failure.
const char *tide_nats_publish(
  TideNats *nats, const char *subject, const char *reply, const char *data, size_t length,
  const TideNatsHeaders *headers);

/// The most bytes of one message.
int64_t tide_nats_most_bytes(TideNats *nats);
/// Waits until published messages have reached the server, with a timeout in milliseconds.
void tide_nats_flush(TideNats *nats, int64_t milliseconds);
/// Ends the connection. None of the host's functions is called after it has returned.
void tide_nats_close(TideNats *nats);
