// A readable description of a table, created without running the script's code.
#pragma once

#include "objects.h"

/// The maximum size of such a description.
enum { OUTLINE_TEXT = 512 };

/// Describes the first entries of the table at the index: `{ code = 42, message = "no" }`. Returns
/// the length of the text. Runs under protection: a stack that cannot grow raises an error.
size_t table_outline(lua_State *L, TideState *state, int index, char text[OUTLINE_TEXT]);
