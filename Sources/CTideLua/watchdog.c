#define _GNU_SOURCE
#include <errno.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "escape.h"
#include "watchdog.h"

// A turn must not read the clock when it begins, because that would cost a fifth of a short call.
// Instead, a thread of ours, the watchdog, checks every few milliseconds the threads that run
// turns. The first check of a turn sets its deadline, and a check after the deadline makes it stop.
// So a turn may overrun by the time between two checks. While no thread runs turns, the watchdog
// sleeps without a timer.
//
// Only the running thread can stop its interpreter, between two instructions, so the watchdog sends
// it a signal whose handler sets a hook. No signal is sent while the host's own code runs, because
// it would interrupt the host's system calls; the deadline is then noticed when that code returns
// to Lua.
//
// The watchdog reads states that other threads may close at any time. Their memory is never freed,
// only reused for other states (state.c), so the data may be stale and is never trusted: the thread
// itself decides, in the handler or on return, whether its turn is over.

// In nanoseconds.
enum { SHORTEST_LOOK = 1000000, LONGEST_LOOK = 5000000, LATE_LOOK = 2000000 };

_Thread_local ThreadClock thread_clock;

static struct {
  pthread_mutex_t lock;
  pthread_cond_t wanted;
  ThreadClock *threads;
  bool isRunning;
  bool hasBarrier;  // whether other threads' writes can be waited for
  int signal;
} watchdog = {.lock = PTHREAD_MUTEX_INITIALIZER, .wanted = PTHREAD_COND_INITIALIZER};

static pthread_once_t installed = PTHREAD_ONCE_INIT;
static pthread_key_t threadEnd;

// MARK: The signal

// Runs on the thread that runs Lua, between two of its instructions, and does only what Lua allows
// in a signal handler: it sets a hook.
static void on_signal(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  int saved = errno;
  TideState *running = thread_clock.running;
  uint64_t time = clock_now();
  for (TideState *state = running; state; state = state->turn.outer) {
    clock_decide(state, time);
    // Set at every signal, because a hook that is set during a call can be missed.
    if (state->budget.expired && state->current) clock_stop(state->current);
  }
  thread_clock.answered = clock_now();
  errno = saved;
  bool mayLeave = running && running->budget.expired && !running->budget.limits.countsSteps;
  if (mayLeave && running->current && escape_is_due(running, context)) escape(running, context);
  errno = saved;
}

// MARK: The watchdog

/// Checks a thread, and returns the time until its next check.
static uint64_t look_at(ThreadClock *clock, uint64_t time) {
  TideState *running = clock->running;
  uint64_t next = clock->look;
  bool isLate = false;
  // Limited, because a state that has ended meanwhile may point to any other state.
  int most = 100;
  for (TideState *state = running; state && most--; state = state->turn.outer) {
    if (state->budget.expired || clock_is_due(state, time)) {
      isLate = true;
      next = LATE_LOOK;
    } else if (state->budget.limits.turn) {
      uint64_t left = atomic_load_explicit(&state->turn.deadline, memory_order_relaxed) - time;
      if (left < next) next = left;
    }
  }
  if (!isLate) return next;
  running->budget.isLate = 1;
  // More Swift frames than at the last entry to Lua mean that the host's code is running. With a
  // deep stack, handling a signal takes longer than the interval until the next one.
  uint64_t answered = clock->answered;
  if (running->guarded != running->callbacks || !answered || time - answered < LATE_LOOK)
    return next;
  clock->answered = 0;
  if (syscall(SYS_tgkill, getpid(), clock->thread, watchdog.signal) != 0)
    clock->answered = answered;
  return next;
}

static void unlink_clock(ThreadClock *clock) {
  *clock->link = clock->next;
  if (clock->next) clock->next->link = clock->link;
}

/// Stops watching a thread that runs no turn, unless it is just beginning one. A beginning turn
/// first sets `running` and then reads `isWatched`. Enforcing that order would cost time in every
/// turn, so the barrier is here.
static void leave_watch(ThreadClock *clock) {
  if (!watchdog.hasBarrier) return;
  clock->isWatched = 0;
  syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  if (clock->running)
    clock->isWatched = 1;
  else
    unlink_clock(clock);
}

