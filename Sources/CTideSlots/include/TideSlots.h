// The memory that the graph and the Lua shim share: property slots and the edges between them, in
// regions of one window per graph (TideRegions.h). Slots and edges never move, so a pointer to one
// is valid as long as its block exists. All other references are 32-bit indexes, counted from 1.
//
//   window begins ┬─ TideArena (one page)
//                 ├─ slots      48 bytes each, index 0 unused
//                 └─ edges      32 bytes each, index 0 unused, in a region of their own
//
// The window is aligned to its size, so masking a slot's address gives its graph.
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "TideRegions.h"
#include "TideTables.h"
#include "TideText.h"

/// The type of a slot's value.
enum {
  TIDE_NIL = 0,
  TIDE_BOOLEAN = 1,  // lo: 0 or 1
  TIDE_INTEGER = 2,  // lo: the 64 bits of an Int
  TIDE_NUMBER = 3,   // lo: the 64 bits of a Double
  TIDE_STRING = 4,   // lo, hi: a Swift String, written by Swift
  TIDE_BYTES = 5,    // lo: a counted TideBytes, written by Lua, any bytes
  TIDE_OBJECT = 6,   // lo: a retained Swift object; hi: its block's header slot, or 0
};

/// The values that may be written to a slot: the declared type, combined with TIDE_NULLABLE.
enum {
  TIDE_TYPE_ANY = 0,
  TIDE_TYPE_STRING = 1,
  TIDE_TYPE_NUMBER = 2,  // keeps an integer an integer and a float a float
  TIDE_TYPE_INTEGER = 3,
  TIDE_TYPE_BOOLEAN = 4,
  TIDE_TYPE_OBJECT = 5,
  TIDE_TYPE_LIST = 6,
  TIDE_TYPE_DICT = 7,
  TIDE_TYPE_MASK = 0x7f,
  TIDE_NULLABLE = 0x80,
};

/// The kind of a slot in the graph.
enum {
  TIDE_FREE = 0,
  TIDE_HEADER = 1,    // the first slot of an object's block
  TIDE_SOURCE = 2,    // a plain value
  TIDE_COMPUTED = 3,  // derived by a body, evaluated when read
  TIDE_EFFECT = 4,    // a body that runs again when a dependency changes
  TIDE_OBSERVER = 5,  // holds the last value; its body receives the next one
};

/// The mark in `state` of a slot whose changes are reported to the host.
enum { TIDE_WATCHED = 64 };
/// The mark in `state` of a slot that follows a block's header, at the distance `generation`.
enum { TIDE_INNER = 16384 };
/// Set in the generation of every block, and in no distance, so that the two can be distinguished.
static const uint32_t TIDE_BLOCK_GENERATION = 1u << 31;

/// The restrictions for readers and writers outside of the graph. 0: read and write the payload
/// directly.
enum {
  TIDE_OBSERVED = 1,   // notify the graph after a write that changes the value
  TIDE_DERIVED = 2,    // computed: ask the graph before reading; writing goes to its setter
  TIDE_READONLY = 4,   // scripts may not write
  TIDE_VALIDATED = 8,  // a write needs the host's consent
  TIDE_PRIOR = 16,     // notify an observer before a write
};

typedef struct TideSlot {
  uint64_t lo, hi;
  uint8_t tag, type, kind, access;
  // For the first slot of a block, the block's generation, which includes TIDE_BLOCK_GENERATION and
  // is incremented when the block is freed. For any other slot, the distance from its block's
  // header.
  uint32_t generation;
  uint32_t height;      // greater than that of every slot it depends on; of an observer that is a
                        // script's function: the listener's number in the shim
  uint32_t state;       // the graph's marks
  uint32_t firstOut;    // edges to dependents; the first one's prevOut is the last
  uint32_t firstIn;     // edges from dependencies, in reading order
  uint32_t body;        // the index of its body in the graph; of a header: the class number
  uint32_t cache;       // the Lua string that equals the value; of a header: the Lua identity
} TideSlot;

_Static_assert(sizeof(TideSlot) == 48, "six slots in 288 bytes");

typedef struct TideEdge {
  uint32_t source, target;
  uint32_t nextOut, prevOut;
  uint32_t nextIn;
  uint32_t body;   // a binding's transformer; 0 copies
  uint32_t owner;  // a binding's record; 0: a dependency found by tracking
  uint16_t flags;
  uint16_t generation;
} TideEdge;

_Static_assert(sizeof(TideEdge) == 32, "two edges in a cache line");

/// A string written by Lua, shared by the slots that it was copied to.
typedef struct TideBytes {
  uint32_t references, count;
  char bytes[];
} TideBytes;

static inline TideBytes *tide_bytes_make(const char *from, uint32_t count) {
  TideBytes *made = (TideBytes *)malloc(sizeof(TideBytes) + count);
  if (!made) return NULL;
  made->references = 1;
  made->count = count;
  if (count) memcpy(made->bytes, from, count);
  return made;
}

static inline void tide_bytes_release(TideBytes *bytes) {
  if (--bytes->references == 0) free(bytes);
}

