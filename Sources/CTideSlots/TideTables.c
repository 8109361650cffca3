#include "TideTables.h"

#include <stdlib.h>
#include <string.h>

enum {
  FIRST_HEIGHTS = 512,
  MOST_HEIGHTS = 1 << 24,
  FIRST_STACK = 256,
  FIRST_EVALUATIONS = 64,
};

static uint32_t groups_of(uint32_t heights) { return (heights + 4095) / 4096; }

bool tide_tables_make(TideTables *tables, uint32_t slots) {
  memset(tables, 0, sizeof *tables);
  tables->links = malloc(slots * sizeof(uint32_t));
  tables->heads = calloc(FIRST_HEIGHTS, sizeof(uint32_t));
  tables->words = calloc(FIRST_HEIGHTS / 64, sizeof(uint64_t));
  tables->groups = calloc(groups_of(FIRST_HEIGHTS), sizeof(uint64_t));
  tables->stack = malloc(FIRST_STACK * sizeof(uint32_t));
  tables->evaluations = malloc(FIRST_EVALUATIONS * sizeof(uint32_t));
  tables->heightCapacity = FIRST_HEIGHTS;
  tables->stackCapacity = FIRST_STACK;
  tables->evaluationCapacity = FIRST_EVALUATIONS;
  bool isWhole = tables->links && tables->heads && tables->words && tables->groups &&
                 tables->stack && tables->evaluations;
  if (!isWhole) tide_tables_free(tables);
  return isWhole;
}

void tide_tables_free(TideTables *tables) {
  free(tables->links);
  free(tables->heads);
  free(tables->words);
  free(tables->groups);
  free(tables->stack);
  free(tables->evaluations);
  memset(tables, 0, sizeof *tables);
}

static bool grow(void *table, size_t bytes) {
  void **place = table;
  void *grown = realloc(*place, bytes);
  if (grown) *place = grown;
  return grown != NULL;
}

bool tide_tables_grow_links(TideTables *tables, uint32_t slots) {
  return grow(&tables->links, (size_t)slots * sizeof(uint32_t));
}

bool tide_tables_grow_heights(TideTables *tables, uint32_t height) {
  uint32_t old = tables->heightCapacity, new = old;
  while (new <= height && new < MOST_HEIGHTS) new *= 2;
  if (new == old) return false;
  if (!grow(&tables->heads, (size_t)new * sizeof(uint32_t)) ||
      !grow(&tables->words, new / 64 * sizeof(uint64_t)) ||
      !grow(&tables->groups, groups_of(new) * sizeof(uint64_t)))
    return false;
  memset(tables->heads + old, 0, (size_t)(new - old) * sizeof(uint32_t));
  memset(tables->words + old / 64, 0, (new - old) / 64 * sizeof(uint64_t));
  memset(tables->groups + groups_of(old), 0,
         (groups_of(new) - groups_of(old)) * sizeof(uint64_t));
  tables->heightCapacity = new;
  return true;
}

bool tide_tables_grow_stack(TideTables *tables) {
  if (tables->stackCapacity > UINT32_MAX / 2) return false;
  uint32_t new = tables->stackCapacity * 2;
  if (!grow(&tables->stack, (size_t)new * sizeof(uint32_t))) return false;
  tables->stackCapacity = new;
  return true;
}

bool tide_tables_grow_evaluations(TideTables *tables, uint32_t count) {
  uint32_t new = tables->evaluationCapacity;
  while (new < count)
    if ((new *= 2) == 0) return false;
  if (!grow(&tables->evaluations, (size_t)new * sizeof(uint32_t))) return false;
  tables->evaluationCapacity = new;
  return true;
}
