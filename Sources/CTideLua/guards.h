// Guards scripts against the interpreter's known bugs at its memory requests (guards.c).
#pragma once

#include "state.h"

/// The allocator of states: the guarded one if there are bugs to guard against and the trial has
/// succeeded.
lua_Alloc guards_allocator(void);
/// Call it before an interpreter's first memory request, and before it is closed.
void guards_leave(TideState *state);
/// Starts guarding a state, whose private table is on top of the stack.
void guards_open(lua_State *L);
/// Registers a table that scripts can reach, before it becomes a metatable.
void guards_note(lua_State *L, int metatable);
/// Whether garbage may be collected on request. If so, the collection must follow.
bool guards_admit_collection(TideState *state);

// MARK: The trial

/// Whether stacks are guarded: if the interpreter has the bug and the trial has succeeded.
extern bool guardsStacks;
/// Whether a `..` that calls a metamethod without a guard is running, and how much of the stack is
/// in use.
bool guards_joins_unguarded(lua_State *L, ptrdiff_t *used);

// MARK: Memory requests

/// A value that the collector's debt never has.
static const int64_t guardsNoDebt = INT64_MIN / 2;

/// Called after a step of the collector.
void guards_notice_step(TideState *state);
/// Whether an array of the given number of bytes may be allocated. A new stack is refused for a
/// coroutine whose `..` relies on its current one.
bool guards_admit_array(const TideState *state, size_t size);
/// Makes the collector treat metatables as strong, whatever their own metatables say.
void guards_make_metatables_strong(TideState *state);
void guards_let_metatables_be_weak(TideState *state);

/// Call it before a block is freed.
static inline __attribute__((always_inline)) void guards_note_freed(TideState *state, const void *block, size_t size) {
  TideGuards *guards = &state->guards;
  // Another table may soon be allocated at the address.
  if (unlikely(block == guards->latest)) guards->latest = NULL;
  // Blocks freed by the collector do not indicate a step.
  guards->debt = unlikely(*guards->isCollecting) ? guardsNoDebt : guards->debt - (int64_t)size;
}

/// Whether a block may be allocated. Arrays, including stacks, have no kind.
static inline __attribute__((always_inline)) bool guards_admit(TideState *state, const void *block, size_t old, size_t size) {
  enum { LEAST_STACK = 45 * 16 };
  TideGuards *guards = &state->guards;
  if (unlikely(guards->debt != *guards->collectorDebt)) guards_notice_step(state);
  if (unlikely(guards->areStrong)) guards_let_metatables_be_weak(state);
  return likely(size < LEAST_STACK || block || old) || guards_admit_array(state, size);
}
