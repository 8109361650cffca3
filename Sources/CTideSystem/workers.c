#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "CTideSystem.h"

// A small thread pool for operations that may block. The system's pool is not used because it reads
// /proc, which a confined process may not. A thread that has been idle for a while ends.
//
// Jobs wait in two lanes. Jobs that may take long, such as a statement that waits for a database
// lock, never occupy all threads, so short reads can still proceed.
//
//     posted ──▶ lane "short" ──▶ at most 4 run ─┐
//     posted ──▶ lane "long"  ──▶ at most 4 run ─┴──▶ threads, 8 at most

enum { LANES = 2, MOST_RUNNING = 4, MOST_WORKERS = LANES * MOST_RUNNING, PATIENCE = 10 };  // seconds

struct job {
  struct job *next;
  void (*body)(void *);
  void *context;
};

struct lane {
  struct job *first, **last;
  int waiting, running;
};

static struct {
  pthread_mutex_t mutex;
  pthread_cond_t arrival;
  struct lane lanes[LANES];
  int workers, idle;
  /// The lane to check first, so that lanes take turns if threads are scarce.
  int next;
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER, .arrival = PTHREAD_COND_INITIALIZER};

/// The number of jobs in a lane that could start now if there were threads.
static int ready(const struct lane *lane) {
  int room = MOST_RUNNING - lane->running;
  return lane->waiting < room ? lane->waiting : room;
}

static int all_ready(void) {
  int count = 0;
  for (int i = 0; i < LANES; i++) count += ready(&pool.lanes[i]);
  return count;
}

static struct job *take(struct lane **from) {
  for (int i = 0; i < LANES; i++) {
    struct lane *lane = &pool.lanes[(pool.next + i) % LANES];
    if (ready(lane) == 0) continue;
    pool.next = (pool.next + i + 1) % LANES;
    struct job *job = lane->first;
    lane->first = job->next;
    if (!lane->first) lane->last = &lane->first;
    lane->waiting--;
    lane->running++;
    *from = lane;
    return job;
  }
  return NULL;
}

static void *work(void *unused) {
  pthread_mutex_lock(&pool.mutex);
  for (;;) {
    struct lane *lane;
    struct job *job = take(&lane);
    if (job) {
      // The end of a job may also have made room for a job in another lane.
      if (pool.idle > 0 && all_ready() > 0) pthread_cond_signal(&pool.arrival);
      pthread_mutex_unlock(&pool.mutex);
      job->body(job->context);
      free(job);
      pthread_mutex_lock(&pool.mutex);
      lane->running--;
      continue;
    }
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += PATIENCE;
    pool.idle++;
    int failure = pthread_cond_clockwait(&pool.arrival, &pool.mutex, CLOCK_MONOTONIC, &until);
    pool.idle--;
    if (failure && all_ready() == 0) break;
  }
  pool.workers--;
  pthread_mutex_unlock(&pool.mutex);
  return unused;
}

/// Starts another thread. Returns false on failure.
static bool start(void) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // Signals are handled by the threads that run scripts.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pthread_t thread;
  bool is_started = pthread_create(&thread, &attributes, work, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return is_started;
}

int32_t tide_work(void (*body)(void *), void *context, bool takes_long) {
  struct job *job = malloc(sizeof *job);
  if (!job) return ENOMEM;
  *job = (struct job){.body = body, .context = context};
  pthread_mutex_lock(&pool.mutex);
  struct lane *lane = &pool.lanes[takes_long];
  if (!lane->last) lane->last = &lane->first;
  struct job **end = lane->last;
  *end = job;
  lane->last = &job->next;
  lane->waiting++;
  int failure = 0;
  // A woken thread counts as idle until it has taken its job.
  if (all_ready() > pool.idle && pool.workers < MOST_WORKERS) {
    if (start())
      pool.workers++;
    else if (pool.workers == 0)
      failure = EAGAIN;
  }
  if (failure) {
    *end = NULL;
    lane->last = end;
    lane->waiting--;
  } else {
    pthread_cond_signal(&pool.arrival);
  }
  pthread_mutex_unlock(&pool.mutex);
  if (failure) free(job);
  return failure;
}
