// Lua's plain C API, a proxy in pure Lua, a plain table, and signals in pure Lua. The workload's name bears the subject:
// "plain read number".
#include <LuaWorkloads.h>
#include <Measure.h>
#include <lua5.4/lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object.h"
#include "subjects.h"

/// A function and an object at these places of the stack.
typedef struct Task {
  lua_State *L;
  int function, object;
} Task;

static void check_call(lua_State *L, int status) {
  if (status != LUA_OK) fprintf(stderr, "%s\n", lua_tostring(L, -1));
  measure_check(status == LUA_OK, "a call of Lua");
}

static void run_chunk(void *context, long count) {
  Task *task = context;
  lua_pushvalue(task->L, task->function);
  lua_pushvalue(task->L, task->object);
  lua_pushinteger(task->L, count);
  check_call(task->L, lua_pcall(task->L, 2, 0, 0));
}

static void call_with_number(void *context, long count) {
  Task *task = context;
  for (long i = 0; i < count; i++) {
    lua_pushvalue(task->L, task->function);
    lua_pushnumber(task->L, (double)i);
    check_call(task->L, lua_pcall(task->L, 1, 1, 0));
    measure_check(lua_tonumber(task->L, -1) == (double)i + 1, "the number");
    lua_pop(task->L, 1);
  }
}

static void call_with_string(void *context, long count) {
  Task *task = context;
  size_t length = 0;
  for (long i = 0; i < count; i++) {
    lua_pushvalue(task->L, task->function);
    lua_pushlstring(task->L, i & 1 ? "hello world" : "other text.", 11);
    check_call(task->L, lua_pcall(task->L, 1, 1, 0));
    lua_tolstring(task->L, -1, &length);
    measure_check(length == 11, "the string");
    lua_pop(task->L, 1);
  }
}

static void check_results(Task task, const char *workload) {
  lua_State *L = task.L;
  lua_getfield(L, task.object, "x");
  lua_getfield(L, task.object, "name");
  if (!strncmp(workload, "write number", 12)) {
    measure_check(lua_tonumber(L, -2) > 3, "the number written");
  }
  measure_check(lua_rawlen(L, -1) == 11, "the string");
  lua_pop(L, 2);
}

/// What Lua's memory holds for an object, its userdata and whatever belongs to it alone.
static void objects(lua_State *L, const char *subject) {
  enum { COUNT = 32768 };
  subject_push(L, subject);
  lua_createtable(L, COUNT, 0);
  lua_gc(L, LUA_GCCOLLECT);
  int before = lua_gc(L, LUA_GCCOUNT) * 1024 + lua_gc(L, LUA_GCCOUNTB);
  for (int i = 1; i <= COUNT; i++) {
    subject_push(L, subject);
    lua_rawseti(L, -2, i);
  }
  lua_gc(L, LUA_GCCOLLECT);
  int after = lua_gc(L, LUA_GCCOUNT) * 1024 + lua_gc(L, LUA_GCCOUNTB);
  measure_report("bytes", (double)(after - before) / COUNT);
}

static void run_graph(void *context, long count) {
  Task *task = context;
  lua_pushvalue(task->L, task->function);
  lua_pushinteger(task->L, count);
  check_call(task->L, lua_pcall(task->L, 1, 0, 0));
}

/// A graph of signals in pure Lua, by a library that lies in a folder which the environment names.
static void run_signals(Request request, const char *workload) {
  const char *folder = getenv("BENCH_ALIEN_SIGNALS");
  int edges;
  const char *chunk = signal_workload(workload, false, &edges);
  if (!folder || !chunk) request_refuse(request);
  lua_State *L = luaL_newstate();
  measure_check(L != NULL, "memory");
  luaL_openlibs(L);
  lua_pushstring(L, folder);
  lua_setglobal(L, "folder");
  check_call(L, luaL_dostring(L,
                              "package.path = folder .. '/?.lua;' .. folder .. '/?/init.lua'\n"
                              "local library = require 'alien-signals'\n"
                              "signal, computed = library.signal, library.computed\n"
                              "effect = library.effect"));
  check_call(L, luaL_loadstring(L, chunk));
  check_call(L, lua_pcall(L, 0, 2, 0));
  Task task = {.L = L, .function = lua_gettop(L) - 1};
  measure_run(request, "edge", edges, run_graph, &task);
  check_call(L, lua_pcall(L, 0, 1, 0));
  measure_check(lua_toboolean(L, -1), "the end of the graph");
}

int main(int argc, const char *const *argv) {
  Request request = request_parse(argc, argv);
  char subject[16];
  const char *space = strchr(request.workload, ' ');
  if (!space || space - request.workload >= (long)sizeof subject) request_refuse(request);
  snprintf(subject, sizeof subject, "%.*s", (int)(space - request.workload), request.workload);
  const char *workload = space + 1;
  if (!strcmp(subject, "alien")) {
    run_signals(request, workload);
    return 0;
  }

  lua_State *L = luaL_newstate();
  measure_check(L != NULL, "memory");
  luaL_openlibs(L);
  if (!subject_push(L, subject)) request_refuse(request);
  Task task = {.L = L, .object = lua_gettop(L)};
  if (!strcmp(workload, "bytes")) {
    objects(L, subject);
    return 0;
  }
  if (!strcmp(workload, "write heard")) {
    check_call(L, luaL_dostring(L, lua_workload("listener")));
    if (!subject_listen(L, subject, task.object)) request_refuse(request);
  }
  const char *chunk = lua_workload(workload);
  if (!chunk) request_refuse(request);
  check_call(L, luaL_loadstring(L, chunk));
  task.function = lua_gettop(L);
  if (strncmp(workload, "call", 4)) {
    measure_run(request, "operation", LUA_WORKLOAD_OPERATIONS, run_chunk, &task);
    check_results(task, workload);
    return 0;
  }
  check_call(L, lua_pcall(L, 0, 1, 0));
  task.function = lua_gettop(L);
  measure_run(request, "operation", 1,
              strcmp(workload, "call number") ? call_with_string : call_with_number, &task);
  return 0;
}
