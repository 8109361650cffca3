#include "TaskThreads.h"

#include "TideThread.h"

__attribute__((constructor)) static void count_tasks_as_threads(void) { tide_tasks_are_threads = true; }