static void *watch(void *unused) {
  (void)unused;
  pthread_mutex_lock(&watchdog.lock);
  for (;;) {
    uint64_t time = clock_now(), next = UINT64_MAX;
    for (ThreadClock *clock = watchdog.threads, *following; clock; clock = following) {
      following = clock->next;
      // A thread that runs no turn registers again when it begins one.
      if (!clock->running) {
        leave_watch(clock);
        if (!clock->isWatched) continue;
      }
      uint64_t wanted = look_at(clock, time);
      if (wanted < next) next = wanted;
    }
    if (next == UINT64_MAX) {
      pthread_cond_wait(&watchdog.wanted, &watchdog.lock);
      continue;
    }
    pthread_mutex_unlock(&watchdog.lock);
    struct timespec pause = {.tv_sec = (time_t)(next / 1000000000u),
                             .tv_nsec = (long)(next % 1000000000u)};
    nanosleep(&pause, NULL);
    pthread_mutex_lock(&watchdog.lock);
  }
  return NULL;
}

static void end_thread(void *value) {
  ThreadClock *clock = value;
  pthread_mutex_lock(&watchdog.lock);
  if (clock->isWatched) unlink_clock(clock);
  pthread_mutex_unlock(&watchdog.lock);
}

static void before_fork(void) { pthread_mutex_lock(&watchdog.lock); }
static void after_fork(void) { pthread_mutex_unlock(&watchdog.lock); }

/// The child of a fork has neither the watchdog nor any other thread.
static void in_child(void) {
  watchdog.threads = NULL;
  watchdog.isRunning = false;
  pthread_mutex_init(&watchdog.lock, NULL);
  pthread_cond_init(&watchdog.wanted, NULL);
  thread_clock.isWatched = 0;
  thread_clock.thread = 0;
  if (thread_clock.running) thread_clock.running->budget.isLate = 1;
}

/// A real-time signal without a handler in the program; 0 if there is none.
static int find_signal(void) {
  for (int number = SIGRTMAX; number >= SIGRTMIN; number--) {
    struct sigaction present;
    if (sigaction(number, NULL, &present) == 0 && present.sa_handler == SIG_DFL) return number;
  }
  return 0;
}

static void install(void) {
  escape_install();
  int signal = find_signal();
  struct sigaction action = {.sa_sigaction = on_signal,
                             .sa_flags = SA_RESTART | SA_SIGINFO | SA_ONSTACK};
  sigfillset(&action.sa_mask);
  if (!signal || sigaction(signal, &action, NULL) != 0) return;
  if (pthread_key_create(&threadEnd, end_thread) != 0) return;
  pthread_atfork(before_fork, after_fork, in_child);
  watchdog.hasBarrier =
      syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  watchdog.signal = signal;
}

/// Starts the watchdog on a small stack with all signals blocked. The lock must be held.
static bool start_watchdog(void) {
  if (watchdog.isRunning) return true;
  enum { STACK = 128 << 10 };
  sigset_t all, previous;
  pthread_attr_t attributes;
  pthread_t thread;
  sigfillset(&all);
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, STACK);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  watchdog.isRunning = pthread_create(&thread, &attributes, watch, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  pthread_attr_destroy(&attributes);
  return watchdog.isRunning;
}

static void prepare_thread(void) {
  thread_clock.thread = (int)syscall(SYS_gettid);
  thread_clock.answered = 1;
  pthread_setspecific(threadEnd, &thread_clock);
  // Dispatch's threads block all signals.
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, watchdog.signal);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static bool enter_watch(void) {
  pthread_once(&installed, install);
  if (!watchdog.signal) return false;
  if (!thread_clock.thread) prepare_thread();
  pthread_mutex_lock(&watchdog.lock);
  bool isWatched = start_watchdog();
  if (isWatched && !thread_clock.isWatched) {
    thread_clock.isWatched = 1;
    thread_clock.next = watchdog.threads;
    thread_clock.link = &watchdog.threads;
    if (thread_clock.next) thread_clock.next->link = &thread_clock.next;
    watchdog.threads = &thread_clock;
    pthread_cond_signal(&watchdog.wanted);
  }
  pthread_mutex_unlock(&watchdog.lock);
  return isWatched;
}

void watchdog_arm(TideState *state) {
  uint64_t look = state->budget.limits.turn / 8;
  if (look < SHORTEST_LOOK) look = SHORTEST_LOOK;
  if (look > LONGEST_LOOK || !state->budget.limits.turn) look = LONGEST_LOOK;
  thread_clock.look = look;
  // Without the watchdog, the turn is stopped by counting steps.
  if (!enter_watch()) state->budget.limits.countsSteps = true;
}
