#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "CTideSystem.h"

// A few threads for what may take its time. They are ours, because those of the system's pool look
// around in /proc, which a confined process may not read. One that has had nothing to do for a while
// ends.

enum { MOST_WORKERS = 4, PATIENCE = 10 };  // seconds

struct job {
  struct job *next;
  void (*body)(void *);
  void *context;
};

static struct {
  pthread_mutex_t mutex;
  pthread_cond_t arrival;
  struct job *first, **last;
  int workers, idle;
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER, .arrival = PTHREAD_COND_INITIALIZER};

static struct job *take(void) {
  struct job *job = pool.first;
  if (!job) return NULL;
  pool.first = job->next;
  if (!pool.first) pool.last = &pool.first;
  return job;
}

static void *work(void *unused) {
  pthread_mutex_lock(&pool.mutex);
  for (;;) {
    struct job *job = take();
    if (job) {
      pthread_mutex_unlock(&pool.mutex);
      job->body(job->context);
      free(job);
      pthread_mutex_lock(&pool.mutex);
      continue;
    }
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    pool.idle++;
    int failure = pthread_cond_timedwait(&pool.arrival, &pool.mutex, &until);
    pool.idle--;
    if (failure && !pool.first) break;
  }
  pool.workers--;
  pthread_mutex_unlock(&pool.mutex);
  return unused;
}

/// Starts another thread; false where the system refuses.
static bool start(void) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // Signals are for the threads that run scripts.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pthread_t thread;
  bool is_started = pthread_create(&thread, &attributes, work, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return is_started;
}

int32_t tide_work(void (*body)(void *), void *context) {
  struct job *job = malloc(sizeof *job);
  if (!job) return ENOMEM;
  *job = (struct job){.body = body, .context = context};
  pthread_mutex_lock(&pool.mutex);
  if (!pool.last) pool.last = &pool.first;
  int failure = 0;
  if (pool.idle == 0 && pool.workers < MOST_WORKERS) {
    if (start())
      pool.workers++;
    else if (pool.workers == 0)
      failure = EAGAIN;
  }
  if (!failure) {
    *pool.last = job;
    pool.last = &job->next;
    pthread_cond_signal(&pool.arrival);
  }
  pthread_mutex_unlock(&pool.mutex);
  if (failure) free(job);
  return failure;
}
