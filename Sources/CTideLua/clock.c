#include <time.h>

#include "TideWork.h"
#include "clock.h"
#include "coverage.h"
#include "errors.h"
#include "escape.h"
#include "watchdog.h"

// The thread that runs a turn decides whether the turn is over: in the watchdog's signal handler
// (watchdog.c), when the host's code returns to Lua, or, if steps are counted, after each fixed
// number of steps. A hook then stops the running code.

enum { STEPS_BETWEEN_LOOKS = 1000 };

uint64_t clock_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// MARK: Stopping

/// Whether the coroutine can be abandoned at its current instruction: its resumer sees it as
/// suspended, and none of its calls, protected or not, continues.
static bool can_leave(lua_State *L, const TideState *state) {
  return state->current == L && lua_isyieldable(L);
}

static void push_stop(lua_State *L, TideState *state) {
  state->turn.overdueSince = 0;
  bool isTime = state->budget.expired == TIDE_FAULT_TIME;
  private_get(L, state, isTime ? PRIVATE_TIME_ERROR : PRIVATE_INTERRUPT_ERROR);
}

/// Raises an error in a call that cannot be abandoned. Every protected call within it would only
/// raise the error again, at a cost that grows with the depth of the stack, so the error bypasses
/// them.
static int raise_stop(lua_State *L, TideState *state) {
  push_stop(L, state);
  error_note(L, state, -1);
  escape_handlers(L, state);
  return lua_error(L);
}

static int note_and_leave(lua_State *L, TideState *state) {
  push_stop(L, state);
  error_note(L, state, -1);
  lua_pop(L, 1);
  state->coroutines.hasLeft = true;
  return lua_yield(L, 0);
}

static void stop_hook(lua_State *L, lua_Debug *record) {
  TideState *state = state_of(L);
  // A coroutine that was stopped in an earlier turn keeps its hook until it runs again.
  if (!state->budget.expired) {
    clock_idle(L, state);
    return;
  }
  if (!can_leave(L, state))
    raise_stop(L, state);
  else if (record->event == LUA_HOOKCOUNT)
    // A hook can yield only before an instruction, and the next instruction follows soon.
    note_and_leave(L, state);
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

int clock_raise(lua_State *L) {
  TideState *state = state_of(L);
  return can_leave(L, state) ? note_and_leave(L, state) : raise_stop(L, state);
}

// MARK: Deadlines

bool clock_is_due(TideState *state, uint64_t time) {
  if (atomic_load_explicit(&state->turn.isInterrupted, memory_order_relaxed)) return true;
  uint64_t limit = state->budget.limits.turn, turn = state->turn.number;
  if (atomic_load_explicit(&state->turn.seen, memory_order_acquire) != turn) {
    atomic_store_explicit(&state->turn.deadline, time + limit, memory_order_relaxed);
    atomic_store_explicit(&state->turn.seen, turn, memory_order_release);
    return false;
  }
  return limit && time >= atomic_load_explicit(&state->turn.deadline, memory_order_relaxed);
}

void clock_decide(TideState *state, uint64_t time) {
  if (state->budget.expired || !clock_is_due(state, time)) return;
  bool isInterrupted = atomic_load_explicit(&state->turn.isInterrupted, memory_order_relaxed);
  state->budget.expired = isInterrupted ? TIDE_FAULT_INTERRUPTED : TIDE_FAULT_TIME;
  state->turn.chores = 1;
}

/// Makes the decisions that the watchdog has left to this thread.
static void judge_all(TideState *state) {
  state->budget.isLate = 0;
  // After a fork, no watchdog watches the child.
  if (!thread_clock.isWatched && !state->budget.limits.countsSteps) watchdog_arm(state);
  uint64_t time = clock_now();
  for (TideState *each = state; each; each = each->turn.outer) clock_decide(each, time);
}

int clock_judge(lua_State *L) {
  TideState *state = state_of(L);
  if (state->budget.isLate) judge_all(state);
  return state->budget.expired ? clock_raise(L) : 0;
}

// MARK: Counting steps

bool clock_is_late(TideState *state) {
  clock_decide(state, clock_now());
  return state->budget.expired != 0;
}

void clock_read(lua_State *L) {
  if (clock_is_late(state_of(L))) clock_raise(L);
}

static void count_hook(lua_State *L, lua_Debug *record) {
  TideState *state = state_of(L);
  if (record->event == LUA_HOOKLINE) return coverage_note(L, state, record);
  if (!clock_is_late(state)) return;
  clock_stop(L);
  stop_hook(L, record);
}

void clock_prepare_hook(lua_State *L, TideState *state) {
  if (state->budget.expired)
    clock_stop(L);
  else
    lua_sethook(L, count_hook, LUA_MASKCOUNT | (state->coverage ? LUA_MASKLINE : 0),
                STEPS_BETWEEN_LOOKS);
}

// MARK: Turns

void clock_start(TideState *state) {
  if (!thread_clock.isWatched && !state->budget.limits.countsSteps) watchdog_arm(state);
  if (!state->budget.limits.countsSteps) return;
  clock_is_late(state);
  clock_prepare(state->main, state);
}

void clock_reset(TideState *state) {
  state->budget.expired = 0;
  state->turn.overdueSince = 0;
  clock_idle(state->main, state);
}

void tide_turn_set_limit(TideState *state, uint64_t nanoseconds) {
  state->budget.limits.turn = nanoseconds;
  if (thread_clock.isWatched && !state->budget.limits.countsSteps) watchdog_arm(state);
}

void tide_turn_interrupt(TideState *state) {
  atomic_store_explicit(&state->turn.isInterrupted, true, memory_order_relaxed);
}

bool tide_turn_counts_steps(const TideState *state) { return state->budget.limits.countsSteps; }

bool tide_turn_is_over(TideState *state) {
  if (unlikely(state->budget.isLate)) judge_all(state);
  return state->budget.expired != 0;
}

void tide_turn_extend(uint64_t nanoseconds) {
  for (TideState *state = thread_clock.running; state; state = state->turn.outer)
    // A turn that the watchdog has not seen yet gets its deadline later.
    if (atomic_load_explicit(&state->turn.seen, memory_order_acquire) == state->turn.number)
      atomic_fetch_add_explicit(&state->turn.deadline, nanoseconds, memory_order_relaxed);
}

bool tide_turn_look(TideState *state) {
  return tide_turn_is_over(state) || (state->budget.limits.countsSteps && clock_is_late(state));
}

static bool work_is_over(void) {
  TideState *state = thread_clock.running;
  return state && tide_turn_look(state);
}

static bool work_admits(uint64_t bytes) {
  TideState *state = thread_clock.running;
  if (!state || tide_memory_note(state, bytes)) return true;
  // Collects garbage before it refuses.
  return tide_memory_charge(state, bytes) && tide_memory_note(state, bytes);
}

void tide_turn_bounds_work(void) { tide_work_bound(work_is_over, work_admits); }
