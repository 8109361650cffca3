// libnats by itself: writes to a thousand keys, each with the revision that it had, in rounds; confirmed.
#include <Measure.h>
#include <nats/nats.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEYS = 1000, ROUNDS = 60, PORT = 14931 };

static atomic_long confirmed, refused;
static atomic_ulong revisions[KEYS];

static void came(natsConnection *nc, natsSubscription *sub, natsMsg *message, void *closure) {
  (void)nc, (void)sub, (void)closure;
  const char *subject = natsMsg_GetSubject(message), *data = natsMsg_GetData(message);
  long key = atol(strrchr(subject, '.') + 1);
  const char *sequence = strstr(data, "\"seq\":");
  if (strstr(data, "\"error\"") || !sequence) atomic_fetch_add(&refused, 1);
  else atomic_store(&revisions[key], strtoul(sequence + 6, NULL, 10));
  atomic_fetch_add(&confirmed, 1);
  natsMsg_Destroy(message);
}

static void write_all(natsConnection *connection, int round) {
  for (int key = 0; key < KEYS; key++) {
    char subject[64], reply[64], base[32], value[128];
    snprintf(subject, sizeof subject, "$KV.bench.board.cards.%d", key);
    snprintf(reply, sizeof reply, "bench.acks.%d", key);
    snprintf(base, sizeof base, "%lu", atomic_load(&revisions[key]));
    memset(value, 'x', sizeof value);
    snprintf(value, 32, "%d", round);
    natsMsg *message = NULL;
    measure_check(natsMsg_Create(&message, subject, reply, value, sizeof value) == NATS_OK, "message");
    natsMsgHeader_Set(message, "Nats-Expected-Last-Subject-Sequence", base);
    measure_check(natsConnection_PublishMsg(connection, message) == NATS_OK, "publish");
    natsMsg_Destroy(message);
  }
}

int main(int argc, char **argv) {
  (void)argc, (void)argv;
  char folder[] = "/tmp/tidelock-nats-XXXXXX", port[16], url[64], command[128];
  measure_check(mkdtemp(folder) != NULL, "folder");
  snprintf(port, sizeof port, "%d", PORT);
  snprintf(url, sizeof url, "nats://127.0.0.1:%d", PORT);
  pid_t server = fork();
  if (server == 0) {
    fclose(stderr);
    execl("/usr/sbin/nats-server", "nats-server", "-js", "-a", "127.0.0.1", "-p", port, "-sd", folder,
          (char *)NULL);
    _exit(1);
  }
  natsConnection *connection = NULL;
  for (int i = 0; i < 200 && natsConnection_ConnectTo(&connection, url) != NATS_OK; i++) usleep(20000);
  measure_check(connection != NULL, "connection");
  jsCtx *stream = NULL;
  kvStore *bucket = NULL;
  kvConfig config;
  kvConfig_Init(&config);
  config.Bucket = "bench";
  config.History = 1;
  measure_check(natsConnection_JetStream(&stream, connection, NULL) == NATS_OK, "JetStream");
  measure_check(js_CreateKeyValue(&bucket, stream, &config) == NATS_OK, "bucket");
  natsSubscription *acks = NULL;
  natsConnection_Subscribe(&acks, connection, "bench.acks.*", came, NULL);
  double start = measure_now();
  for (int round = 0; round < ROUNDS; round++) {
    write_all(connection, round);
    // A key has one write under way at a time.
    while (atomic_load(&confirmed) < (long)(round + 1) * KEYS) usleep(50);
  }
  double seconds = (measure_now() - start) / 1e9;
  measure_check(atomic_load(&refused) == 0, "a write was refused");
  measure_report("writes", ROUNDS * KEYS / seconds);
  natsConnection_Destroy(connection);
  kill(server, SIGKILL);
  waitpid(server, NULL, 0);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}
