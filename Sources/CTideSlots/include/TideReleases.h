// How deep the calling thread is in releasing what holds other things, and what waits for that to
// end (ChainedRelease.swift).
#pragma once

#include <stdint.h>

typedef struct TideReleases {
  uint32_t depth;
  void *waiting;  // a retained Swift object, or NULL
} TideReleases;

TideReleases *tide_thread_releases(void);
