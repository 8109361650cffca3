#define _GNU_SOURCE
#include "TideRegions.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000  // Linux 4.17; before, the address is a mere wish
#endif

// The leak sanitizer searches for pointers only in memory from malloc. Mapped memory that holds
// objects and functions is registered with it.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define LOOKS_FOR_LEAKS 1
#endif
#endif
#ifndef LOOKS_FOR_LEAKS
#define LOOKS_FOR_LEAKS 0
#define __lsan_register_root_region(start, size) ((void)0)
#define __lsan_unregister_root_region(start, size) ((void)0)
#endif

// The thread sanitizer has a fixed memory layout, and ends a program that chooses addresses.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CHOOSES_ADDRESSES 0
#endif
#endif
#ifndef CHOOSES_ADDRESSES
#define CHOOSES_ADDRESSES 1
#endif

uint64_t tide_reservation = 0;

enum { GRAIN = 16 << 10, MOST_WINDOWS = 1 << 16 };

static struct {
  pthread_mutex_t lock;
  bool isPrepared;
  bool areWhole;    // the system chooses the addresses
  size_t size;      // the most bytes in one window; less than its width if limited
  uint64_t most;    // the most bytes of all windows together
  uint64_t bytes;
  uint32_t taken;
  // If the program chooses the addresses:
  uint32_t first, end, next;
  uint64_t used[MOST_WINDOWS / 64];
} windows = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_used(uint32_t number) { return windows.used[number / 64] >> (number % 64) & 1; }
static void set_used(uint32_t number, bool isUsed) {
  uint64_t bit = 1ull << (number % 64);
  if (isUsed)
    windows.used[number / 64] |= bit;
  else
    windows.used[number / 64] &= ~bit;
}

static const int access = PROT_READ | PROT_WRITE;
static const int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

/// Maps memory at an address if nothing is mapped there. Does not use MAP_FIXED, which would
/// replace an existing mapping.
static bool map_at(char *start, size_t bytes) {
  void *memory = mmap(start, bytes, access, kind | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == start) return true;
  if (memory != MAP_FAILED) munmap(memory, bytes);
  return false;
}

/// Maps a whole window and makes its first bytes usable. The rest counts towards the limit on
/// address space, but not towards the limit on writable memory.
static char *map_aligned(uint64_t size, size_t bytes) {
  char *raw = mmap(NULL, size * 2, PROT_NONE, kind, -1, 0);
  if (raw == MAP_FAILED) return NULL;
  char *aligned = (char *)(((uintptr_t)raw + size - 1) & ~(uintptr_t)(size - 1));
  if (aligned > raw) munmap(raw, (size_t)(aligned - raw));
  munmap(aligned + size, (size_t)(raw + size - aligned));
  if (mprotect(aligned, bytes, access) == 0) return aligned;
  munmap(aligned, size);
  return NULL;
}

/// The address of a new mapping, and whether the system places the next one below it; 0 if the
/// system refuses.
static uintptr_t address_of_new(bool *goesDown) {
  char *one = mmap(NULL, GRAIN, PROT_NONE, kind, -1, 0);
  if (one == MAP_FAILED) return 0;
  char *next = mmap(NULL, GRAIN, PROT_NONE, kind, -1, 0);
  munmap(one, GRAIN);
  if (next == MAP_FAILED) return 0;
  munmap(next, GRAIN);
  *goesDown = next < one;
  return (uintptr_t)one;
}

