#define _GNU_SOURCE
#include "TideThread.h"

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

// Two words, as the runtime's; it exports these functions, though no Swift module declares them.
typedef struct {
  const void *identity, *implementation;
} SwiftExecutor;

__attribute__((swiftcall)) SwiftExecutor swift_task_getCurrentExecutor(void);
__attribute__((swiftcall)) bool swift_task_isMainExecutor(SwiftExecutor);
__attribute__((swiftcall)) const void *swift_task_getCurrent(void);

_Thread_local TideThread tide_thread_state;

bool tide_tasks_are_threads = false;

const void *tide_executor_identity(void) { return swift_task_getCurrentExecutor().identity; }

const void *tide_executor_find(bool *isMain) {
  SwiftExecutor executor = swift_task_getCurrentExecutor();
  *isMain = executor.identity && swift_task_isMainExecutor(executor);
  return executor.identity;
}

const void *tide_task_identity(void) { return swift_task_getCurrent(); }

bool tide_thread_is_main(void) {
  TideThread *thread = tide_thread();
  if (!thread->isMain) {
#if defined(__linux__)
    thread->isMain = syscall(SYS_gettid) == getpid() ? 1 : 2;
#else
    thread->isMain = pthread_main_np() ? 1 : 2;
#endif
  }
  return thread->isMain == 1;
}

bool tide_arena_owner_is_here(const TideArena *arena) {
  SwiftExecutor executor = swift_task_getCurrentExecutor();
  switch (arena->owning) {
    case TIDE_OWNER_EXECUTOR:
      if (executor.identity) return executor.identity == arena->owningID;
      return tide_thread()->pinned == arena->owningID && !swift_task_getCurrent();
    case TIDE_OWNER_MAIN:
      if (executor.identity) return swift_task_isMainExecutor(executor);
      return tide_thread_is_main() && (!swift_task_getCurrent() || tide_tasks_are_threads);
    case TIDE_OWNER_TASK: return swift_task_getCurrent() == arena->owningID;
    default:
      if (executor.identity) return false;
      // A test that has waited may go on on another thread.
      if (swift_task_getCurrent()) return tide_tasks_are_threads;
      return (const void *)tide_thread_identity() == arena->owningID;
  }
}
