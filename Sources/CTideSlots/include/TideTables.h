// The working tables of walks over a graph. They grow, and may move when they do.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct TideTables {
  uint32_t *links;   // the next waiting slot of the same height, by slot
  uint32_t *heads;   // the first waiting slot, by height
  uint64_t *words;   // a bit for each height with waiting slots
  uint64_t *groups;  // a bit for each of these words other than 0
  uint32_t heightCapacity;

  uint32_t stackCapacity, evaluationCapacity;
  uint32_t *stack;        // the stack of the running walks
  uint32_t *evaluations;  // the slots whose functions run, outermost first
} TideTables;

/// Creates small tables for the given number of slots. Returns false if memory runs out.
bool tide_tables_make(TideTables *tables, uint32_t slots);
void tide_tables_free(TideTables *tables);

// Each returns false if memory runs out, and then leaves its table unchanged.

bool tide_tables_grow_links(TideTables *tables, uint32_t slots);
/// Makes room for a height. Heights beyond the maximum share its bucket.
bool tide_tables_grow_heights(TideTables *tables, uint32_t height);
bool tide_tables_grow_stack(TideTables *tables);
bool tide_tables_grow_evaluations(TideTables *tables, uint32_t count);

#pragma clang assume_nonnull end
