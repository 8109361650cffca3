#include "TideReleases.h"

TideReleases *tide_thread_releases(void) {
  static _Thread_local TideReleases releases;
  return &releases;
}
