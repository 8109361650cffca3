// The depth of the calling thread's nested releases, and the objects queued until they have
// returned (ChainedRelease.swift).
#pragma once

#include <stdint.h>

typedef struct TideReleases {
  uint32_t depth;
  void *waiting;  // a retained Swift object, or NULL
} TideReleases;

TideReleases *tide_thread_releases(void);
