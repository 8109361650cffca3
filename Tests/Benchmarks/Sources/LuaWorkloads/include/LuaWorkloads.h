// The Lua that every Lua driver runs, letter for letter the same: chunks that are called with an
// object `o` and a count `n`, and do ten operations in each of `n` rounds.
//
// `o` has the properties p0 to p3, x, y, z (numbers), name and title (strings), and a method
// `scale(f)` that gives x * f.
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LUA_WORKLOAD_OPERATIONS = 10, LUA_WORKLOAD_PROPERTIES = 9 };

/// The chunk for a workload, or NULL.
const char *lua_workload(const char *name);

/// The chunk that uses one function of the standard library in each of `n` rounds, and how often it
/// does so in a round; NULL: no such function.
const char *library_workload(const char *name, int *operations);

/// The chunk that makes a graph of values which depend on each other, of our objects, or of signals by the
/// globals `signal`, `computed` and `effect`; and how many edges a change goes along. It gives a function
/// that changes the source n times, and one that says whether the end is right. NULL: no such graph.
const char *signal_workload(const char *name, bool isOurs, int *edges);

/// The chunk that decodes or encodes one small text of JSON in each of `n` rounds, by the global
/// `json`; NULL: no such workload.
const char *json_workload(const char *name);

#ifdef __cplusplus
}
#endif