/// The lowest of some limits of the process; UINT64_MAX if there are none.
static uint64_t least_limit(int count, const int *kinds) {
  uint64_t least = UINT64_MAX;
  for (int index = 0; index < count; index++) {
    struct rlimit limit;
    if (getrlimit(kinds[index], &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur < least)
      least = limit.rlim_cur;
  }
  return least;
}

// MARK: With the lock held

/// Chooses the address range of windows: from an eighth of the address space to 21/32 of it, below
/// the program, which is at two thirds, and apart from the system's own mappings.
static void choose_windows(void) {
  // These bytes are on the initial stack, which is at the end of the address space.
  const void *random = (const void *)getauxval(AT_RANDOM);
  uintptr_t stack = random ? (uintptr_t)random : (uintptr_t)__builtin_frame_address(0);
  int bits = 64 - __builtin_clzll(stack);
  int most = CHOOSES_ADDRESSES ? 32 : 28, least = 28, wanted = bits - 15;
  uint64_t width = 1ull << (wanted > most ? most : wanted < least ? least : wanted);
  uint64_t count = (1ull << bits) / width;
  if (count > MOST_WINDOWS) count = MOST_WINDOWS;
  tide_reservation = width;
  windows.first = (uint32_t)(count / 8);
  windows.end = (uint32_t)(count * 21 / 32);
  // Without a limit on the stack, or if a process requests it, the system places its mappings in
  // that range, too. Windows are then placed on the side that the system leaves free.
  bool goesDown = false;
  uint64_t chosen = address_of_new(&goesDown) / width, margin = count / 32;
  if (chosen >= windows.first && chosen < windows.end) {
    if (goesDown)
      windows.first = (uint32_t)(chosen + margin);
    else
      windows.end = (uint32_t)(chosen > margin ? chosen - margin : 0);
  }
  if (windows.end <= windows.first) {
    windows.end = windows.first;
    return;
  }
  uint64_t number = 0;
  if (random) memcpy(&number, random, sizeof number);
  windows.next = windows.first + (uint32_t)(number % (windows.end - windows.first));
}

static char *start_of(uint32_t number) { return (char *)((uint64_t)number * tide_reservation); }

/// The next free window with nothing mapped at its start.
static char *choose_window(size_t bytes, uint32_t most) {
  uint32_t count = windows.end - windows.first;
  for (uint32_t tries = 0; tries < count && most > 0; tries++) {
    uint32_t number = windows.next;
    if (++windows.next == windows.end) windows.next = windows.first;
    if (is_used(number)) continue;
    if (map_at(start_of(number), bytes)) {
      set_used(number, true);
      return start_of(number);
    }
    most--;
  }
  return NULL;
}

static void prepare(void) {
  if (windows.isPrepared) return;
  windows.isPrepared = true;
  static const int kinds[] = {RLIMIT_AS, RLIMIT_DATA};
  uint64_t space = least_limit(1, kinds), usable = least_limit(2, kinds);
  choose_windows();
  char *probe = CHOOSES_ADDRESSES ? choose_window(GRAIN, 16) : NULL;
  if (probe) {
    munmap(probe, GRAIN);
    set_used((uint32_t)((uintptr_t)probe / tide_reservation), false);
  } else {
    windows.areWhole = true;
    while (tide_reservation > 1ull << 26 && tide_reservation > space / 16) tide_reservation >>= 1;
  }
  windows.size = tide_reservation;
  // Many windows must fit side by side, and half of the limit is left for everything else. Memory
  // in use counts towards both limits.
  while (windows.size > 1ull << 24 && windows.size > usable / 16) windows.size >>= 1;
  windows.most = usable == UINT64_MAX ? usable : usable / 2;
}

/// Counts bytes as in use. Returns false if they would exceed the limit for all windows.
static bool charge(size_t bytes) {
  if (bytes > windows.most || windows.bytes > windows.most - bytes) return false;
  windows.bytes += bytes;
  return true;
}

// MARK: Windows and regions

bool tide_window_take(TideRegion *regions, size_t bytes) {
  static const uint64_t shares[TIDE_REGIONS] = {16, 10, 2, 3, 1};
  pthread_mutex_lock(&windows.lock);
  prepare();
  bytes = (bytes + GRAIN - 1) / GRAIN * GRAIN;
  char *start = NULL;
  if (charge(bytes)) {
    if (windows.areWhole) {
      start = map_aligned(tide_reservation, bytes);
      // All windows have the same size, which is determined by the first one.
      while (!start && windows.taken == 0 && tide_reservation > 1ull << 24) {
        tide_reservation >>= 1;
        if (windows.size > tide_reservation) windows.size = tide_reservation;
        start = map_aligned(tide_reservation, bytes);
      }
    } else {
      start = choose_window(bytes, 64);
    }
    if (start)
      windows.taken++;
    else
      windows.bytes -= bytes;
  }
  pthread_mutex_unlock(&windows.lock);
  if (!start) return false;
  __lsan_register_root_region(start, bytes);
  char *region = start;
  for (int index = 0; index < TIDE_REGIONS; index++) {
    regions[index] = (TideRegion){
      .start = region,
      .bytes = index == 0 ? bytes : 0,
      .limit = windows.size / 32 * shares[index],
    };
    region += tide_reservation / 32 * shares[index];
  }
  return true;
}

void tide_window_give(const TideRegion *regions) {
  char *start = regions[0].start;
  uint64_t bytes = 0;
  for (int index = 0; index < TIDE_REGIONS; index++) {
    const TideRegion *region = &regions[index];
    bytes += region->bytes;
    if (region->bytes) __lsan_unregister_root_region(region->start, region->bytes);
    if (region->bytes && !windows.areWhole) munmap(region->start, region->bytes);
  }
  if (windows.areWhole) munmap(start, tide_reservation);
  pthread_mutex_lock(&windows.lock);
  windows.bytes -= bytes;
  windows.taken--;
  if (!windows.areWhole) set_used((uint32_t)((uintptr_t)start / tide_reservation), false);
  pthread_mutex_unlock(&windows.lock);
}

static bool extend(TideRegion *region, size_t bytes) {
  char *end = region->start + region->bytes;
  size_t more = bytes - region->bytes;
  pthread_mutex_lock(&windows.lock);
  bool isGiven = charge(more);
  if (isGiven && !(windows.areWhole ? mprotect(end, more, access) == 0 : map_at(end, more))) {
    windows.bytes -= more;
    isGiven = false;
  }
  pthread_mutex_unlock(&windows.lock);
  return isGiven;
}

bool tide_region_grow(TideRegion *region, size_t bytes) {
  if (bytes <= region->bytes) return true;
  if (bytes > region->limit) return false;
  size_t needed = (bytes + GRAIN - 1) / GRAIN * GRAIN, wanted = region->bytes * 2;
  if (needed > region->limit) needed = region->limit;
  if (wanted > region->limit) wanted = region->limit;
  if (wanted < needed) wanted = needed;
  if (!extend(region, wanted)) {
    wanted = needed;
    if (!extend(region, wanted)) return false;
  }
  if (region->bytes) __lsan_unregister_root_region(region->start, region->bytes);
  __lsan_register_root_region(region->start, wanted);
  region->bytes = wanted;
  return true;
}

uint32_t tide_windows_taken(void) {
  pthread_mutex_lock(&windows.lock);
  uint32_t taken = windows.taken;
  pthread_mutex_unlock(&windows.lock);
  return taken;
}

uint64_t tide_window_bytes(void) {
  pthread_mutex_lock(&windows.lock);
  uint64_t bytes = windows.bytes;
  pthread_mutex_unlock(&windows.lock);
  return bytes;
}
