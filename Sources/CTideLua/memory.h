// The limit of memory.
#pragma once

#include "state.h"

/// Lua's allocator.
void *memory_allocate(void *state, void *block, size_t old, size_t size);
/// The same with the guards against the interpreter's faults (guards.c).
void *memory_allocate_guarded(void *state, void *block, size_t old, size_t size);
/// Charges for a text that a slot is about to hold; raises where that is too much.
void memory_admit_text(lua_State *L, TideState *state, size_t count);
/// Whether there is memory for the host's copy of a text, with those that it gathers.
bool memory_admits_copy(TideState *state, size_t count);
/// Texts up to here are charged with their slots.
enum { SHORT_TEXT = 64 };
/// Pushes text that is short enough not to raise; false when it is not.
bool memory_push_text(lua_State *L, TideState *state, const char *text, size_t count);
