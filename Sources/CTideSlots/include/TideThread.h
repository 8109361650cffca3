// Who runs here: a graph belongs to a serial executor, or to a thread where no task runs.
#pragma once

#include "TideSlots.h"

#pragma clang assume_nonnull begin

/// Whom a graph belongs to.
enum {
  TIDE_OWNER_THREAD = 0,    // `owningID`: the thread's identity
  TIDE_OWNER_MAIN = 1,      // the main actor, on whatever thread it runs, and the initial thread
  TIDE_OWNER_EXECUTOR = 2,  // `owningID`: the address of the actor, or of its custom executor
  TIDE_OWNER_TASK = 3,      // `owningID`: the task, which is on no actor
};

typedef struct TideThread {
  TideArena *_Nullable entered;    // the graph whose turn runs here; NULL outside of turns
  const void *_Nullable executor;  // the executor that was looked up last on this thread,
  TideArena *_Nullable found;      // and its graph: an address keeps its graph for good
  TideArena *_Nullable own;        // the graph of code that runs here outside of any task
  const void *_Nullable pinned;    // the executor that has this thread to itself
  int isMain;            // 0: not known yet; 1: the initial thread; 2: another one

  const void *_Nullable latestClass;  // the class of the object that was made last, and its layout
  const void *_Nullable latestLayout;

  struct TideNurseryLists *_Nullable nursery;
} TideThread;

extern _Thread_local TideThread tide_thread_state;

static inline TideThread *tide_thread(void) { return &tide_thread_state; }

/// Whether code in a task that is on no actor counts as code of its thread. Only for tests, whose
/// functions are such tasks and stay on one thread as long as they do not wait.
extern bool tide_tasks_are_threads;
static inline bool tide_counts_tasks_as_threads(void) { return tide_tasks_are_threads; }

/// The address of the actor, or of its custom executor, that runs here; NULL where none does.
const void *_Nullable tide_executor_identity(void);
/// The same, and whether it is the main actor's.
const void *_Nullable tide_executor_find(bool *isMain);
/// The task that runs here; NULL outside of tasks.
const void *_Nullable tide_task_identity(void);
/// Whether the calling thread is the one that the program began on.
bool tide_thread_is_main(void);

bool tide_arena_owner_is_here(const TideArena *arena);

/// Whether whoever runs here may use a graph.
static inline bool tide_arena_is_here(const TideArena *arena) {
  return tide_thread_state.entered == arena || tide_arena_owner_is_here(arena);
}

#pragma clang assume_nonnull end
