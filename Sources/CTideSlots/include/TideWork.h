// What bounds long work that a script causes outside of its interpreter. The interpreter's border,
// which knows the turn that runs, supplies the two functions; without it nothing is bounded.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Whether the turn that runs on the calling thread has to end; false where none runs.
typedef bool (*TideWorkIsOver)(void);
/// Whether the turn that runs on the calling thread may hold so many bytes more for now.
typedef bool (*TideWorkAdmits)(uint64_t bytes);

/// Says who bounds work from now on, in all threads.
void tide_work_bound(TideWorkIsOver isOver, TideWorkAdmits admits);

bool tide_work_is_over(void);
bool tide_work_admits(uint64_t bytes);
