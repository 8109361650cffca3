#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "TideNats.h"
#include "library.h"

static struct nats_functions nats;

// MARK: Opening the library

static char reason_of_load[512];
static bool is_loaded;

static void load(void) {
  // The names in Debian 12 and 13, in Ubuntu, and of a build from source.
  static const char *const names[] = {
    "libnats.so.3.4", "libnats.so.3.10", "libnats.so.3.7", "libnats.so.3.9", "libnats.so",
  };
  void *library = NULL;
  for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(reason_of_load, sizeof reason_of_load, "%s", dlerror());
    return;
  }
#define NATS_FIND(result, name, parameters)                                              \
  if (!(nats.name = (result(*) parameters)dlsym(library, #name))) {                      \
    snprintf(reason_of_load, sizeof reason_of_load, "it is too old: " #name " is missing"); \
    return;                                                                              \
  }
  NATS_FUNCTIONS(NATS_FIND)
  is_loaded = true;
}

const char *tide_nats_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded ? NULL : reason_of_load;
}

// MARK: Connection

struct TideNats {
  natsConnection *connection;
  TideNatsHost host;
  // The library's threads may call until it has reported the connection as closed.
  pthread_mutex_t lock;
  pthread_cond_t ended;
  bool isClosed;
  int subscriptions;
};

static void tell(TideNats *it, TideNatsEvent event, natsConnection *connection) {
  const char *text = NULL;
  if (connection) nats.natsConnection_GetLastError(connection, &text);
  it->host.event(it->host.context, event, text ? text : "");
}

static void connected(natsConnection *connection, void *closure) {
  (void)connection;
  tell(closure, TideNatsConnected, NULL);
}

static void disconnected(natsConnection *connection, void *closure) {
  tell(closure, TideNatsDisconnected, connection);
}

static void closed(natsConnection *connection, void *closure) {
  TideNats *it = closure;
  tell(it, TideNatsClosed, connection);
  pthread_mutex_lock(&it->lock);
  it->isClosed = true;
  pthread_cond_broadcast(&it->ended);
  pthread_mutex_unlock(&it->lock);
}

static void count(TideNats *it, int difference) {
  pthread_mutex_lock(&it->lock);
  it->subscriptions += difference;
  pthread_cond_broadcast(&it->ended);
  pthread_mutex_unlock(&it->lock);
}

static void completed(void *closure) { count(closure, -1); }

static void failed(natsConnection *connection, natsSubscription *subscription, int status,
                   void *closure) {
  (void)subscription;
  TideNats *it = closure;
  const char *text = NULL;
  nats.natsConnection_GetLastError(connection, &text);
  if (!text || !*text) text = nats.natsStatus_GetText(status);
  it->host.event(it->host.context, TideNatsFailed, text ? text : "");
}

static const char *header(natsMsg *message, const char *name) {
  const char *value = NULL;
  return nats.natsMsgHeader_Get(message, name, &value) == NATS_SUCCESS ? value : NULL;
}

static void came(natsConnection *connection, natsSubscription *subscription, natsMsg *message,
                 void *closure) {
  (void)connection;
  (void)subscription;
  TideNats *it = closure;
  TideNatsMessage view = {
    .subject = nats.natsMsg_GetSubject(message),
    .reply = nats.natsMsg_GetReply(message),
    .data = nats.natsMsg_GetData(message),
    .length = (size_t)nats.natsMsg_GetDataLength(message),
    .status = header(message, "Status"),
    .operation = header(message, "KV-Operation"),
    .stalled = header(message, "Nats-Consumer-Stalled"),
    .lastOrder = header(message, "Nats-Last-Consumer"),
  };
  it->host.message(it->host.context, &view);
  nats.natsMsg_Destroy(message);
}

static const char *text_of(int status) {
  const char *text = nats.nats_GetLastError(NULL);
  if (!text || !*text) text = nats.natsStatus_GetText(status);
  return text ? text : "it has failed";
}

/// Sets the servers of a comma-separated text.
static int set_servers(natsOptions *options, const char *text) {
  enum { MOST = 64 };
  const char *servers[MOST];
  char *copy = strdup(text), *rest = copy;
  if (!copy) return -1;
  int count = 0;
  for (char *part; count < MOST && (part = strsep(&rest, ","));) {
    if (*part) servers[count++] = part;
  }
  int status = nats.natsOptions_SetServers(options, servers, count);
  free(copy);
  return status;
}

static int set(natsOptions *options, const TideNatsOptions *wanted, TideNats *it) {
  int status = set_servers(options, wanted->servers);
#define TRY(call) \
  if (status == NATS_SUCCESS) status = nats.call
  if (wanted->name) TRY(natsOptions_SetName(options, wanted->name));
  if (wanted->user) TRY(natsOptions_SetUserInfo(options, wanted->user, wanted->password));
  if (wanted->token) TRY(natsOptions_SetToken(options, wanted->token));
  if (wanted->credentials)
    TRY(natsOptions_SetUserCredentialsFromFiles(options, wanted->credentials, NULL));
  if (wanted->isSecure) TRY(natsOptions_SetSecure(options, true));
  if (wanted->authorities)
    TRY(natsOptions_LoadCATrustedCertificates(options, wanted->authorities));
  if (wanted->certificate)
    TRY(natsOptions_LoadCertificatesChain(options, wanted->certificate, wanted->privateKey));
  TRY(natsOptions_SetMaxReconnect(options, -1));
  TRY(natsOptions_SetReconnectWait(options, 250));
  TRY(natsOptions_SetReconnectJitter(options, 100, 250));
  TRY(natsOptions_SetTimeout(options, 2000));
  // Only the named servers may be connected to.
  TRY(natsOptions_SetIgnoreDiscoveredServers(options, true));
  // One thread delivers the messages of all subscriptions.
  TRY(natsOptions_UseGlobalMessageDelivery(options, true));
  // A dead connection is detected after four seconds.
  TRY(natsOptions_SetPingInterval(options, 2000));
  TRY(natsOptions_SetMaxPingsOut(options, 1));
  TRY(natsOptions_SetDisconnectedCB(options, disconnected, it));
  TRY(natsOptions_SetReconnectedCB(options, connected, it));
  TRY(natsOptions_SetClosedCB(options, closed, it));
  TRY(natsOptions_SetErrorHandler(options, failed, it));
#undef TRY
  return status;
}

TideNats *tide_nats_connect(const TideNatsOptions *wanted, TideNatsHost host, char *reason,
                            size_t room) {
  TideNats *it = calloc(1, sizeof *it);
  natsOptions *options = NULL;
  if (!it || nats.natsOptions_Create(&options) != NATS_SUCCESS) {
    snprintf(reason, room, "there is no memory");
    free(it);
    return NULL;
  }
  it->host = host;
  pthread_mutex_init(&it->lock, NULL);
  pthread_cond_init(&it->ended, NULL);
  int status = set(options, wanted, it);
  if (status == NATS_SUCCESS) status = nats.natsConnection_Connect(&it->connection, options);
  if (status != NATS_SUCCESS) snprintf(reason, room, "%s", text_of(status));
  nats.natsOptions_Destroy(options);
  if (status == NATS_SUCCESS) {
    tell(it, TideNatsConnected, NULL);
    return it;
  }
  pthread_cond_destroy(&it->ended);
  pthread_mutex_destroy(&it->lock);
  free(it);
  return NULL;
}

TideNatsSubscription *tide_nats_subscribe(TideNats *it, const char *subject, char *reason,
                                          size_t room) {
  natsSubscription *made = NULL;
  int status = nats.natsConnection_Subscribe(&made, it->connection, subject, came, it);
  if (status != NATS_SUCCESS) {
    snprintf(reason, room, "%s", text_of(status));
    return NULL;
  }
  if (nats.natsSubscription_SetOnCompleteCB(made, completed, it) == NATS_SUCCESS) count(it, 1);
  // The limits are unneeded: the server holds back messages until earlier ones are answered.
  nats.natsSubscription_SetPendingLimits(made, -1, -1);
  return (TideNatsSubscription *)made;
}

void tide_nats_unsubscribe(TideNatsSubscription *subscription) {
  nats.natsSubscription_Destroy((natsSubscription *)subscription);
}

const char *tide_nats_publish(TideNats *it, const char *subject, const char *reply,
                              const char *data, size_t length, const TideNatsHeaders *headers) {
  if (length > INT32_MAX) return "the message is too large";
  natsMsg *message = NULL;
  int status = nats.natsMsg_Create(&message, subject, reply, data, (int)length);
  if (status == NATS_SUCCESS && headers && headers->expectedRevision >= 0) {
    char number[24];
    snprintf(number, sizeof number, "%lld", (long long)headers->expectedRevision);
    status = nats.natsMsgHeader_Set(message, "Nats-Expected-Last-Subject-Sequence", number);
  }
  if (status == NATS_SUCCESS && headers && headers->isRemoval)
    status = nats.natsMsgHeader_Set(message, "KV-Operation", "DEL");
  if (status == NATS_SUCCESS) status = nats.natsConnection_PublishMsg(it->connection, message);
  nats.natsMsg_Destroy(message);
  return status == NATS_SUCCESS ? NULL : text_of(status);
}

int64_t tide_nats_most_bytes(TideNats *it) {
  return nats.natsConnection_GetMaxPayload(it->connection);
}

void tide_nats_flush(TideNats *it, int64_t milliseconds) {
  nats.natsConnection_FlushTimeout(it->connection, milliseconds);
}

void tide_nats_close(TideNats *it) {
  nats.natsConnection_Close(it->connection);
  pthread_mutex_lock(&it->lock);
  while (!it->isClosed || it->subscriptions > 0) pthread_cond_wait(&it->ended, &it->lock);
  pthread_mutex_unlock(&it->lock);
  nats.natsConnection_Destroy(it->connection);
  pthread_cond_destroy(&it->ended);
  pthread_mutex_destroy(&it->lock);
  free(it);
}
