// What keeps scripts from the interpreter's known faults, wherever it asks for memory (guards.c).
#pragma once

#include "state.h"

/// The allocator of states: `memory_allocate` itself where there is nothing to guard, or no way to.
lua_Alloc guards_allocator(void);
/// To be called before an interpreter has asked for anything, and before it is closed.
void guards_leave(TideState *state);
/// Begins to guard a state, whose private table is on top of the stack.
void guards_open(lua_State *L);
/// Notes a metatable that scripts may reach, before it becomes one.
void guards_note(lua_State *L, int metatable);
/// Whether garbage may be collected on request, which is about to be done if so.
bool guards_admit_collection(TideState *state);
