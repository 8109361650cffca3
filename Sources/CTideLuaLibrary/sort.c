#include <limits.h>
#include <time.h>

#include "library.h"

// table.sort, with the order of comparisons, the results for a bad comparator and the messages of
// Lua's own function. If neither metamethods nor a comparator are needed, the elements are sorted
// in a separate array, because the result is then the same for any algorithm.

enum { ORDER = 2, SMALL = 100, UNBALANCED = 128, STEPS_BETWEEN_TESTS = 16 };

// MARK: Comparing on the stack

static inline bool is_less(lua_State *L, int left, int right) {
  if (lua_isnil(L, ORDER)) return lua_compare(L, left, right, LUA_OPLT);
  lua_pushvalue(L, ORDER);
  lua_pushvalue(L, left - 1);
  lua_pushvalue(L, right - 2);
  lua_call(L, 2, 1);
  bool less = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return less;
}

/// Stores the two values on top of the stack.
static inline void store_two(lua_State *L, lua_Integer top, lua_Integer below) {
  lua_seti(L, 1, top);
  lua_seti(L, 1, below);
}

/// Pushes two entries and swaps them if the second is less than the first.
static void put_in_order(lua_State *L, lua_Integer first, lua_Integer second) {
  lua_geti(L, 1, first);
  lua_geti(L, 1, second);
  if (is_less(L, -1, -2))
    store_two(L, first, second);
  else
    lua_pop(L, 2);
}

static int refuse_order(lua_State *L) {
  return luaL_error(L, "invalid order function for sorting");
}

/// Partitions the range by the pivot, which is on top of the stack and next to the upper end. Pops
/// it and returns its final index.
static lua_Integer part(lua_State *L, lua_Integer low, lua_Integer high) {
  TideBudget *budget = budget_of(L);
  lua_Integer i = low, j = high - 1;
  for (;;) {
    clock_check(L, budget);
    while (lua_geti(L, 1, ++i), is_less(L, -1, -2)) {
      if (i % STEPS_BETWEEN_TESTS == 0) clock_check(L, budget);
      if (unlikely(i == high - 1)) refuse_order(L);
      lua_pop(L, 1);
    }
    while (lua_geti(L, 1, --j), is_less(L, -3, -1)) {
      if (j % STEPS_BETWEEN_TESTS == 0) clock_check(L, budget);
      if (unlikely(j < i)) refuse_order(L);
      lua_pop(L, 1);
    }
    if (j < i) {
      lua_pop(L, 1);
      store_two(L, high - 1, i);
      return i;
    }
    store_two(L, i, j);
  }
}

/// Any index in the middle half.
static lua_Integer choose_pivot(lua_Integer low, lua_Integer high, unsigned random) {
  lua_Integer quarter = (high - low) / 4;
  return low + quarter + (lua_Integer)(random % (lua_Unsigned)(quarter * 2));
}

static unsigned make_random(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (unsigned)time.tv_nsec * 2654435761u + (unsigned)time.tv_sec;
}

static void sort_by_comparing(lua_State *L, lua_Integer low, lua_Integer high, unsigned random) {
  while (low < high) {
    clock_check(L, budget_of(L));
    put_in_order(L, low, high);
    if (high - low == 1) return;
    lua_Integer pivot = high - low > SMALL && random ? choose_pivot(low, high, random)
                                                     : low + (high - low) / 2;
    // Moves the median of the three to the pivot.
    lua_geti(L, 1, pivot);
    lua_geti(L, 1, low);
    if (is_less(L, -2, -1)) {
      store_two(L, pivot, low);
    } else {
      lua_pop(L, 1);
      lua_geti(L, 1, high);
      if (is_less(L, -1, -2))
        store_two(L, pivot, high);
      else
        lua_pop(L, 2);
    }
    if (high - low == 2) return;
    lua_geti(L, 1, pivot);
    lua_pushvalue(L, -1);
    lua_geti(L, 1, high - 1);
    store_two(L, pivot, high - 1);
    pivot = part(L, low, high);
    // Recurses into the smaller part, which limits the depth.
    lua_Integer smaller;
    if (pivot - low < high - pivot) {
      sort_by_comparing(L, low, pivot - 1, random);
      smaller = pivot - low;
      low = pivot + 1;
    } else {
      sort_by_comparing(L, pivot + 1, high, random);
      smaller = high - pivot;
      high = pivot - 1;
    }
    if ((high - low) / UNBALANCED > smaller) random = make_random();
  }
}

