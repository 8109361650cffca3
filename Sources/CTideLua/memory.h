// The memory limit.
#pragma once

#include "state.h"

/// Lua's allocator.
void *memory_allocate(void *state, void *block, size_t old, size_t size);
/// Lua's allocator with the guards against the interpreter's bugs (guards.c).
void *memory_allocate_guarded(void *state, void *block, size_t old, size_t size);
/// Charges for a string that a slot is about to hold; raises an error if that exceeds the limit.
void memory_admit_text(lua_State *L, TideState *state, size_t count);
/// Whether there is memory for the host's copy of a string, in addition to those that it is
/// gathering.
bool memory_admits_copy(TideState *state, size_t count);
/// The length up to which strings are charged with their slots.
enum { SHORT_TEXT = 64 };
/// Pushes a string that is short enough not to raise an error. Returns false for a longer one.
bool memory_push_text(lua_State *L, TideState *state, const char *text, size_t count);
