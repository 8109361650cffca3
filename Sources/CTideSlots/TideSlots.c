#define _GNU_SOURCE
#include "TideHistory.h"
#include "TideSlots.h"
#include "TideThread.h"

#include <malloc.h>
#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23  // Linux 5.14; Debian 12's headers know it, older ones do not
#endif
#include <sys/resource.h>

enum { PAGE = 4096, FIRST_BYTES = 64 << 10 };

static uint32_t count_in(size_t bytes, size_t size) {
  return bytes / size > UINT32_MAX ? UINT32_MAX : (uint32_t)(bytes / size);
}

static void measure_slots(TideArena *arena) {
  const TideRegion *slots = &arena->regions[TIDE_REGION_SLOTS];
  arena->slotCapacity = count_in(slots->bytes - PAGE, sizeof(TideSlot));
}

TideArena *tide_arena_reserve(void) {
  TideRegion regions[TIDE_REGIONS];
  if (!tide_window_take(regions, FIRST_BYTES)) return NULL;
  TideArena *arena = (TideArena *)regions[TIDE_REGION_SLOTS].start;
  memcpy(arena->regions, regions, sizeof regions);
  arena->base = arena;
  arena->slots = (TideSlot *)((char *)arena + PAGE);
  arena->edges = (TideEdge *)regions[TIDE_REGION_EDGES].start;
  arena->slotCount = 1;
  arena->edgeCount = 1;
  arena->slotLimit = count_in(regions[TIDE_REGION_SLOTS].limit - PAGE, sizeof(TideSlot));
  arena->edgeLimit = count_in(regions[TIDE_REGION_EDGES].limit, sizeof(TideEdge));
  arena->bodyLimit = count_in(regions[TIDE_REGION_BODIES].limit, sizeof(void *));
  measure_slots(arena);
  bool hasTables = tide_tables_make(&arena->tables, arena->slotCapacity);
  // Index 0, which means none, is read as well.
  if (!hasTables || !tide_arena_grow_edges(arena, 2) || !tide_arena_grow_bodies(arena, 2)) {
    if (hasTables) tide_tables_free(&arena->tables);
    memcpy(regions, arena->regions, sizeof regions);
    tide_window_give(regions);
    return NULL;
  }
  pthread_mutex_init(&arena->remoteLock, NULL);
  return arena;
}

void tide_arena_release(TideArena *arena) {
  TideThread *thread = tide_thread();
  if (thread->entered == arena) thread->entered = NULL;
  if (thread->own == arena) thread->own = NULL;
  if (thread->found == arena) thread->executor = NULL;
  free(arena->dead);
  while (tide_arena_take_remote_node(arena)) {
  }
  tide_history_forget(arena);
  tide_tables_free(&arena->tables);
  pthread_mutex_destroy(&arena->remoteLock);
  TideRegion regions[TIDE_REGIONS];
  memcpy(regions, arena->regions, sizeof regions);
  tide_window_give(regions);
}

bool tide_arena_grow_slots(TideArena *arena, uint64_t count) {
  if (count <= arena->slotCapacity) return true;
  if (count > arena->slotLimit) return false;
  TideRegion *region = &arena->regions[TIDE_REGION_SLOTS];
  if (!tide_region_grow(region, PAGE + count * sizeof(TideSlot))) return false;
  uint32_t capacity = count_in(region->bytes - PAGE, sizeof(TideSlot));
  if (capacity > arena->slotLimit) capacity = arena->slotLimit;
  if (!tide_tables_grow_links(&arena->tables, capacity)) return false;
  arena->slotCapacity = capacity;
  tide_history_grow(arena);
  return true;
}

bool tide_arena_grow_edges(TideArena *arena, uint64_t count) {
  if (count <= arena->edgeCapacity) return true;
  if (count > arena->edgeLimit) return false;
  TideRegion *region = &arena->regions[TIDE_REGION_EDGES];
  if (!tide_region_grow(region, count * sizeof(TideEdge))) return false;
  arena->edgeCapacity = count_in(region->bytes, sizeof(TideEdge));
  if (arena->edgeCapacity > arena->edgeLimit) arena->edgeCapacity = arena->edgeLimit;
  return true;
}

bool tide_arena_grow_bodies(TideArena *arena, uint64_t count) {
  if (count <= arena->bodyCapacity) return true;
  if (count > arena->bodyLimit) return false;
  TideRegion *region = &arena->regions[TIDE_REGION_BODIES];
  if (!tide_region_grow(region, count * sizeof(void *))) return false;
  arena->bodyCapacity = count_in(region->bytes, sizeof(void *));
  return true;
}

