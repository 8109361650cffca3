#include "TideProfile.h"

#include <stdlib.h>
#include <time.h>

enum { FIRST_CAPACITY = 1024, MOST_NODES = 1 << 20 };

TideProfile *tide_profile_make(void) {
  TideProfile *profile = calloc(1, sizeof *profile);
  if (!profile) return NULL;
  profile->nodes = calloc(FIRST_CAPACITY, sizeof *profile->nodes);
  profile->table = calloc(2 * FIRST_CAPACITY, sizeof *profile->table);
  profile->frames = calloc(TIDE_PROFILE_DEPTH, sizeof *profile->frames);
  profile->capacity = FIRST_CAPACITY;
  profile->mask = 2 * FIRST_CAPACITY - 1;
  profile->count = 1;
  if (profile->nodes && profile->table && profile->frames) return profile;
  tide_profile_free(profile);
  return NULL;
}

void tide_profile_free(TideProfile *profile) {
  free(profile->nodes);
  free(profile->table);
  free(profile->frames);
  free(profile);
}

// The processor's own counter, which takes a third of the time of the system's clock.
uint64_t tide_profile_clock(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
#endif
}

/// The average number of ticks below which code counts as quick: a few microseconds.
enum { QUICK = 10000, RUNS_TO_JUDGE = 16 };

void tide_profile_spend(TideProfile *profile, const TideProfileFrame *frame) {
  uint64_t ticks = tide_profile_clock() - frame->ticks;
  TideProfileNode *node = &profile->nodes[profile->current];
  uint64_t bytes = profile->bytes ? *profile->bytes - frame->bytes : 0;
  // A long run counts only once, and the next runs are timed again.
  if (ticks > 4 * (uint64_t)QUICK) node->isQuick = false;
  uint64_t times = node->isQuick ? TIDE_PROFILE_SPARSE : 1;
  node->ticks += ticks * times;
  node->bytes += bytes * times;
  // Code that was slow at first, for example because of its first allocation, may be quick
  // afterwards.
  if (++node->timed == RUNS_TO_JUDGE) node->isQuick = node->ticks / RUNS_TO_JUDGE < QUICK;
}

static uint32_t place_of(const TideProfile *profile, uint32_t parent, uint64_t key) {
  uint64_t mixed = (key ^ (uint64_t)parent << 32) * 0x9e3779b97f4a7c15;
  return (uint32_t)(mixed >> 32) & profile->mask;
}

static bool grow(TideProfile *profile) {
  uint32_t capacity = 2 * profile->capacity;
  if (capacity > MOST_NODES) return false;
  TideProfileNode *nodes = realloc(profile->nodes, capacity * sizeof *nodes);
  if (!nodes) return false;
  profile->nodes = nodes;
  uint32_t *table = calloc(2 * (size_t)capacity, sizeof *table);
  if (!table) return false;
  free(profile->table);
  profile->table = table;
  profile->capacity = capacity;
  profile->mask = 2 * capacity - 1;
  for (uint32_t i = 1; i < profile->count; i++) {
    uint32_t place = place_of(profile, nodes[i].parent, nodes[i].key);
    while (table[place]) place = (place + 1) & profile->mask;
    table[place] = i;
  }
  return true;
}

uint32_t tide_profile_node(TideProfile *profile, uint64_t key) {
  uint32_t parent = profile->current;
  uint32_t place = place_of(profile, parent, key);
  for (uint32_t found; (found = profile->table[place]); place = (place + 1) & profile->mask)
    if (profile->nodes[found].key == key && profile->nodes[found].parent == parent) return found;
  if (profile->count == profile->capacity) {
    if (!grow(profile)) return 0;
    place = place_of(profile, parent, key);
    while (profile->table[place]) place = (place + 1) & profile->mask;
  }
  uint32_t made = profile->count++;
  profile->table[place] = made;
  profile->nodes[made] = (TideProfileNode){.key = key, .parent = parent};
  if (profile->name) {
    // Asking for a name may run measured code as well, which may move the nodes.
    uint32_t name = profile->name(profile->host, key);
    profile->nodes[made].name = name;
  }
  return made;
}
