// Lines of scripts: which can run, how often each does, and which write (lines.c, coverage.c,
// locations.c).
#pragma once

#include "TideCalls.h"

#pragma clang assume_nonnull begin

/// Starts to count how often each line of each file's chunk runs. Gives false if memory is short. A hook
/// that a script sets replaces the counting.
bool tide_coverage_start(TideState *state);
/// Gives the counts of a chunk, by line, and its name without the `@`.
typedef void (*TideCoverageTake)(void *_Nullable context, const char *name, size_t nameCount,
                                 const uint32_t *counts, size_t count);
/// Tells of every chunk of which a line has run, also when the state is closed.
void tide_coverage_each(const TideState *state, void *_Nullable context, TideCoverageTake take);

/// Compiles a chunk and sets a byte for each of its lines that can run, those being counted from 1.
int32_t tide_chunk_lines(TideState *state, const char *text, size_t count, const char *chunkName,
                         uint8_t *lines, size_t lineCount, TideFrame *frame);

/// Lets the graph's history know which lines write; false without memory or when the interpreter is
/// not the one that this was built for, and then no lines are known.
bool tide_locations_keep(TideState *state);
/// The chunk and line that a number of the history stands for; NULL when it is unknown.
const char *_Nullable tide_location(const TideState *state, uint32_t number, int32_t *line);

#pragma clang assume_nonnull end
