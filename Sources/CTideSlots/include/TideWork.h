// The limits of long work that a script causes outside of its interpreter. The interpreter's
// border, which knows the running turn, sets the two functions; without them there is no limit.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Whether the turn on the calling thread has to end; false if no turn is running.
typedef bool (*TideWorkIsOver)(void);
/// Whether the turn on the calling thread may use the given number of additional bytes for now.
typedef bool (*TideWorkAdmits)(uint64_t bytes);

/// Sets the functions that limit work in all threads.
void tide_work_bound(TideWorkIsOver isOver, TideWorkAdmits admits);

bool tide_work_is_over(void);
bool tide_work_admits(uint64_t bytes);
