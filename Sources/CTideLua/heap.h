// The memory of one interpreter, which belongs to its state as a whole: it can be freed without
// asking Lua what it contains.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Blocks up to this size are in pages; larger ones are allocated from the system. With the address
/// sanitizer, all of them are.
#if defined(__has_feature) && __has_feature(address_sanitizer)
enum { LONGEST_SMALL = 0 };
#else
enum { LONGEST_SMALL = 512 };
#endif
enum { BLOCK_UNIT = 16, BLOCK_CLASSES = 512 / BLOCK_UNIT + 1, HEAP_PAGE = 4096 };

typedef struct HeapPage HeapPage;
typedef struct HeapChunk HeapChunk;
typedef struct LargeBlock LargeBlock;

typedef struct TideHeap {
  HeapPage *pages[BLOCK_CLASSES];  // pages with a free block, by block size
  HeapChunk *chunks;               // all chunks
  HeapChunk *rooms;                // chunks with a free page
  uint32_t freePages;
  uint32_t idlePages;              // free pages that are still resident
  LargeBlock *large;
} TideHeap;

/// The header of a page; its blocks follow.
struct HeapPage {
  void *free;  // each free block holds the next one's address
  HeapPage *next, **link;
  uint16_t used, kind;
};

/// Resizes a block; `block` may be NULL and `size` 0. Returns NULL if the system has no memory; the
/// block is then unchanged.
void *heap_resize(TideHeap *heap, void *block, size_t old, size_t size);
/// Reserves memory for small blocks for a while.
bool heap_reserve(TideHeap *heap);
/// Returns the memory of free pages, which large blocks may need.
void heap_trim(TideHeap *heap);
/// Frees everything, including blocks in use.
void heap_drop(TideHeap *heap);

HeapPage *heap_add_page(TideHeap *heap, unsigned kind);
void heap_give_page(TideHeap *heap, HeapPage *page);

static inline void heap_link_page(TideHeap *heap, HeapPage *page) {
  HeapPage **first = &heap->pages[page->kind];
  page->next = *first;
  page->link = first;
  if (page->next) page->next->link = &page->next;
  *first = page;
}

static inline void heap_unlink_page(HeapPage *page) {
  *page->link = page->next;
  if (page->next) page->next->link = page->link;
}

static inline void *heap_take_small(TideHeap *heap, size_t size) {
  unsigned kind = (unsigned)(size + BLOCK_UNIT - 1) / BLOCK_UNIT;
  HeapPage *page = heap->pages[kind];
  if (__builtin_expect(!page, 0) && !(page = heap_add_page(heap, kind))) return NULL;
  void **block = page->free;
  page->free = *block;
  page->used++;
  if (__builtin_expect(!page->free, 0)) heap_unlink_page(page);
  return block;
}

static inline void heap_give_small(TideHeap *heap, void *block) {
  HeapPage *page = (HeapPage *)((uintptr_t)block & ~(uintptr_t)(HEAP_PAGE - 1));
  if (__builtin_expect(!page->free, 0)) heap_link_page(heap, page);
  *(void **)block = page->free;
  page->free = block;
  if (__builtin_expect(--page->used == 0, 0)) heap_give_page(heap, page);
}
