#include "TideNursery.h"

#include <stdio.h>

// Each thread has lists of free runs, by their length, and a stretch of slots that were never used. A
// run is given back to the lists of the thread that gives it. When a thread ends, its lists go to the
// common ones.

enum { LONGEST = 32, STRETCH = 512, MOST_KEPT = 4096 };

typedef struct TideNurseryLists {
  TideSlot *free[LONGEST + 1];  // linked through `lo`
  uint32_t kept[LONGEST + 1];
  TideSlot *stretch;
  uint32_t left;
} TideNurseryLists;

static struct {
  pthread_mutex_t lock;
  TideArena *arena;  // the one that stretches are cut from; full ones are not remembered
  TideSlot *free[LONGEST + 1];
  TideSlot *longRuns;  // linked through `lo`, their lengths in `hi`
} common = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pthread_once_t prepared = PTHREAD_ONCE_INIT;
static pthread_key_t threadEnd;

static TideSlot *next_of(const TideSlot *run) { return (TideSlot *)(uintptr_t)run->lo; }
static void link_before(TideSlot *run, TideSlot *next) { run->lo = (uintptr_t)next; }

/// Cuts slots from the common memory, with the lock held.
static TideSlot *cut(uint32_t count) {
  if (!common.arena || common.arena->slotCount + count > common.arena->slotCapacity) {
    TideArena *made = tide_arena_reserve();
    if (!made || made->slotCapacity < count + 1) {
      fputs("tidelock: the system refuses memory for objects\n", stderr);
      abort();
    }
    made->active = 1;
    common.arena = made;
  }
  TideSlot *first = common.arena->slots + common.arena->slotCount;
  common.arena->slotCount += count;
  return first;
}

static void end_thread(void *value) {
  TideNurseryLists *lists = value;
  pthread_mutex_lock(&common.lock);
  for (uint32_t count = 1; count <= LONGEST; count++) {
    while (lists->free[count]) {
      TideSlot *run = lists->free[count];
      lists->free[count] = next_of(run);
      link_before(run, common.free[count]);
      common.free[count] = run;
    }
  }
  for (; lists->left > 0; lists->left--, lists->stretch++) {
    link_before(lists->stretch, common.free[1]);
    common.free[1] = lists->stretch;
  }
  pthread_mutex_unlock(&common.lock);
  tide_thread()->nursery = NULL;
  free(lists);
}

static void prepare(void) { pthread_key_create(&threadEnd, end_thread); }

static TideNurseryLists *make_lists(void) {
  pthread_once(&prepared, prepare);
  TideNurseryLists *lists = calloc(1, sizeof *lists);
  if (!lists) {
    fputs("tidelock: the system refuses memory for objects\n", stderr);
    abort();
  }
  tide_thread()->nursery = lists;
  pthread_setspecific(threadEnd, lists);
  return lists;
}

static TideNurseryLists *own_lists(void) {
  TideNurseryLists *lists = tide_thread()->nursery;
  return lists ? lists : make_lists();
}

/// Takes a run that another thread has left, or one from the thread's stretch.
static TideSlot *refill(TideNurseryLists *lists, uint32_t count) {
  TideSlot *run = NULL;
  if (lists->left < count) {
    pthread_mutex_lock(&common.lock);
    run = common.free[count];
    if (run) {
      common.free[count] = next_of(run);
      pthread_mutex_unlock(&common.lock);
      return run;
    }
    TideSlot *stretch = cut(STRETCH);
    pthread_mutex_unlock(&common.lock);
    for (; lists->left > 0; lists->left--, lists->stretch++) {
      link_before(lists->stretch, lists->free[1]);
      lists->free[1] = lists->stretch;
      lists->kept[1]++;
    }
    lists->stretch = stretch;
    lists->left = STRETCH;
  }
  run = lists->stretch;
  lists->stretch += count;
  lists->left -= count;
  return run;
}

static TideSlot *take_long(uint32_t count) {
  pthread_mutex_lock(&common.lock);
  TideSlot **link = &common.longRuns, *run = *link;
  while (run && run->hi != count) {
    link = (TideSlot **)&run->lo;
    run = *link;
  }
  if (run)
    *link = next_of(run);
  else
    run = cut(count);
  pthread_mutex_unlock(&common.lock);
  return run;
}

TideSlot *tide_nursery_take(uint32_t count) {
  TideSlot *run;
  if (count > LONGEST) {
    run = take_long(count);
  } else {
    TideNurseryLists *lists = own_lists();
    run = lists->free[count];
    if (run) {
      lists->free[count] = next_of(run);
      lists->kept[count]--;
    } else {
      run = refill(lists, count);
    }
  }
  for (uint32_t i = 0; i < count; i++) run[i] = (TideSlot){.kind = TIDE_SOURCE, .generation = i};
  return run;
}

void tide_nursery_give(TideSlot *first, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) first[i].kind = TIDE_FREE;
  TideNurseryLists *lists = count > LONGEST ? NULL : own_lists();
  if (lists && lists->kept[count] < MOST_KEPT) {
    link_before(first, lists->free[count]);
    lists->free[count] = first;
    lists->kept[count]++;
    return;
  }
  // Objects that one thread makes and another one joins or releases would otherwise pile up there.
  pthread_mutex_lock(&common.lock);
  if (lists) {
    link_before(first, common.free[count]);
    common.free[count] = first;
  } else {
    first->hi = count;
    link_before(first, common.longRuns);
    common.longRuns = first;
  }
  pthread_mutex_unlock(&common.lock);
}

TideSlot *tide_nursery_nothing(void) {
  static _Atomic(TideSlot *) nothing;
  TideSlot *known = atomic_load_explicit(&nothing, memory_order_acquire);
  if (known) return known;
  pthread_mutex_lock(&common.lock);
  TideSlot *made = cut(1);
  pthread_mutex_unlock(&common.lock);
  TideSlot *none = NULL;
  return atomic_compare_exchange_strong(&nothing, &none, made) ? made : none;
}
