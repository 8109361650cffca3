#include <stdlib.h>

#include "host.h"

// Which release of Lua runs is known when the program runs: another library may have taken the place of
// the one that it was built with, and the headers' own numbers say nothing of that.

/// The first release whose faults in coroutines and closers are known to be bearable: those before it
/// crash on scripts that do nothing special.
enum { OLDEST_RELEASE = 4 };

static const char *release_of(const char *ident) {
  const char *found = strstr(ident, "Lua 5.4.");
  return found ? found + strlen("Lua ") : "";
}

const char *tide_interpreter_version(void) {
  enum { LONGEST = 15 };
  static char version[LONGEST + 1];
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  if (!*version) {
    const char *release = release_of(lua_ident);
    size_t count = strspn(release, "0123456789.");
    memcpy(version, release, count < LONGEST ? count : LONGEST);
  }
  pthread_mutex_unlock(&lock);
  return version;
}

const char *tide_interpreter_oldest(void) { return "5.4.4"; }

bool tide_interpreter_is_supported(void) {
  const char *version = tide_interpreter_version();
  return strncmp(version, "5.4.", 4) == 0 && atoi(version + 4) >= OLDEST_RELEASE;
}
