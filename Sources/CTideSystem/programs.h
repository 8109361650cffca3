// Starting programs, in this process or in the broker.
#pragma once

#include <stddef.h>
#include <sys/types.h>

#include "CTideSystem.h"

/// How a program is started relative to this process.
struct program_place {
  bool is_foreground;  // in this process's group, with its whole environment
  bool is_child;       // killed when this process ends, which has no other thread
  int ruleset;         // of Landlock, which confines it; -1: none
};

/// Starts a program that is found as by a shell. Returns 0 or an error number. A descriptor of -1
/// stands for this process's own.
int program_spawn(const TideProgramRequest *request, const struct program_place *place, pid_t *id);

/// Whether scripts may send a signal to programs.
bool program_takes(int signal);

/// Encodes a request as text without zeros; NULL with `errno` on failure. The caller frees it.
char *program_encode(const TideProgramRequest *request);
/// Decodes such a text, which is modified and must live as long as the request. Returns false if it
/// is invalid. The caller frees the request's lists with `program_forget`.
bool program_decode(char *text, TideProgramRequest *request);
void program_forget(TideProgramRequest *request);

/// The length of a NULL-terminated list, which may itself be NULL.
static inline size_t program_count(const char *const *list) {
  size_t count = 0;
  while (list && list[count]) count++;
  return count;
}
