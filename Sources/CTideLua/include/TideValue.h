// The values that cross the border, and the statuses of calls.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "TideSlots.h"

#pragma clang assume_nonnull begin

typedef struct TideState TideState;
typedef struct TideCall TideCall;

/// The result of a protected call or a callback.
enum {
  TIDE_OK = 0,
  TIDE_FAILED = 1,
  TIDE_SUSPENDED = 2,  // a callback waits, or a coroutine was suspended by one
  TIDE_YIELDED = 3,    // a script's own coroutine.yield reached the host
  TIDE_CALLS = 4,      // a callback requests a call in its place
  TIDE_TOO_DEEP = 5,   // an argument cannot be read, because calls nest too deeply
};

/// The tags of a TideValue. The scalars have the numbers of a slot's tags.
enum {
  TIDE_LUA_NIL = TIDE_NIL,
  TIDE_LUA_BOOLEAN = TIDE_BOOLEAN,
  TIDE_LUA_INTEGER = TIDE_INTEGER,
  TIDE_LUA_NUMBER = TIDE_NUMBER,
  TIDE_LUA_TEXT = TIDE_BYTES,     // bytes and count, not terminated
  TIDE_LUA_OBJECT = TIDE_OBJECT,  // header and generation
  // From here on, the value is a reference.
  TIDE_LUA_TABLE = 7,
  TIDE_LUA_FUNCTION = 8,
  TIDE_LUA_THREAD = 9,
  TIDE_LUA_USERDATA = 10,
  // Only from Swift to Lua.
  TIDE_LUA_SLOT = 11,      // the value that the slot holds
  TIDE_LUA_ARGUMENT = 12,  // a callback's result: one of its own arguments, counted from 0
  // Only on tapes.
  TIDE_LUA_FIELDS = 13,    // a table whose contents follow
  TIDE_LUA_CYCLE = 14,     // a table that contains itself
  TIDE_LUA_TOO_DEEP = 15,  // a table below the depth limit
  // Only from Swift to Lua.
  TIDE_LUA_OTHER_STATE = 16,  // another state's reference, which is an error
  TIDE_LUA_GIVEN = 17,        // an object that Lua retains from now on, even the host's
};

typedef struct TideValue {
  union {
    int64_t integer;
    double number;
    const char *bytes;
    TideSlot *slot;
    uint32_t reference;
  };
  uint32_t tag;
  uint32_t count;  // the number of bytes; for an object, its generation
} TideValue;

_Static_assert(sizeof(TideValue) == 16, "a tagged value is two words");

#pragma clang assume_nonnull end
