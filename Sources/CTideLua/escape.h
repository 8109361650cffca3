// Leaves an operation of the interpreter, bypassing a script's protected calls. Most of it is for
// the signal handler.
#pragma once

#include "state.h"

/// The word of a coroutine that holds its innermost protected call.
extern size_t escape_word;

void escape_install(void);
/// Pushes a table whose metatable has one function, to test how the interpreter uses it.
void probe_push(lua_State *L, const char *event, lua_CFunction function);
/// Learns how to determine where an error would be caught. Call it in a protected call that was
/// made from the C stack frame `start`.
void escape_learn(lua_State *L, const void *start);
/// Clears the message handler of the call in which a coroutine is suspended, before the coroutine
/// is closed.
void escape_drop_handler(lua_State *co);
/// The protected call that would catch an error, or NULL.
static inline const void *escape_landing(lua_State *L) {
  return ((const void *const *)L)[escape_word];
}
/// Makes the next error bypass all protected calls except the outermost one above Swift's frames.
void escape_handlers(lua_State *L, const TideState *state);
/// Whether an expired turn is still running and can be left at this point.
bool escape_is_due(TideState *state, const void *context);
/// Leaves the interpreter's current operation and continues at the innermost protected call.
_Noreturn void escape(TideState *state, const void *context);
