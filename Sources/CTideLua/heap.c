#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "heap.h"

// Small blocks of one size share a page, and pages are parts of chunks. Every larger block is
// allocated from the system, with a list link in front. So all memory is found without the
// interpreter, which may have been abandoned in the middle of an operation that had removed some of
// it from all of Lua's lists.
//
//   chunk, aligned ┌ page ┬ page ┬ … ┐      large ──▶ link, block
//                  │ header, block, block …            └──▶ link, block
//
// A page without blocks in use serves any size, and a chunk without pages in use is returned to the
// system. Free pages in other chunks are returned when the memory limit is near, so that memory
// which a script has released does not count twice.

enum {
  CHUNK = 256 << 10,
  PAGES = CHUNK / HEAP_PAGE,
  FIRST_OFFSET = 96,  // in a chunk's first page, whose header the chunk's follows
  OFFSET = 32,
  MOST_FREE = 256,
  HUGE_PAGE = 2 << 20,
};

static const uint64_t ALL_PAGES = UINT64_MAX;
_Static_assert(PAGES == 64, "a bit for each page");

struct HeapChunk {
  HeapPage first;
  HeapChunk *next, **link;          // among all
  HeapChunk *nextRoom, **roomLink;  // among those with room
  uint64_t free, idle;              // a bit for each page
};

struct LargeBlock {
  LargeBlock *next, **link;
};

_Static_assert(sizeof(HeapPage) <= OFFSET && sizeof(HeapChunk) <= FIRST_OFFSET, "room for headers");
_Static_assert(sizeof(LargeBlock) == 16, "what follows is aligned as malloc aligns");

// MARK: Chunks

