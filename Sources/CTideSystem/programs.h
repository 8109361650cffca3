// What a program is started with, in this process or by the broker.
#pragma once

#include <stddef.h>
#include <sys/types.h>

#include "CTideSystem.h"

/// How a program runs beside the one that starts it.
struct program_place {
  bool is_foreground;  // in this process's group, with its whole environment
  bool is_child;       // killed when this process ends, which has no other thread
  int ruleset;         // of Landlock, which confines it; -1: none
};

/// Starts a program that is looked for as a shell does; gives an error number. Descriptors that are
/// -1 are this process's own.
int program_spawn(const TideProgramRequest *request, const struct program_place *place, pid_t *id);

/// Whether a signal may be sent to a program that a script has started.
bool program_takes(int signal);

/// Writes a request as text without zeros; NULL with `errno`. The caller frees it.
char *program_encode(const TideProgramRequest *request);
/// Reads such a text, which is changed and must live as long as the request; false where it is none. The
/// caller frees the request's lists by `program_forget`.
bool program_decode(char *text, TideProgramRequest *request);
void program_forget(TideProgramRequest *request);

/// The length of a list that ends with NULL, which may be NULL itself.
static inline size_t program_count(const char *const *list) {
  size_t count = 0;
  while (list && list[count]) count++;
  return count;
}
