// Scripts' access to the members of a described type's objects.
#pragma once

#include "state.h"

/// Whether a record, as filled by `lua_getstack`, is that of reading or writing a member.
bool is_member_access(lua_State *L, lua_Debug *record);
