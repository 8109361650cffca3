#include <stdio.h>
#include <stdlib.h>

#include "batches.h"
#include "errors.h"
#include "escape.h"
#include "frames.h"
#include "held.h"
#include "texts.h"

// Every call from Swift opens a frame, which records the height of the Lua stack and counts the
// depth. The outermost frame is a turn.

/// Does the chores of a turn, and stops an outer turn that has expired meanwhile.
void turn_end(TideState *state) {
  TideState *outer = state->turn.outer;
  state->turn.outer = NULL;
  if (outer && outer->budget.expired) clock_stop(outer->current);
  if (!state->turn.chores) return;
  state->turn.chores = 0;
  if (state->budget.expired) clock_reset(state);
  blocks_free(state, NULL);
  if (state->cache.arena && state->cache.arena->deadCount - state->cache.clearedDead > 4096)
    cache_clear_dead(state);
  if (state->wantsClose) state_close_now(state);
  held_release_dropped(state);
}

// Concurrent use by two threads corrupts an interpreter, and the damage could show up anywhere.
void stop_second_user(void) {
  fputs("tidelock: two threads use one LuaState at the same time; use it on one thread, or in one "
        "actor, and send values there\n",
        stderr);
  abort();
}

lua_State *frame_enter(TideState *state, TideFrame *frame) {
  frame->count = 0;
  lua_State *L = state->current;
  if (unlikely(!L || state->wantsClose)) {
    frame->top = frame->first = -1;
    frame->status = TIDE_FAULT_CLOSED;
    return NULL;
  }
  frame_count(state);
  frame->top = lua_gettop(L);
  frame->first = frame->top + 1;
  frame->status = 0;
  return L;
}

void tide_frame_end(TideState *state, const TideFrame *frame) {
  if (frame->top < 0) return;
  lua_settop(state->current, frame->top);
  if (unlikely(state->batches.isUnsettled)) batch_settle_now(state);
  frame_leave(state);
}

bool tide_turn_begin(TideState *state) {
  TideFrame frame;
  return frame_enter(state, &frame) != NULL;
}

void tide_turn_end(TideState *state) { frame_leave(state); }

int frame_call(lua_State *L, TideState *state, int arguments, int results, int handler) {
  // A coroutine cannot yield across a call from Swift.
  bool couldSuspend = state->coroutines.canSuspend;
  uint32_t guarded = state->guarded;
  state->coroutines.canSuspend = false;
  uint32_t batches = *state->batches.open;
  const void *landing = state->landing;
  state->landing = escape_landing(L);
  state->guarded = state->callbacks;
  int status = lua_pcall(L, arguments, results, handler);
  state->guarded = guarded;
  state->landing = landing;
  state->coroutines.canSuspend = couldSuspend;
  if (unlikely(status != LUA_OK)) batch_return_failed(state, batches);
  return status;
}

int32_t frame_protect(lua_State *L, TideState *state, lua_CFunction body, void *request,
                      TideFrame *frame) {
  if (unlikely(!lua_checkstack(L, 16))) {
    frame->status = LUA_ERRMEM;
    return TIDE_FAILED;
  }
  lua_pushcfunction(L, error_handler);
  int handler = lua_gettop(L);
  frame->first = handler + 1;
  lua_pushcfunction(L, body);
  lua_pushlightuserdata(L, request);
  int status = frame_call(L, state, 1, LUA_MULTRET, handler);
  if (likely(status == LUA_OK)) {
    frame->count = (uint32_t)(lua_gettop(L) - handler);
    return TIDE_OK;
  }
  frame->status = status;
  return TIDE_FAILED;
}

int32_t frame_run(TideState *state, lua_CFunction body, void *request, TideFrame *frame) {
  lua_State *L = frame_enter(state, frame);
  return L ? frame_protect(L, state, body, request, frame) : TIDE_FAILED;
}
