#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "CTideLua.h"
#include "TideBorder.h"
#include "interpreter.h"

// The release is determined at run time, because the library may differ from the headers that the
// program was built with.

/// Earlier releases have bugs in coroutines and to-be-closed variables that crash ordinary scripts.
#define OLDEST "5.4.4"
enum { SERIES_LENGTH = sizeof "5.4." - 1 };

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

const char *tide_interpreter_oldest(void) { return OLDEST; }

int interpreter_release(void) {
  const char *version = tide_interpreter_version();
  return strncmp(version, OLDEST, SERIES_LENGTH) == 0 ? atoi(&version[SERIES_LENGTH]) : 0;
}

bool tide_interpreter_is_supported(void) {
  return interpreter_release() >= atoi(&OLDEST[SERIES_LENGTH]);
}

bool tide_interpreter_is_own_build(void) { return strstr(lua_ident, "$LuaBuild: tidelock $"); }
