// How deep the calling thread is in nested releases, and what is queued until they have returned
// (ChainedRelease.swift).
#pragma once

#include <stdint.h>

typedef struct TideReleases {
  uint32_t depth;
  void *waiting;  // a retained Swift object, or NULL
} TideReleases;

TideReleases *tide_thread_releases(void);
