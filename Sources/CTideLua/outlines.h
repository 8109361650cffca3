// The text of a table as one reads it, made without running anything of the script.
#pragma once

#include "objects.h"

/// The room that such a text takes at most.
enum { OUTLINE_TEXT = 512 };

/// Writes the first entries of the table at the index: `{ code = 42, message = "no" }`. Gives the
/// text's length. Runs protected: a stack that cannot grow raises.
size_t table_outline(lua_State *L, TideState *state, int index, char text[OUTLINE_TEXT]);
