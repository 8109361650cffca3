#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "access.h"
#include "processes.h"
#include "system.h"

// The library `os`: Lua's harmless functions, and those that are allowed individually.

enum { LONGEST_DATE_FORMAT = 4096 };

static int os_result(lua_State *L, int failure, int argument) {
  if (!failure) {
    lua_pushboolean(L, 1);
    return 1;
  }
  luaL_pushfail(L);
  lua_pushfstring(L, "%s: %s", lua_tostring(L, argument), strerror(failure));
  lua_pushinteger(L, failure);
  return 3;
}

static int os_getenv(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  if (!access_has(state_of(L), TIDE_ALLOW_ENVIRONMENT, name))
    return luaL_error(L,
                      "reading the environment variable \"%s\" is not allowed; %s env=%s", name,
                      access_remedy(state_of(L)), name);
  const char *value = getenv(name);
  if (value)
    lua_pushstring(L, value);
  else
    luaL_pushfail(L);
  return 1;
}

static int os_execute(lua_State *L) {
  const char *command = luaL_optstring(L, 1, NULL);
  bool mayRun = access_has(state_of(L), TIDE_ALLOW_RUN, NULL);
  if (!command) {
    lua_pushboolean(L, mayRun);
    return 1;
  }
  if (!mayRun)
    return luaL_error(L, "running \"%s\" is not allowed; %s run", command,
                      access_remedy(state_of(L)));
  ChildProcess child;
  int failure = process_start(state_of(L), command, 0, &child);
  return failure ? os_result(L, failure, 1) : process_finish(L, &child);
}

static int os_remove(lua_State *L) {
  const char *path = access_path(L, 1);
  AccessTarget target;
  int failure = access_find(state_of(L), path, TIDE_ALLOW_WRITE, false, &target);
  if (target.refused) return access_refuse(L, path, &target);
  if (failure) return os_result(L, failure, 1);
  failure = unlinkat(target.folder, target.name, 0) == 0 ? 0 : errno;
  if (failure == EISDIR || failure == EPERM)
    failure = unlinkat(target.folder, target.name, AT_REMOVEDIR) == 0 ? 0 : errno;
  close(target.folder);
  return os_result(L, failure, 1);
}

static int os_rename(lua_State *L) {
  const char *source = access_path(L, 1), *target = access_path(L, 2);
  AccessTarget from, to;
  int failure = access_find(state_of(L), source, TIDE_ALLOW_WRITE, false, &from);
  if (from.refused) return access_refuse(L, source, &from);
  if (failure) return os_result(L, failure, 1);
  failure = access_find(state_of(L), target, TIDE_ALLOW_WRITE, false, &to);
  if (!failure && !access_admits_move(&from, &to)) {
    to.refused = TIDE_ALLOW_WRITE;
    to.isProtected = true;
  } else if (!failure && renameat(from.folder, from.name, to.folder, to.name) != 0) failure = errno;
  close(from.folder);
  if (to.folder >= 0) close(to.folder);
  if (to.refused) return access_refuse(L, target, &to);
  return os_result(L, failure, failure && to.folder < 0 ? 2 : 1);
}

static int os_tmpname(lua_State *L) {
  const TideAllowance *folder = access_scratch(L, "os.tmpname");
  char name[32];
  int file = access_open_scratch(folder->folder, name);
  if (file < 0) return luaL_error(L, "unable to generate a unique filename");
  close(file);
  // Does not reveal the target of a link in the folder's name.
  lua_pushfstring(L, "%s/%s", folder->written, name);
  return 1;
}

static int os_date(lua_State *L) {
  if (lua_type(L, 1) == LUA_TSTRING && lua_rawlen(L, 1) > LONGEST_DATE_FORMAT)
    return luaL_error(L, "format too long");
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

void system_open(lua_State *L) {
  static const char *const harmless[] = {"time", "clock", "difftime"};
  static const luaL_Reg functions[] = {
      {"getenv", os_getenv}, {"execute", os_execute}, {"remove", os_remove},
      {"rename", os_rename}, {"tmpname", os_tmpname}, {NULL, NULL},
  };
  lua_createtable(L, 0, 10);
  for (int i = 0; i < 3; i++) {
    lua_getfield(L, -2, harmless[i]);
    lua_setfield(L, -2, harmless[i]);
  }
  lua_getfield(L, -2, "date");
  lua_pushcclosure(L, os_date, 1);
  lua_setfield(L, -2, "date");
  lua_remove(L, -2);
  luaL_setfuncs(L, functions, 0);
}
