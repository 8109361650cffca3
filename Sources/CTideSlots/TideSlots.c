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

// The leak sanitizer looks for pointers in what malloc gave, not in mapped memory: it must be told
// of the reservation, which holds objects and functions. It reads all of it, so there it is small.
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

uint64_t tide_reservation = 0;

static pthread_mutex_t reserving = PTHREAD_MUTEX_INITIALIZER;

enum { PAGE = 4096 };

static void *reserve_aligned(uint64_t size) {
  char *raw = mmap(NULL, size * 2, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) return NULL;
  char *aligned = (char *)(((uintptr_t)raw + size - 1) & ~(uintptr_t)(size - 1));
  if (aligned > raw) munmap(raw, (size_t)(aligned - raw));
  munmap(aligned + size, (size_t)(raw + size - aligned));
  if (mprotect(aligned, size, PROT_READ | PROT_WRITE) != 0) {
    munmap(aligned, size);
    return NULL;
  }
  return aligned;
}

// Where the address space is limited, or what can be written in it, many runtimes must still fit
// beside each other: the whole reservation counts for both.
static uint64_t preferred_size(void) {
  uint64_t size = LOOKS_FOR_LEAKS ? 1ull << 30 : 1ull << 34;
  const int kinds[] = {RLIMIT_AS, RLIMIT_DATA};
  for (int kind = 0; kind < 2; kind++) {
    struct rlimit limit;
    if (getrlimit(kinds[kind], &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) continue;
    while (size > (1ull << 26) && size > limit.rlim_cur / 16) size >>= 1;
  }
  return size;
}

TideArena *tide_arena_reserve(void) {
  pthread_mutex_lock(&reserving);
  void *memory = NULL;
  if (tide_reservation) {
    memory = reserve_aligned(tide_reservation);
  } else {
    // One size for the whole program, because masking an address must find its graph.
    for (uint64_t size = preferred_size(); !memory && size >= (1ull << 24); size >>= 1)
      if ((memory = reserve_aligned(size))) tide_reservation = size;
  }
  pthread_mutex_unlock(&reserving);
  if (!memory) return NULL;
  __lsan_register_root_region(memory, tide_reservation);

  // Slots take half of the reservation, edges three eighths; the rest is the graph's scratch.
  TideArena *arena = memory;
  uint64_t slotBytes = tide_reservation / 2 - PAGE, edgeBytes = tide_reservation / 8 * 3;
  arena->base = arena;
  pthread_mutex_init(&arena->remoteLock, NULL);
  arena->slots = (TideSlot *)((char *)memory + PAGE);
  arena->edges = (TideEdge *)((char *)memory + tide_reservation / 2);
  arena->slotCount = 1;
  arena->edgeCount = 1;
  arena->slotCapacity = (uint32_t)(slotBytes / sizeof(TideSlot));
  arena->edgeCapacity = (uint32_t)(edgeBytes / sizeof(TideEdge));
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
  __lsan_unregister_root_region(arena, tide_reservation);
  munmap(arena, tide_reservation);
}

void tide_arena_bury(TideArena *arena, uint32_t cache) {
  if (arena->deadCount == arena->deadCapacity) {
    uint32_t capacity = arena->deadCapacity ? arena->deadCapacity * 2 : 64;
    uint32_t *grown = realloc(arena->dead, capacity * sizeof(uint32_t));
    // Out of memory: the entry stays taken, which costs a few bytes and breaks nothing.
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
  // The object's memory goes when this returns.
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
  // Out of memory: the node stays, which breaks nothing, since its body finds its owner gone.
  if (!node) return;
  node->slot = slot;
  node->next = atomic_load_explicit(&arena->remoteNodes, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&arena->remoteNodes, &node->next, node,
                                                memory_order_release, memory_order_relaxed)) {
  }
}

TideSlot *tide_arena_take_remote_node(TideArena *arena) {
  TideRemoteNode *node = atomic_load_explicit(&arena->remoteNodes, memory_order_acquire);
  // Others only put nodes before it, and none takes one away.
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
  static _Thread_local char mark;
  return (uintptr_t)&mark;
}

// The main thread's stack by what the kernel has put at its very top, because the C library looks
// into /proc, which is closed where the process is confined. What grows to any size is taken to be
// of the usual one.
static uintptr_t main_stack_end(void) {
  const char *last = (const char *)getauxval(AT_EXECFN);
  struct rlimit limit;
  uintptr_t size = 8ull << 20;
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) size = limit.rlim_cur;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  uintptr_t top = last ? (uintptr_t)(last + strlen(last)) & ~(uintptr_t)(PAGE - 1) : here;
  uintptr_t end = top > size ? top - size : 0;
  // On any other stack nothing is known but that a little is there.
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

// The frame's address, because a sanitizer keeps local variables elsewhere.
size_t tide_stack_left(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0), end = tide_stack_end();
  return here > end ? here - end : 0;
}

void tide_prefault(void *start, size_t bytes) {
  uintptr_t first = ((uintptr_t)start + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
  // Where the kernel does not know it, the pages come one by one.
  madvise((void *)first, bytes & ~(size_t)(PAGE - 1), MADV_POPULATE_WRITE);
}