// MARK: In memory

/// A number, or a string and its index in the table.
typedef struct Entry {
  union {
    lua_Integer integer;
    double number;
    const char *text;
  };
  size_t count;
  lua_Integer index;
} Entry;

/// Lua's own order of strings: that of the locale, applied to each part between zero bytes.
static bool is_text_less(const Entry *left, const Entry *right) {
  const char *l = left->text, *r = right->text;
  size_t leftCount = left->count, rightCount = right->count;
  for (;;) {
    int order = strcoll(l, r);
    if (order) return order < 0;
    size_t part = strlen(l);
    if (part == rightCount) return false;
    if (part == leftCount) return true;
    part++;
    l += part, r += part;
    leftCount -= part, rightCount -= part;
  }
}

static inline __attribute__((always_inline)) bool is_entry_less(const Entry *left,
                                                                const Entry *right, int kind) {
  if (kind == 'i') return left->integer < right->integer;
  if (kind == 'n') return left->number < right->number;
  return is_text_less(left, right);
}

/// Merge sort, starting from runs that are sorted by insertion. Returns the array that contains the
/// result.
static inline __attribute__((always_inline)) Entry *merge_sort(lua_State *L, Entry *from,
                                                               Entry *to, size_t count,
                                                               int kind) {
  enum { RUN = 8 };
  TideBudget *budget = budget_of(L);
  for (size_t start = 0; start < count; start += RUN) {
    size_t end = start + RUN < count ? start + RUN : count;
    clock_check(L, budget);
    for (size_t i = start + 1; i < end; i++) {
      Entry entry = from[i];
      size_t at = i;
      for (; at > start && is_entry_less(&entry, &from[at - 1], kind); at--)
        from[at] = from[at - 1];
      from[at] = entry;
    }
  }
  for (size_t width = RUN; width < count; width *= 2) {
    for (size_t start = 0; start < count; start += 2 * width) {
      size_t left = start, middle = start + width < count ? start + width : count;
      size_t right = middle, end = middle + width < count ? middle + width : count;
      for (size_t out = start; out < end; out++) {
        clock_check(L, budget);
        bool takesRight =
            left == middle || (right < end && is_entry_less(&from[right], &from[left], kind));
        to[out] = takesRight ? from[right++] : from[left++];
      }
    }
    Entry *other = from;
    from = to;
    to = other;
  }
  return from;
}

/// Reads the entries and returns their kind: 'i' for integers, 'n' for numbers, 't' for strings.
/// Returns 0 if the order of equal entries would be visible, or if comparing them calls a function
/// or fails. Leaves strings in the stack's table `copy`.
static int read_entries(lua_State *L, Entry *entries, lua_Integer size, int copy) {
  TideBudget *budget = budget_of(L);
  int kind = 0;
  for (lua_Integer i = 1; i <= size; i++) {
    clock_check(L, budget);
    Entry *entry = &entries[i - 1];
    int found, type = lua_rawgeti(L, 1, i);
    if (type == LUA_TSTRING) {
      found = 't';
      entry->text = lua_tolstring(L, -1, &entry->count);
      entry->index = i;
    } else if (type == LUA_TNUMBER && lua_isinteger(L, -1)) {
      found = 'i';
      entry->integer = lua_tointeger(L, -1);
    } else if (type == LUA_TNUMBER && (entry->number = lua_tonumber(L, -1)) != 0 &&
               entry->number == entry->number) {
      // Neither zero, which has two representations, nor NaN.
      found = 'n';
    } else {
      found = 0;
    }
    if (found == 't')
      lua_rawseti(L, copy, i);
    else
      lua_pop(L, 1);
    if (!found || (kind && found != kind)) return 0;
    kind = found;
  }
  return kind;
}

