// What keeps scripts from the interpreter's known faults, wherever it asks for memory (guards.c).
#pragma once

#include "state.h"

/// The allocator of states: the guarded one where there is something to guard, and a way to.
lua_Alloc guards_allocator(void);
/// To be called before an interpreter has asked for anything, and before it is closed.
void guards_leave(TideState *state);
/// Begins to guard a state, whose private table is on top of the stack.
void guards_open(lua_State *L);
/// Notes a metatable that scripts may reach, before it becomes one.
void guards_note(lua_State *L, int metatable);
/// Whether garbage may be collected on request, which is about to be done if so.
bool guards_admit_collection(TideState *state);

// MARK: The trial

/// Whether stacks are guarded: where the interpreter has the fault, and the trial has succeeded.
extern bool guardsStacks;
/// Whether a `..` is under way that calls what has no guard, with how much of the stack is in use.
bool guards_joins_unguarded(lua_State *L, ptrdiff_t *used);

// MARK: What the interpreter asks for

/// What the collector's debt never is.
static const int64_t guardsNoDebt = INT64_MIN / 2;

/// The collector has taken a step.
void guards_notice_step(TideState *state);
/// Whether an array of so many bytes may be given. Refused is a new stack for a coroutine whose `..`
/// relies on the present one.
bool guards_admit_array(const TideState *state, size_t size);
/// Lets the collector take metatables for strong, whatever their own metatables say.
void guards_make_metatables_strong(TideState *state);
void guards_let_metatables_be_weak(TideState *state);

/// To be called before a block is given back.
static inline __attribute__((always_inline)) void guards_note_freed(TideState *state, const void *block, size_t size) {
  TideGuards *guards = &state->guards;
  // Another table may be there soon.
  if (unlikely(block == guards->latest)) guards->latest = NULL;
  // What the collector frees says nothing about its steps.
  guards->debt = unlikely(*guards->isCollecting) ? guardsNoDebt : guards->debt - (int64_t)size;
}

/// Whether a block may be given. Arrays, and stacks are some, have no kind.
static inline __attribute__((always_inline)) bool guards_admit(TideState *state, const void *block, size_t old, size_t size) {
  enum { LEAST_STACK = 45 * 16 };
  TideGuards *guards = &state->guards;
  if (unlikely(guards->debt != *guards->collectorDebt)) guards_notice_step(state);
  if (unlikely(guards->areStrong)) guards_let_metatables_be_weak(state);
  return likely(size < LEAST_STACK || block || old) || guards_admit_array(state, size);
}
