// Errors: their locations, errors of callbacks, and errors that stop a turn.
#pragma once

#include "functions.h"

void errors_open(lua_State *L);
/// Adds the metamethods of error objects to the metatable on top.
void error_add_methods(lua_State *L);
/// The error object at the index, or NULL; never raises.
TideHostObject *error_at(lua_State *L, TideState *state, int index);
/// A message handler that records location and traceback without allocating.
int error_handler(lua_State *L);
void error_note(lua_State *L, TideState *state, int index);
void error_note_syntax(TideState *state, const char *message, size_t count);
/// Raises the state's pending error as an error object.
int error_raise_pending(lua_State *L, TideState *state);
/// Raises the error that the host throws at the suspension that ends here.
int error_throw_in(lua_State *L, TideState *state);
