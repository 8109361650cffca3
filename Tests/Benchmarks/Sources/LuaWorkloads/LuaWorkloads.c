#include "LuaWorkloads.h"

#include <stddef.h>
#include <string.h>

#define FIVE_TIMES(code) code " " code " " code " " code " " code " "
#define TEN_TIMES(code) FIVE_TIMES(code) FIVE_TIMES(code)
#define ROUNDS(locals, body) "local o, n = ... " locals " for i = 1, n do " body " end"

#define WRITE_NUMBER ROUNDS("local j", "j = i + 1 " FIVE_TIMES("o.x = i o.x = j"))
// Eleven bytes each; every write changes the value.
#define STRINGS "local s, t = 'hello world', 'other text.'"

static const struct {
  const char *name, *chunk;
} workloads[] = {
    {"read number", ROUNDS("local a", TEN_TIMES("a = o.x"))},
    {"write number", WRITE_NUMBER},
    {"read string", ROUNDS("local a", TEN_TIMES("a = o.name"))},
    {"write string", ROUNDS(STRINGS, FIVE_TIMES("o.name = s o.name = t"))},
    {"method", ROUNDS("local a", TEN_TIMES("a = o:scale(i)"))},
    {"write heard", WRITE_NUMBER},
    // Called by the host, once an operation.
    {"listener", "local last return function(value) last = value end"},
    {"call number", "return function(value) return value + 1 end"},
    {"call string", "return function(text) return text end"},
};

const char *lua_workload(const char *name) {
  for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++)
    if (!strcmp(workloads[i].name, name)) return workloads[i].chunk;
  return NULL;
}