bool tide_arena_grow_records(TideArena *arena, size_t bytes) {
  return tide_region_grow(&arena->regions[TIDE_REGION_RECORDS], bytes);
}

void tide_arena_bury(TideArena *arena, uint32_t cache) {
  if (arena->deadCount == arena->deadCapacity) {
    uint32_t capacity = arena->deadCapacity ? arena->deadCapacity * 2 : 64;
    uint32_t *grown = realloc(arena->dead, capacity * sizeof(uint32_t));
    // Out of memory: the entry stays in use, which costs a few bytes but is otherwise harmless.
    if (!grown) return;
    arena->dead = grown;
    arena->deadCapacity = capacity;
  }
  arena->dead[arena->deadCount++] = cache;
}

void tide_arena_free_remote(TideSlot *header) {
  TideArena *arena = tide_arena_of(header);
  uint32_t index = tide_slot_index(header);
  pthread_mutex_lock(&arena->remoteLock);
  // The object's memory is freed after this function returns.
  header->lo = 0;
  uint32_t head = atomic_load_explicit(&arena->remoteBlocks, memory_order_relaxed);
  do
    header->firstIn = head;
  while (!atomic_compare_exchange_weak_explicit(&arena->remoteBlocks, &head, index,
                                                memory_order_release, memory_order_relaxed));
  pthread_mutex_unlock(&arena->remoteLock);
}

void tide_arena_free_remote_node(TideSlot *slot) {
  TideArena *arena = tide_arena_of(slot);
  TideRemoteNode *node = malloc(sizeof *node);
  // Out of memory: the node is not freed, which is harmless, because its body finds that its owner
  // no longer exists.
  if (!node) return;
  node->slot = slot;
  node->next = atomic_load_explicit(&arena->remoteNodes, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&arena->remoteNodes, &node->next, node,
                                                memory_order_release, memory_order_relaxed)) {
  }
}

TideSlot *tide_arena_take_remote_node(TideArena *arena) {
  TideRemoteNode *node = atomic_load_explicit(&arena->remoteNodes, memory_order_acquire);
  // Other threads only insert nodes before it, and only this thread removes nodes.
  while (node && !atomic_compare_exchange_weak_explicit(&arena->remoteNodes, &node, node->next,
                                                        memory_order_acquire, memory_order_acquire)) {
  }
  if (!node) return NULL;
  TideSlot *slot = node->slot;
  free(node);
  return slot;
}

void tide_arena_lock_remote(TideArena *arena) { pthread_mutex_lock(&arena->remoteLock); }
void tide_arena_unlock_remote(TideArena *arena) { pthread_mutex_unlock(&arena->remoteLock); }

size_t tide_usable_size(const void *memory) { return malloc_usable_size((void *)memory); }

uintptr_t tide_thread_identity(void) {
  static _Atomic(uintptr_t) latest;
  static _Thread_local uintptr_t own;
  if (!own) own = atomic_fetch_add_explicit(&latest, 1, memory_order_relaxed) + 1;
  return own;
}

// Finds the main thread's stack from data that the kernel has placed at its top, because the C
// library reads /proc, which is inaccessible in a confined process. An unlimited stack is assumed
// to have the usual size.
static uintptr_t main_stack_end(void) {
  const char *last = (const char *)getauxval(AT_EXECFN);
  struct rlimit limit;
  uintptr_t size = 8ull << 20;
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) size = limit.rlim_cur;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  uintptr_t top = last ? (uintptr_t)(last + strlen(last)) & ~(uintptr_t)(PAGE - 1) : here;
  uintptr_t end = top > size ? top - size : 0;
  // For any other stack, assume that only a little is left.
  return end && here > end && here <= top + PAGE ? end : here - (256u << 10);
}

uintptr_t tide_stack_end(void) {
  static _Thread_local uintptr_t end = 0;
  if (end) return end;
  pthread_attr_t attributes;
  void *start = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    if (pthread_attr_getstack(&attributes, &start, &size) != 0) start = NULL;
    pthread_attr_destroy(&attributes);
  }
  return end = start ? (uintptr_t)start : main_stack_end();
}

// Uses the frame's address, because a sanitizer stores local variables elsewhere.
size_t tide_stack_left(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0), end = tide_stack_end();
  return here > end ? here - end : 0;
}

void tide_prefault(void *start, size_t bytes) {
  uintptr_t first = ((uintptr_t)start + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
  // On kernels without this call, the pages are faulted in one by one.
  madvise((void *)first, bytes & ~(size_t)(PAGE - 1), MADV_POPULATE_WRITE);
}
