// The part of libnats' stable interface that is used here: its types, so that its headers are not
// needed to build.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct natsOptions natsOptions;
typedef struct natsConnection natsConnection;
typedef struct natsSubscription natsSubscription;
typedef struct natsMsg natsMsg;

enum { NATS_SUCCESS = 0 };

typedef void (*ConnectionHandler)(natsConnection *, void *);
typedef void (*ErrorHandler)(natsConnection *, natsSubscription *, int, void *);
typedef void (*MessageHandler)(natsConnection *, natsSubscription *, natsMsg *, void *);

/// The library's functions: result, name and parameters.
#define NATS_FUNCTIONS(DO)                                                                   \
  DO(const char *, natsStatus_GetText, (int))                                                \
  DO(const char *, nats_GetLastError, (int *))                                               \
  DO(int, natsOptions_Create, (natsOptions **))                                              \
  DO(void, natsOptions_Destroy, (natsOptions *))                                             \
  DO(int, natsOptions_SetServers, (natsOptions *, const char **, int))                       \
  DO(int, natsOptions_SetName, (natsOptions *, const char *))                                \
  DO(int, natsOptions_SetUserInfo, (natsOptions *, const char *, const char *))              \
  DO(int, natsOptions_SetToken, (natsOptions *, const char *))                               \
  DO(int, natsOptions_SetUserCredentialsFromFiles, (natsOptions *, const char *, const char *)) \
  DO(int, natsOptions_SetSecure, (natsOptions *, bool))                                      \
  DO(int, natsOptions_LoadCATrustedCertificates, (natsOptions *, const char *))              \
  DO(int, natsOptions_LoadCertificatesChain, (natsOptions *, const char *, const char *))    \
  DO(int, natsOptions_SetMaxReconnect, (natsOptions *, int))                                 \
  DO(int, natsOptions_SetReconnectWait, (natsOptions *, int64_t))                            \
  DO(int, natsOptions_SetReconnectJitter, (natsOptions *, int64_t, int64_t))                 \
  DO(int, natsOptions_SetPingInterval, (natsOptions *, int64_t))                             \
  DO(int, natsOptions_SetMaxPingsOut, (natsOptions *, int))                                  \
  DO(int, natsOptions_SetIgnoreDiscoveredServers, (natsOptions *, bool))                     \
  DO(int, natsOptions_SetTimeout, (natsOptions *, int64_t))                                  \
  DO(int, natsOptions_UseGlobalMessageDelivery, (natsOptions *, bool))                       \
  DO(int, natsOptions_SetDisconnectedCB, (natsOptions *, ConnectionHandler, void *))         \
  DO(int, natsOptions_SetReconnectedCB, (natsOptions *, ConnectionHandler, void *))          \
  DO(int, natsOptions_SetClosedCB, (natsOptions *, ConnectionHandler, void *))               \
  DO(int, natsOptions_SetErrorHandler, (natsOptions *, ErrorHandler, void *))                \
  DO(int, natsConnection_Connect, (natsConnection **, natsOptions *))                        \
  DO(int, natsConnection_GetLastError, (natsConnection *, const char **))                    \
  DO(int, natsConnection_PublishMsg, (natsConnection *, natsMsg *))                          \
  DO(int, natsConnection_Subscribe,                                                          \
     (natsSubscription **, natsConnection *, const char *, MessageHandler, void *))          \
  DO(int, natsSubscription_SetPendingLimits, (natsSubscription *, int, int))                 \
  DO(int, natsSubscription_SetOnCompleteCB, (natsSubscription *, void (*)(void *), void *))  \
  DO(void, natsSubscription_Destroy, (natsSubscription *))                                   \
  DO(int64_t, natsConnection_GetMaxPayload, (natsConnection *))                              \
  DO(int, natsConnection_FlushTimeout, (natsConnection *, int64_t))                          \
  DO(void, natsConnection_Close, (natsConnection *))                                         \
  DO(void, natsConnection_Destroy, (natsConnection *))                                       \
  DO(int, natsMsg_Create, (natsMsg **, const char *, const char *, const char *, int))       \
  DO(void, natsMsg_Destroy, (natsMsg *))                                                     \
  DO(const char *, natsMsg_GetSubject, (const natsMsg *))                                    \
  DO(const char *, natsMsg_GetReply, (const natsMsg *))                                      \
  DO(const char *, natsMsg_GetData, (const natsMsg *))                                       \
  DO(int, natsMsg_GetDataLength, (const natsMsg *))                                          \
  DO(int, natsMsgHeader_Set, (natsMsg *, const char *, const char *))                        \
  DO(int, natsMsgHeader_Get, (natsMsg *, const char *, const char **))

#define NATS_DECLARE(result, name, parameters) result(*name) parameters;
struct nats_functions {
  NATS_FUNCTIONS(NATS_DECLARE)
};