static void *map_aligned(void) {
  int access = PROT_READ | PROT_WRITE, kind = MAP_PRIVATE | MAP_ANONYMOUS;
  char *memory = mmap(NULL, CHUNK, access, kind, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  // Memory that follows another chunk is aligned.
  if (((uintptr_t)memory & (CHUNK - 1)) == 0) return memory;
  munmap(memory, CHUNK);
  memory = mmap(NULL, 2 * CHUNK, access, kind, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  size_t before = (CHUNK - ((uintptr_t)memory & (CHUNK - 1))) & (CHUNK - 1);
  if (before) munmap(memory, before);
  munmap(memory + before + CHUNK, CHUNK - before);
  return memory + before;
}

static void link_room(TideHeap *heap, HeapChunk *chunk) {
  chunk->nextRoom = heap->rooms;
  chunk->roomLink = &heap->rooms;
  if (chunk->nextRoom) chunk->nextRoom->roomLink = &chunk->nextRoom;
  heap->rooms = chunk;
}

static void unlink_room(HeapChunk *chunk) {
  *chunk->roomLink = chunk->nextRoom;
  if (chunk->nextRoom) chunk->nextRoom->roomLink = chunk->roomLink;
}

static bool add_chunk(TideHeap *heap) {
  HeapChunk *chunk = map_aligned();
  if (!chunk) return false;
  chunk->next = heap->chunks;
  chunk->link = &heap->chunks;
  if (chunk->next) chunk->next->link = &chunk->next;
  heap->chunks = chunk;
  chunk->free = ALL_PAGES;
  chunk->idle = 0;
  heap->freePages += PAGES;
  link_room(heap, chunk);
  return true;
}

static void remove_chunk(TideHeap *heap, HeapChunk *chunk) {
  unlink_room(chunk);
  *chunk->link = chunk->next;
  if (chunk->next) chunk->next->link = chunk->link;
  heap->freePages -= PAGES;
  heap->idlePages -= (uint32_t)__builtin_popcountll(chunk->idle);
  munmap(chunk, CHUNK);
}

bool heap_reserve(TideHeap *heap) { return heap->rooms || add_chunk(heap); }

// MARK: Pages

HeapPage *heap_add_page(TideHeap *heap, unsigned kind) {
  if (!heap_reserve(heap)) return NULL;
  HeapChunk *chunk = heap->rooms;
  // A page that was used before needs no new memory.
  unsigned index = (unsigned)__builtin_ctzll(chunk->idle ? chunk->idle : chunk->free);
  uint64_t bit = 1ull << index;
  chunk->free &= ~bit;
  if (chunk->idle & bit) heap->idlePages--;
  chunk->idle &= ~bit;
  if (!chunk->free) unlink_room(chunk);
  heap->freePages--;
  HeapPage *page = (HeapPage *)((char *)chunk + index * HEAP_PAGE);
  size_t size = kind * BLOCK_UNIT, offset = index ? OFFSET : FIRST_OFFSET;
  char *block = (char *)page + HEAP_PAGE - size;
  void *free = NULL;
  for (; block >= (char *)page + offset; block -= size) {
    *(void **)block = free;
    free = block;
  }
  page->free = free;
  page->used = 0;
  page->kind = (uint16_t)kind;
  heap_link_page(heap, page);
  return page;
}

void heap_give_page(TideHeap *heap, HeapPage *page) {
  // The only page of its size is likely to be needed again.
  if (heap->pages[page->kind] == page && !page->next) return;
  heap_unlink_page(page);
  HeapChunk *chunk = (HeapChunk *)((uintptr_t)page & ~(uintptr_t)(CHUNK - 1));
  unsigned index = (unsigned)(((char *)page - (char *)chunk) / HEAP_PAGE);
  if (!chunk->free) link_room(heap, chunk);
  chunk->free |= 1ull << index;
  chunk->idle |= 1ull << index;
  heap->freePages++;
  heap->idlePages++;
  if (chunk->free == ALL_PAGES && heap->freePages > MOST_FREE) remove_chunk(heap, chunk);
}

/// Returns each run of consecutive idle pages to the system.
static void trim_chunk(HeapChunk *chunk) {
  // The first page contains the chunk's header.
  for (uint64_t left = chunk->idle & ~1ull; left;) {
    unsigned first = (unsigned)__builtin_ctzll(left), count = 1;
    while (first + count < PAGES && left >> (first + count) & 1) count++;
    madvise((char *)chunk + first * HEAP_PAGE, (size_t)count * HEAP_PAGE, MADV_DONTNEED);
    left &= first + count < PAGES ? UINT64_MAX << (first + count) : 0;
  }
  chunk->idle = 0;
}

void heap_trim(TideHeap *heap) {
  for (HeapChunk *chunk = heap->rooms; chunk; chunk = chunk->nextRoom)
    if (chunk->idle) trim_chunk(chunk);
  heap->idlePages = 0;
}

// MARK: Large blocks

static void *link_large(TideHeap *heap, LargeBlock *large) {
  large->next = heap->large;
  large->link = &heap->large;
  if (large->next) large->next->link = &large->next;
  heap->large = large;
  return large + 1;
}

/// The system clears memory page by page at the first access, which is most of the cost of a long
/// string, so huge pages are requested.
static LargeBlock *allocate_huge(size_t size) {
  void *memory = NULL;
  if (posix_memalign(&memory, HUGE_PAGE, size) != 0) return NULL;
  madvise(memory, size & ~(size_t)(HUGE_PAGE - 1), MADV_HUGEPAGE);
  return memory;
}

static void *take_large(TideHeap *heap, size_t size) {
  size_t whole = sizeof(LargeBlock) + size;
  LargeBlock *large = whole < 2 * HUGE_PAGE ? malloc(whole) : allocate_huge(whole);
  return large ? link_large(heap, large) : NULL;
}

static void give_large(void *block) {
  LargeBlock *large = (LargeBlock *)block - 1;
  *large->link = large->next;
  if (large->next) large->next->link = large->link;
  free(large);
}

static void *resize_large(void *block, size_t size) {
  LargeBlock *large = realloc((LargeBlock *)block - 1, sizeof *large + size);
  if (!large) return NULL;
  *large->link = large;
  if (large->next) large->next->link = &large->next;
  return large + 1;
}

// MARK: Blocks

static inline void *take(TideHeap *heap, size_t size) {
  return size <= LONGEST_SMALL ? heap_take_small(heap, size) : take_large(heap, size);
}

static inline void give(TideHeap *heap, void *block, size_t size) {
  if (size <= LONGEST_SMALL)
    heap_give_small(heap, block);
  else
    give_large(block);
}

void *heap_resize(TideHeap *heap, void *block, size_t old, size_t size) {
  if (!block) return take(heap, size);
  if (size == 0) {
    give(heap, block, old);
    return NULL;
  }
  if (old > LONGEST_SMALL && size > LONGEST_SMALL) return resize_large(block, size);
  bool isSmall = old <= LONGEST_SMALL && size <= LONGEST_SMALL;
  if (isSmall && (old + BLOCK_UNIT - 1) / BLOCK_UNIT == (size + BLOCK_UNIT - 1) / BLOCK_UNIT)
    return block;
  void *moved = take(heap, size);
  if (!moved) return NULL;
  memcpy(moved, block, old < size ? old : size);
  give(heap, block, old);
  return moved;
}

void heap_drop(TideHeap *heap) {
  for (LargeBlock *large = heap->large, *next; large; large = next) {
    next = large->next;
    free(large);
  }
  for (HeapChunk *chunk = heap->chunks, *next; chunk; chunk = next) {
    next = chunk->next;
    munmap(chunk, CHUNK);
  }
  memset(heap, 0, sizeof *heap);
}
