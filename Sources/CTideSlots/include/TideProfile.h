// A profile of an app's run time: a call tree with the number of runs, their duration, and the bytes
// that they request from the interpreter.
//
//   handler ── effect ── computed ── computed
//           └─ binding
//
// It exists only while profiling, and only one thread at a time uses it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Code that ran, identified by the number of a Profile.Key.
typedef struct TideProfileNode {
  uint64_t key;
  uint64_t ticks;  // including nested runs
  uint64_t bytes;
  uint32_t runs;
  uint32_t parent;  // 0: the root
  uint32_t name;    // the host's number for its name
  uint32_t timed;   // the number of timed runs
  // The nodes that were found last after this one began and after it ended, which are likely to be
  // found again.
  uint32_t first, following;
  bool isQuick;
} TideProfileNode;

typedef struct TideProfileFrame {
  uint64_t ticks, bytes;  // the counts at its start; 0 if it is not timed
  uint32_t node;          // the node that it runs in
  bool isCounted;
} TideProfileFrame;

typedef struct TideProfile {
  TideProfileNode *nodes;  // the first is the root
  uint32_t count, capacity;
  uint32_t *table;  // nodes by parent and key; a power of two of entries
  uint32_t mask;
  TideProfileFrame *frames;
  uint32_t depth, current;
  uint32_t ended;  // the node that ended last
  /// The counter of bytes allocated by the interpreter; NULL if they are not counted.
  const uint64_t *bytes;
  /// Returns the number of a key's name, when the key first occurs below a node.
  uint32_t (*name)(void *host, uint64_t key);
  void *host;
} TideProfile;

/// Returns NULL if memory runs out.
TideProfile *tide_profile_make(void);
void tide_profile_free(TideProfile *profile);

/// A monotonic clock with an unspecified unit.
uint64_t tide_profile_clock(void);
/// Adds the duration of a frame that ends now to the current node.
void tide_profile_spend(TideProfile *profile, const TideProfileFrame *frame);
/// Finds or creates the node with a key below the current node. Returns 0 if the profile is full.
uint32_t tide_profile_node(TideProfile *profile, uint64_t key);

enum {
  TIDE_PROFILE_DEPTH = 4096,
  /// Quick code is timed only once per this number of runs, for all of which the result counts. A
  /// power of two.
  TIDE_PROFILE_SPARSE = 32,
};

/// Finds the same node, trying the one found last time first.
static inline uint32_t tide_profile_find(TideProfile *profile, uint64_t key) {
  uint32_t parent = profile->current, ended = profile->ended;
  bool isBeside = ended && profile->nodes[ended].parent == parent;
  uint32_t known = isBeside ? profile->nodes[ended].following : profile->nodes[parent].first;
  if (known && profile->nodes[known].key == key && profile->nodes[known].parent == parent)
    return known;
  uint32_t found = tide_profile_node(profile, key);
  if (isBeside)
    profile->nodes[ended].following = found;
  else
    profile->nodes[parent].first = found;
  return found;
}

static inline void tide_profile_enter(TideProfile *profile, uint64_t key) {
  uint32_t depth = profile->depth++;
  if (depth >= TIDE_PROFILE_DEPTH) return;
  TideProfileFrame *frame = &profile->frames[depth];
  frame->node = profile->current;
  uint32_t found = tide_profile_find(profile, key);
  frame->isCounted = found != 0;
  frame->ticks = 0;
  if (!found) return;
  profile->current = found;
  const TideProfileNode *node = &profile->nodes[found];
  if (node->isQuick && (node->runs & (TIDE_PROFILE_SPARSE - 1))) return;
  frame->bytes = profile->bytes ? *profile->bytes : 0;
  frame->ticks = tide_profile_clock();
}

static inline void tide_profile_leave(TideProfile *profile) {
  // The running code may have begun before this profile.
  if (profile->depth == 0) return;
  uint32_t depth = --profile->depth;
  if (depth >= TIDE_PROFILE_DEPTH) return;
  const TideProfileFrame *frame = &profile->frames[depth];
  if (!frame->isCounted) return;
  if (frame->ticks) tide_profile_spend(profile, frame);
  profile->nodes[profile->current].runs++;
  profile->ended = profile->current;
  profile->current = frame->node;
}
