#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "host.h"

// A turn may not read the clock when it begins: that would cost a fifth of a short call. Instead a
// timer of the thread ticks while turns run. A tick that meets a turn for the first time gives it
// its deadline, and the tick that is then due stops it: a turn may overrun by one tick. An idle
// thread gets no signals, because a tick that meets no turn is the last.

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum { SHORTEST_TICK = 1000000, LONGEST_TICK = 10000000, LATE_TICK = 2000000, STEPS_BETWEEN_LOOKS = 1000 };

_Thread_local ThreadClock thread_clock;
static pthread_once_t installed = PTHREAD_ONCE_INIT;
static pthread_key_t threadEnd;
static int tickSignal;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void stop_hook(lua_State *L, lua_Debug *record) {
  (void)record;
  TideState *state = state_of(L);
  // A coroutine that was stopped in an earlier turn keeps its hook until it runs again.
  if (!state->expired) {
    clock_idle(L, state);
    return;
  }
  clock_raise(L, state);
}

static void line_hook(lua_State *L, lua_Debug *record) {
  coverage_note(L, state_of(L), record);
}

void clock_idle(lua_State *L, TideState *state) {
  if (likely(!state->coverage))
    lua_sethook(L, NULL, 0, 0);
  else
    lua_sethook(L, line_hook, LUA_MASKLINE, 0);
}

void clock_stop(lua_State *L) {
  lua_sethook(L, stop_hook, LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT, 1);
}

int clock_raise(lua_State *L, TideState *state) {
  state->activity++;
  bool timed = state->expired == TIDE_FAULT_TIME;
  private_get(L, state, timed ? PRIVATE_TIME_ERROR : PRIVATE_INTERRUPT_ERROR);
  error_note(state, L, -1);
  return lua_error(L);
}

static void judge(TideState *state, uint64_t time) {
  if (state->expired) return;
  if (atomic_load_explicit(&state->interrupted, memory_order_relaxed)) {
    state->expired = TIDE_FAULT_INTERRUPTED;
    state->chores = 1;
    return;
  }
  uint64_t limit = state->configuration.turn;
  if (state->seenTurn != state->turn) {
    state->seenTurn = state->turn;
    state->deadline = time + limit;
  } else if (limit && time >= state->deadline) {
    state->expired = TIDE_FAULT_TIME;
    state->chores = 1;
  }
}

static void set_timer(uint64_t nanoseconds) {
  struct itimerspec time = {.it_value = {.tv_sec = (time_t)(nanoseconds / 1000000000u),
                                         .tv_nsec = (long)(nanoseconds % 1000000000u)}};
  timer_settime(thread_clock.timer, 0, &time, NULL);
}

// Runs on the very thread that runs Lua, between two of its instructions, and does only what Lua
// allows a signal handler: to set a hook.
static void on_tick(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  int saved = errno;
  TideState *running = thread_clock.running;
  if (running) {
    uint64_t time = now(), next = thread_clock.tick;
    for (TideState *state = running; state; state = state->outer) {
      judge(state, time);
      // Set at every tick, since a hook set amid a call can be overlooked.
      if (state->expired && state->current) clock_stop(state->current);
      uint64_t wanted = next;
      if (state->expired)
        wanted = LATE_TICK;
      else if (state->configuration.turn)
        wanted = state->deadline - time;
      if (wanted < next) next = wanted;
    }
    set_timer(next ? next : 1);
    if (running->expired && running->current && escape_is_due(running, context)) {
      errno = saved;
      escape(running, context);
    }
  } else {
    thread_clock.ticking = 0;
  }
  errno = saved;
}

static void end_thread(void *value) {
  (void)value;
  if (thread_clock.made) timer_delete(thread_clock.timer);
  thread_clock.made = false;
}

static void install(void) {
  tickSignal = SIGRTMIN + 5;
  escape_install();
  struct sigaction action = {.sa_sigaction = on_tick,
                             .sa_flags = SA_RESTART | SA_SIGINFO | SA_ONSTACK};
  sigfillset(&action.sa_mask);
  sigaction(tickSignal, &action, NULL);
  pthread_key_create(&threadEnd, end_thread);
}

static bool make_timer(void) {
  pthread_once(&installed, install);
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = tickSignal};
  event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
  if (timer_create(CLOCK_MONOTONIC, &event, &thread_clock.timer) != 0) return false;
  pthread_setspecific(threadEnd, &thread_clock);
  // Dispatch's threads block every signal.
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, tickSignal);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  thread_clock.made = true;
  return true;
}

static void arm(TideState *state) {
  // Without a timer the turn is stopped by counting steps.
  if (!thread_clock.made && !make_timer()) {
    state->configuration.countsSteps = true;
    return;
  }
  uint64_t tick = state->configuration.turn / 8;
  if (tick < SHORTEST_TICK) tick = SHORTEST_TICK;
  if (tick > LONGEST_TICK || !state->configuration.turn) tick = LONGEST_TICK;
  thread_clock.tick = tick;
  thread_clock.ticking = 1;
  set_timer(tick);
}

bool clock_is_late(TideState *state) {
  judge(state, now());
  return state->expired != 0;
}

static void count_hook(lua_State *L, lua_Debug *record) {
  TideState *state = state_of(L);
  if (record->event == LUA_HOOKLINE) return coverage_note(L, state, record);
  if (!clock_is_late(state)) return;
  clock_stop(L);
  clock_raise(L, state);
}

void clock_prepare_hook(lua_State *L, TideState *state) {
  if (state->expired)
    clock_stop(L);
  else
    lua_sethook(L, count_hook, LUA_MASKCOUNT | (state->coverage ? LUA_MASKLINE : 0),
                STEPS_BETWEEN_LOOKS);
}

void clock_start(TideState *state) {
  if (!thread_clock.ticking && !state->configuration.countsSteps) arm(state);
  if (!state->configuration.countsSteps) return;
  clock_is_late(state);
  clock_prepare(state->main, state);
}

void clock_reset(TideState *state) {
  state->expired = 0;
  state->stuckSince = 0;
  clock_idle(state->main, state);
}

void tide_turn_set_limit(TideState *state, uint64_t nanoseconds) {
  state->configuration.turn = nanoseconds;
  if (thread_clock.ticking && !state->configuration.countsSteps) arm(state);
}

void tide_turn_interrupt(TideState *state) {
  atomic_store_explicit(&state->interrupted, true, memory_order_relaxed);
}

bool tide_turn_counts_steps(const TideState *state) { return state->configuration.countsSteps; }

bool tide_turn_is_over(const TideState *state) { return state->expired != 0; }
