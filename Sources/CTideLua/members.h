// What scripts read and write of a described type's objects.
#pragma once

#include "state.h"

/// Whether a record, as `lua_getstack` fills it, is of reading or writing a member.
bool is_member_access(lua_State *L, lua_Debug *record);
