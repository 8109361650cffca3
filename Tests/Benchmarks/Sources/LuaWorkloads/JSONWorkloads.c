#include <stddef.h>
#include <string.h>

#include "LuaWorkloads.h"

// What an interface answers: some 160 bytes.
#define ANSWER                                                                                  \
  "local text = [[{\"id\": 4711, \"name\": \"kiwi\", \"price\": 2.5, \"ripe\": true, \"tags\": "       \
  "[\"green\", \"sweet\"], \"stock\": {\"here\": 3, \"there\": 12}, \"note\": \"with a \\\"quote\\\"\", "  \
  "\"sold\": [1, 2, 3, 4.25]}]] "

static const struct {
  const char *name, *chunk;
} workloads[] = {
    {"json decode", "local n = ... " ANSWER
                    "local decode, a = json.decode for i = 1, n do a = decode(text) end "
                    "return n == 0 or a.stock.there == 12"},
    {"json encode", "local n = ... " ANSWER
                    "local encode, a, value = json.encode, nil, json.decode(text) "
                    "for i = 1, n do a = encode(value) end return n == 0 or #a > 100"},
};

const char *json_workload(const char *name) {
  for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++)
    if (!strcmp(workloads[i].name, name)) return workloads[i].chunk;
  return NULL;
}
