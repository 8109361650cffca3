#include "TideWork.h"

#include <stdatomic.h>
#include <stddef.h>

static _Atomic(TideWorkIsOver) asksForTime;
static _Atomic(TideWorkAdmits) asksForMemory;

void tide_work_bound(TideWorkIsOver isOver, TideWorkAdmits admits) {
  atomic_store_explicit(&asksForTime, isOver, memory_order_relaxed);
  atomic_store_explicit(&asksForMemory, admits, memory_order_relaxed);
}

bool tide_work_is_over(void) {
  TideWorkIsOver ask = atomic_load_explicit(&asksForTime, memory_order_relaxed);
  return ask && ask();
}

bool tide_work_admits(uint64_t bytes) {
  TideWorkAdmits ask = atomic_load_explicit(&asksForMemory, memory_order_relaxed);
  return !ask || ask(bytes);
}