typedef struct TideArena {
  struct TideArena *base;
  TideSlot *slots;
  TideEdge *edges;
  void *owner;  // Swift's graph object; NULL: slots without a graph (TideNursery.h)

  const void *owningID;  // identifies its owner (TideThread.h)
  uint64_t owningMark;   // distinguishes tasks at the same address; otherwise 0
  uint32_t owning;

  uint32_t active;    // the slot whose reads are recorded; 0: none
  uint32_t cursor;    // the edge that the previous run read next
  uint32_t lastRead;  // the edge that this run has read last
  uint32_t batch;     // the number of open batches
  uint32_t postponed; // whether writes wait for the batches to end

  bool isRunning;     // a change is being propagated
  bool isFlushing;    // effects and observers run
  bool hasLeftovers;  // work is left for the wave's end; one check suffices for most
  uint32_t wave;      // grows with every outermost wave
  long evaluating;    // the nesting depth of evaluations
  long steps;         // edges followed in this wave, to detect repeated ones

  struct TideHistory *history;  // why values are what they are; NULL: not kept (TideHistory.h)

  // The state of the open context, managed by the layer above.
  void *context;
  uint32_t begun, begunBase;  // contexts opened without a function: all, and outer ones

  // The capacity is the number that has memory now; the limit is the maximum.
  uint32_t slotCount, slotCapacity, slotLimit;
  uint32_t edgeCount, edgeCapacity, edgeLimit, freeEdge;
  uint32_t bodyCapacity, bodyLimit;
  uint32_t freeBlocks[64];  // by slot count; linked through firstOut

  // Lua string-cache entries whose value was overwritten, which the shim may reuse.
  uint32_t deadCount, deadCapacity;
  uint32_t *dead;

  // Blocks released on other threads, linked through their header's firstIn, and nodes, whose
  // firstIn is used for edges. While the lock is held, no other thread frees a block, so that a
  // walk over all objects finds them.
  _Atomic(uint32_t) remoteBlocks;
  _Atomic(struct TideRemoteNode *) remoteNodes;
  pthread_mutex_t remoteLock;

  TideTables tables;
  TideRegion regions[TIDE_REGIONS];
} TideArena;

/// Reserves memory for a graph; returns NULL if the system refuses it.
TideArena *tide_arena_reserve(void);
void tide_arena_release(TideArena *arena);

// Each makes room for at least the given total number. Returns false if the system refuses memory
// or the limit is reached.

bool tide_arena_grow_slots(TideArena *arena, uint64_t count);
bool tide_arena_grow_edges(TideArena *arena, uint64_t count);
bool tide_arena_grow_bodies(TideArena *arena, uint64_t count);
/// Makes room for the given number of bytes of the upper layer's records.
bool tide_arena_grow_records(TideArena *arena, size_t bytes);

/// The memory of a graph's functions, and of the upper layer's records.
static inline void *tide_arena_bodies(TideArena *arena) {
  return arena->regions[TIDE_REGION_BODIES].start;
}
static inline void *tide_arena_records(TideArena *arena) {
  return arena->regions[TIDE_REGION_RECORDS].start;
}
static inline size_t tide_arena_record_bytes(const TideArena *arena) {
  return arena->regions[TIDE_REGION_RECORDS].bytes;
}
static inline TideTables *tide_arena_tables(TideArena *arena) { return &arena->tables; }

/// Records that no slot has a cached Lua string as its value any more.
void tide_arena_bury(TideArena *arena, uint32_t cache);
/// Queues a block whose object was released on another thread. Any thread may call it.
void tide_arena_free_remote(TideSlot *header);

/// A node whose owner was released on another thread.
typedef struct TideRemoteNode {
  struct TideRemoteNode *next;
  TideSlot *slot;
} TideRemoteNode;

/// Queues such a node. Any thread may call it.
void tide_arena_free_remote_node(TideSlot *slot);
/// Removes one of these nodes from the queue, or returns NULL if there are none. Only the graph's
/// own thread calls it.
TideSlot *tide_arena_take_remote_node(TideArena *arena);
/// Keeps other threads from freeing objects until it is unlocked. The graph's own thread may still
/// free them.
void tide_arena_lock_remote(TideArena *arena);
void tide_arena_unlock_remote(TideArena *arena);

/// Requests the pages of memory that will be written soon, all at once, which costs much less than
/// a fault per page.
void tide_prefault(void *start, size_t bytes);

/// The usable size of an allocation, in bytes.
size_t tide_usable_size(const void *memory);

/// A number of the calling thread that is never reused.
uintptr_t tide_thread_identity(void);
/// The lowest address of the calling thread's stack.
uintptr_t tide_stack_end(void);
/// The number of bytes left on the calling thread's stack.
size_t tide_stack_left(void);

static inline TideArena *tide_arena_of(const TideSlot *slot) {
  return (TideArena *)((uintptr_t)slot & ~(uintptr_t)(tide_reservation - 1));
}

/// The head of the list of free blocks of a size below 64, linked through firstOut.
static inline uint32_t *tide_arena_free_blocks(TideArena *arena, uint32_t size) {
  return &arena->freeBlocks[size];
}

static inline uint32_t tide_slot_index(const TideSlot *slot) {
  return (uint32_t)(slot - tide_arena_of(slot)->slots);
}

static inline int tide_arena_has_remote(TideArena *arena) {
  return atomic_load_explicit(&arena->remoteBlocks, memory_order_relaxed) != 0 ||
         atomic_load_explicit(&arena->remoteNodes, memory_order_relaxed) != NULL;
}

/// Takes all blocks that other threads have released: returns the index of the first; they are
/// linked by firstIn.
static inline uint32_t tide_arena_take_remote(TideArena *arena) {
  if (!atomic_load_explicit(&arena->remoteBlocks, memory_order_relaxed)) return 0;
  return atomic_exchange_explicit(&arena->remoteBlocks, 0, memory_order_acquire);
}
