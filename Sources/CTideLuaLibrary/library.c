#include "library.h"

const TideLibrary *tide_library(bool hasJSON) {
  static const TideLibrary tables[] = {
      {"json", NULL, json_open},
      {LUA_GNAME, luaopen_base, base_open},
      {LUA_STRLIBNAME, luaopen_string, strings_open},
      {LUA_TABLIBNAME, luaopen_table, tables_open},
      {LUA_MATHLIBNAME, luaopen_math, math_open},
      {LUA_UTF8LIBNAME, luaopen_utf8, utf8_open},
      {LUA_COLIBNAME, NULL, coroutines_open},
      {NULL, NULL, NULL},
  };
  return hasJSON ? tables : tables + 1;
}
