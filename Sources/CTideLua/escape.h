// Leaving what the interpreter does, past a script's protected calls. Most of it is for the signal
// handler.
#pragma once

#include "state.h"

/// The word of a coroutine that holds its innermost protected call.
extern size_t escape_word;

void escape_install(void);
/// Pushes a table whose metatable has one function, to try what the interpreter does with it.
void probe_push(lua_State *L, const char *event, lua_CFunction function);
/// Finds out how to tell where an error would land; to be called in a protected call that was made
/// from the machine's stack frame `start`.
void escape_learn(lua_State *L, const void *start);
/// Makes a coroutine that is about to be closed forget the message handler of the call it waits in.
void escape_drop_handler(lua_State *co);
/// Where an error would land, or NULL.
static inline const void *escape_landing(lua_State *L) {
  return ((const void *const *)L)[escape_word];
}
/// Lets the error that is about to be raised pass by all protected calls but the outermost one that
/// Swift's frames allow.
void escape_handlers(lua_State *L, const TideState *state);
/// Whether a turn that is over goes on nevertheless, and can be left from here.
bool escape_is_due(TideState *state, const void *context);
/// Leaves whatever the interpreter is doing, for the innermost protected call.
_Noreturn void escape(TideState *state, const void *context);
