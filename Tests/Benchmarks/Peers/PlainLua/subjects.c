#include "subjects.h"

#include <stdlib.h>
#include <string.h>

#include "object.h"

static const char proxy_class[] =
    "local types = {p0 = 'number', p1 = 'number', p2 = 'number', p3 = 'number', x = 'number',\n"
    "  y = 'number', z = 'number', name = 'string', title = 'string'}\n"
    "local methods = {scale = function(self, factor) return self.x * factor end}\n"
    "local class = {}\n"
    "function class.__index(object, key)\n"
    "  if types[key] then return object[1][key] end\n"
    "  return methods[key] or error(\"no property '\" .. tostring(key) .. \"'\", 2)\n"
    "end\n"
    "function class.__newindex(object, key, value)\n"
    "  if type(value) ~= types[key] then error(\"bad value for \" .. tostring(key), 2) end\n"
    "  local values = object[1]\n"
    "  if values[key] == value then return end\n"
    "  values[key] = value\n"
    "  local listener = object[2]\n"
    "  if listener then listener(value) end\n"
    "end\n"
    "local function copy(from)\n"
    "  return {p0 = 0.0, p1 = 0.0, p2 = 0.0, p3 = 0.0, x = from.x, y = 0.0, z = 0.0,\n"
    "    name = from.name, title = from.title}\n"
    "end\n"
    "local model = {x = 3.0, name = 'hello world', title = 'a title'}\n"
    "function make_proxy() return setmetatable({copy(model), false}, class) end\n"
    "function make_table()\n"
    "  local object = copy(model)\n"
    "  object.scale = methods.scale\n"
    "  return object\n"
    "end\n";

static void open(lua_State *L) {
  if (lua_getglobal(L, "make_proxy") == LUA_TNIL) {
    object_open(L);
    if (luaL_dostring(L, proxy_class)) abort();
  }
  lua_settop(L, -2);
}

bool subject_push(lua_State *L, const char *subject) {
  open(L);
  if (!strcmp(subject, "plain")) {
    Object *object = calloc(1, sizeof(Object));
    if (!object) abort();
    object->numbers[4] = 3;
    object_set_text(object, 0, "hello world", 11);
    object_set_text(object, 1, "a title", 7);
    object_push(L, object);
    return true;
  }
  if (strcmp(subject, "proxy") && strcmp(subject, "table")) return false;
  lua_getglobal(L, subject[0] == 'p' ? "make_proxy" : "make_table");
  lua_call(L, 0, 1);
  return true;
}

bool subject_listen(lua_State *L, const char *subject, int object) {
  object = lua_absindex(L, object);
  if (!strcmp(subject, "plain")) {
    Object **box = lua_touserdata(L, object);
    (*box)->listener = luaL_ref(L, LUA_REGISTRYINDEX);
    return true;
  }
  if (strcmp(subject, "proxy")) return false;
  lua_rawseti(L, object, 2);
  return true;
}
