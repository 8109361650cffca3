// Lines of scripts: which of them can run, how often each one runs, and which of them write
// (lines.c, coverage.c, locations.c).
#pragma once

#include "TideCalls.h"

#pragma clang assume_nonnull begin

/// Starts counting how often each line of each file's chunk runs. Returns false if memory runs out.
/// A hook that a script sets replaces the counting.
bool tide_coverage_start(TideState *state);
/// Receives the counts of a chunk, by line, and its name without the `@`.
typedef void (*TideCoverageTake)(void *_Nullable context, const char *name, size_t nameCount,
                                 const uint32_t *counts, size_t count);
/// Passes each chunk with a line that has run to `take`, even when the state is closed.
void tide_coverage_each(const TideState *state, void *_Nullable context, TideCoverageTake take);

/// Compiles a chunk and sets a byte for each line that can run. Lines are counted from 1.
int32_t tide_chunk_lines(TideState *state, const char *text, size_t count, const char *chunkName,
                         uint8_t *lines, size_t lineCount, TideFrame *frame);

/// Makes the graph's history record the lines that write. Returns false if memory runs out, or if
/// the interpreter does not have the expected layout; then no lines are known.
bool tide_locations_keep(TideState *state);
/// The chunk and line of a number in the history; NULL if it is unknown.
const char *_Nullable tide_location(const TideState *state, uint32_t number, int32_t *line);

#pragma clang assume_nonnull end
