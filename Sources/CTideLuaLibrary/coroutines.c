#include "library.h"

// The coroutine functions of scripts. The border runs the coroutines (CTideLua/coroutines.c): it
// knows which one to stop, and a host function that waits suspends every coroutine between it and
// the host.

static lua_State *check_coroutine(lua_State *L) {
  lua_State *co = coroutine_at(L, 1);
  luaL_argexpected(L, co, 1, "coroutine");
  return co;
}

// MARK: resume

static int resume_results(lua_State *L, int results) {
  lua_pushboolean(L, results >= 0);
  if (results < 0) results = 1;
  lua_insert(L, -results - 1);
  return results + 1;
}

static int resume_again(lua_State *L, int status, lua_KContext height) {
  (void)status;
  int arguments = lua_gettop(L) - (int)height;
  return resume_results(L, coroutine_resume(L, lua_tothread(L, 1), arguments, resume_again));
}

static int co_resume(lua_State *L) {
  lua_State *co = check_coroutine(L);
  return resume_results(L, coroutine_resume(L, co, lua_gettop(L) - 1, resume_again));
}

// MARK: wrap

static int wrap_results(lua_State *L, int results) {
  if (likely(results >= 0)) return results;
  int status = coroutine_close_failed(L, lua_tothread(L, lua_upvalueindex(1)));
  if (status != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

static int wrap_again(lua_State *L, int status, lua_KContext height) {
  (void)status;
  int arguments = lua_gettop(L) - (int)height;
  lua_State *co = lua_tothread(L, lua_upvalueindex(1));
  return wrap_results(L, coroutine_resume(L, co, arguments, wrap_again));
}

static int call_wrapped(lua_State *L) {
  lua_State *co = lua_tothread(L, lua_upvalueindex(1));
  return wrap_results(L, coroutine_resume(L, co, lua_gettop(L), wrap_again));
}

static int co_create(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  return 1;
}

static int co_wrap(lua_State *L) {
  co_create(L);
  lua_pushcclosure(L, call_wrapped, 1);
  return 1;
}

// MARK: Other functions

static int co_yield(lua_State *L) {
  return lua_yieldk(L, lua_gettop(L), 0, coroutine_yielded);
}

static int co_status(lua_State *L) {
  lua_pushstring(L, coroutine_status(L, check_coroutine(L)));
  return 1;
}

static int co_running(lua_State *L) {
  bool isMain = lua_pushthread(L);
  // A trusted script may inspect the main coroutine's stack.
  if (isMain && !(budget_of(L)->limits.open & TIDE_OPEN_DEBUG)) coroutine_push_main(L);
  lua_pushboolean(L, isMain);
  return 2;
}

static int co_isyieldable(lua_State *L) {
  lua_pushboolean(L, lua_isyieldable(lua_isthread(L, 1) ? check_coroutine(L) : L));
  return 1;
}

static int co_close(lua_State *L) {
  lua_State *co = check_coroutine(L);
  const char *status = coroutine_status(L, co);
  if (*status == 'r' || *status == 'n')
    return luaL_error(L, "cannot close a %s coroutine", status);
  bool isClosed = coroutine_close(L, co);
  lua_pushboolean(L, isClosed);
  if (isClosed) return 1;
  lua_insert(L, -2);
  return 2;
}

void coroutines_open(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"create", co_create},   {"resume", co_resume},           {"wrap", co_wrap},
      {"yield", co_yield},     {"status", co_status},           {"running", co_running},
      {"close", co_close},     {"isyieldable", co_isyieldable}, {NULL, NULL},
  };
  luaL_setfuncs(L, functions, 0);
}
