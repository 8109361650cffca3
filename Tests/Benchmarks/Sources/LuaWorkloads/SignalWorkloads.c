#include <stddef.h>
#include <string.h>

#include "LuaWorkloads.h"

// The same graphs of values, once of our objects and once of signals that are called, as the script's
// author writes them in each.

#define GRAPH(build, write, expected)                                                             \
  "local seen, v = 0, 0 " build                                                                   \
  " return function(n) for i = 1, n do v = v + 1 " write " end end,"                              \
  " function() return seen == " expected " end"

#define CHAIN(source, derived, read)                                                              \
  "local s = " source " local last = s"                                                           \
  " for i = 1, 100 do local b = last last = " derived("b" read " + 1") " end"                     \
  " effect(function() seen = last" read " end)"
#define FAN_OUT(source, read)                                                                     \
  "local s = " source " for i = 1, 100 do effect(function() seen = s" read " end) end"
#define DIAMOND(source, derived, block, read)                                                     \
  "local s, c = " source ", {} for i = 1, 100 do c[i] = " derived("s" read " + i") " end"         \
  " local sum = " block("local t = 0 for i = 1, 100 do t = t + c[i]" read " end return t")        \
  " effect(function() seen = sum" read " end)"

#define OWN_BLOCK(body) "object { value = computed(function() " body " end) }"
#define OWN_DERIVED(expression) OWN_BLOCK("return " expression)
#define SIGNAL_BLOCK(body) "computed(function() " body " end)"
#define SIGNAL_DERIVED(expression) SIGNAL_BLOCK("return " expression)

#define OWN "object { value = 0 }"
#define SIGNAL "signal(0)"

static const struct {
  const char *name, *own, *signals;
  int edges;
} workloads[] = {
    {"chain", GRAPH(CHAIN(OWN, OWN_DERIVED, ".value"), "s.value = v", "v + 100"),
     GRAPH(CHAIN(SIGNAL, SIGNAL_DERIVED, "()"), "s(v)", "v + 100"), 100},
    {"fan-out", GRAPH(FAN_OUT(OWN, ".value"), "s.value = v", "v"),
     GRAPH(FAN_OUT(SIGNAL, "()"), "s(v)", "v"), 100},
    {"diamond", GRAPH(DIAMOND(OWN, OWN_DERIVED, OWN_BLOCK, ".value"), "s.value = v", "100 * v + 5050"),
     GRAPH(DIAMOND(SIGNAL, SIGNAL_DERIVED, SIGNAL_BLOCK, "()"), "s(v)", "100 * v + 5050"), 201},
    // What is a chain of computed signals there is one of bindings here, which keep no object.
    {"transformers",
     GRAPH("transformer('more', function(x) return x + 1 end) local s = " OWN " local all = {s}"
           " for i = 1, 100 do all[i + 1] = " OWN
           " bind('value -> value | more', all[i], all[i + 1]) end"
           " effect(function() seen = all[101].value end)",
           "s.value = v", "v + 100"),
     GRAPH(CHAIN(SIGNAL, SIGNAL_DERIVED, "()"), "s(v)", "v + 100"), 100},
};

const char *signal_workload(const char *name, bool isOurs, int *edges) {
  for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
    if (strcmp(workloads[i].name, name)) continue;
    *edges = workloads[i].edges;
    return isOurs ? workloads[i].own : workloads[i].signals;
  }
  return NULL;
}