static void write_entries(lua_State *L, const Entry *entries, lua_Integer size, int copy,
                          int kind) {
  TideBudget *budget = budget_of(L);
  for (lua_Integer i = 1; i <= size; i++) {
    clock_check(L, budget);
    const Entry *entry = &entries[i - 1];
    switch (kind) {
      case 'i': lua_pushinteger(L, entry->integer); break;
      case 'n': lua_pushnumber(L, entry->number); break;
      default: lua_rawgeti(L, copy, entry->index); break;
    }
    lua_rawseti(L, 1, i);
  }
}

/// Sorts a table that contains only numbers or only strings. Returns false for any other table.
static bool sort_in_memory(lua_State *L, lua_Integer size) {
  int first = lua_rawgeti(L, 1, 1);
  lua_pop(L, 1);
  if (first != LUA_TSTRING && first != LUA_TNUMBER) return false;
  int copy = ORDER + 1;
  lua_createtable(L, first == LUA_TSTRING ? (int)size : 0, 0);
  Entry *entries = lua_newuserdatauv(L, 2 * (size_t)size * sizeof *entries, 0);
  size_t count = (size_t)size;
  Entry *sorted;
  int kind = read_entries(L, entries, size, copy);
  switch (kind) {
    case 'i': sorted = merge_sort(L, entries, entries + size, count, 'i'); break;
    case 'n': sorted = merge_sort(L, entries, entries + size, count, 'n'); break;
    case 't': sorted = merge_sort(L, entries, entries + size, count, 't'); break;
    default: lua_settop(L, ORDER); return false;
  }
  write_entries(L, sorted, size, copy, kind);
  return true;
}

// MARK: Lists

/// Sorts a value that acts like a table, such as a list of the engine or a copy of a Swift value.
/// Reads it once and, unless the comparator fails, writes it once, because observers are notified
/// of each write.
static int sort_list(lua_State *L, lua_Integer size) {
  TideBudget *budget = budget_of(L);
  int copy = ORDER + 1;
  // Does not preallocate, because the length is only claimed by a metamethod.
  lua_createtable(L, 0, 0);
  for (lua_Integer i = 1; i <= size; i++) {
    clock_check(L, budget);
    lua_geti(L, 1, i);
    lua_rawseti(L, copy, i);
  }
  lua_pushcfunction(L, table_sort);
  lua_pushvalue(L, copy);
  lua_pushvalue(L, ORDER);
  lua_call(L, 2, 0);
  for (lua_Integer i = 1; i <= size; i++) {
    clock_check(L, budget);
    lua_rawgeti(L, copy, i);
    lua_seti(L, 1, i);
  }
  return 0;
}

int table_sort(lua_State *L) {
  lua_Integer size = table_length(L, 1, TABLE_READS | TABLE_WRITES);
  if (size < 2) return 0;
  luaL_argcheck(L, size < INT_MAX, 1, "array too big");
  if (!lua_isnoneornil(L, ORDER)) luaL_checktype(L, ORDER, LUA_TFUNCTION);
  lua_settop(L, ORDER);
  if (!lua_istable(L, 1) || copy_contents(L, 1)) {
    lua_settop(L, ORDER);
    return sort_list(L, size);
  }
  bool isPlain = !lua_getmetatable(L, 1);
  lua_settop(L, ORDER);
  if (isPlain && lua_isnil(L, ORDER) && sort_in_memory(L, size)) return 0;
  sort_by_comparing(L, 1, size, 0);
  return 0;
}
