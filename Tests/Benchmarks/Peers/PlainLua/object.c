#include "object.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 7, TEXTS = 2, METHOD = 9, X = 4, TABLE_SIZE = 64 };
static const char *const names[] = {"p0", "p1", "p2",   "p3",    "x",
                                    "y",  "z",  "name", "title", "scale"};

/// The class's table: the pointer of a key to its slot. Keys are short, so Lua interns them.
static struct {
  const char *key;
  int slot;
} keys[TABLE_SIZE];

static unsigned hash(const char *key) {
  uintptr_t address = (uintptr_t)key;
  return (unsigned)((address >> 4) ^ (address >> 11)) & (TABLE_SIZE - 1);
}

static int find(const char *key) {
  for (unsigned i = hash(key); keys[i].key; i = (i + 1) & (TABLE_SIZE - 1))
    if (keys[i].key == key) return keys[i].slot;
  return -1;
}

// Comparing with the metatable in an upvalue is faster than luaL_checkudata.
static Object *check_self(lua_State *L) {
  Object **box = lua_touserdata(L, 1);
  if (box && lua_getmetatable(L, 1)) {
    int same = lua_rawequal(L, -1, lua_upvalueindex(1));
    lua_pop(L, 1);
    if (same) return *box;
  }
  luaL_typeerror(L, 1, "Object");
  return NULL;
}

static int check_slot(lua_State *L) {
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : NULL;
  int slot = key ? find(key) : -1;
  if (slot < 0) luaL_error(L, "no property '%s'", luaL_tolstring(L, 2, NULL));
  return slot;
}

static int read_property(lua_State *L) {
  Object *object = check_self(L);
  int slot = check_slot(L);
  if (slot < NUMBERS) {
    lua_pushnumber(L, object->numbers[slot]);
  } else if (slot < METHOD) {
    Text *text = &object->texts[slot - NUMBERS];
    lua_pushlstring(L, text->bytes, text->count);
  } else {
    lua_pushvalue(L, lua_upvalueindex(2));
  }
  return 1;
}

static int write_property(lua_State *L) {
  Object *object = check_self(L);
  int slot = check_slot(L);
  if (slot < NUMBERS) {
    object->numbers[slot] = luaL_checknumber(L, 3);
    if (slot == X && object->listener) {
      lua_rawgeti(L, LUA_REGISTRYINDEX, object->listener);
      lua_pushvalue(L, 3);
      lua_call(L, 1, 0);
    }
  } else if (slot < METHOD) {
    size_t count;
    const char *bytes = luaL_checklstring(L, 3, &count);
    object_set_text(object, slot - NUMBERS, bytes, count);
  } else {
    luaL_error(L, "'%s' is a method", names[slot]);
  }
  return 0;
}

static int scale(lua_State *L) {
  Object *object = check_self(L);
  lua_pushnumber(L, object->numbers[X] * luaL_checknumber(L, 2));
  return 1;
}

void object_set_text(Object *object, int index, const char *bytes, size_t count) {
  Text *text = &object->texts[index];
  if (text->count != count || !text->bytes) text->bytes = realloc(text->bytes, count + 1);
  if (!text->bytes) abort();
  memcpy(text->bytes, bytes, count);
  text->bytes[count] = 0;
  text->count = count;
}

void object_open(lua_State *L) {
  luaL_newmetatable(L, "Object");
  lua_newtable(L);  // keeps the keys alive
  for (int slot = 0; slot <= METHOD; slot++) {
    const char *key = lua_pushstring(L, names[slot]);
    lua_rawseti(L, -2, slot + 1);
    unsigned i = hash(key);
    while (keys[i].key) i = (i + 1) & (TABLE_SIZE - 1);
    keys[i].key = key;
    keys[i].slot = slot;
  }
  lua_setfield(L, -2, "keys");
  lua_pushvalue(L, -1);
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, scale, 1);
  lua_pushcclosure(L, read_property, 2);
  lua_setfield(L, -2, "__index");
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, write_property, 1);
  lua_setfield(L, -2, "__newindex");
  lua_pop(L, 1);
}

void object_push(lua_State *L, Object *object) {
  Object **box = lua_newuserdatauv(L, sizeof(Object *), 0);
  *box = object;
  luaL_setmetatable(L, "Object");
}
