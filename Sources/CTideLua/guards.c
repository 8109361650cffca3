#include "code.h"
#include "concat.h"
#include "guards.h"
#include "interpreter.h"
#include "layout.h"
#include "memory.h"

// Releases before 5.4.9 have bugs that no function of the library can keep from scripts, because
// they are triggered by fields of metatables, which may be set at any time. But before each of them
// occurs, the interpreter allocates or frees memory:
//
// before 5.4.5  `..` continues with the old address of a stack that its metamethod has moved.
//               A metamethod with a guard (concat.c) does not move it. One without a guard,
//               because `__concat` was set after `setmetatable`, gets no other stack: if it needs
//               a larger one, memory has run out for it.
// before 5.4.8  A key is inserted into a table that only a weak metatable's `__newindex` refers
//               to. If memory is low, that runs a full collection, which collects the table as
//               well. So no metatable is weak during such a collection.
// before 5.4.9  An assignment to the `__newindex` of a metatable through that very field is not
//               reported to the collector, which may already have visited the metatable in this
//               cycle. So the collector visits every metatable again at the cycle's end. It never
//               takes two steps without a request in between, at which it is notified.
//
// All of that is done in the interpreter's own structures (layout.h), because its functions must
// not be called at that time. A trial verifies that the structures match layout.h (guards_trial.c).
// If the trial fails, the guards stay off, and `doctor` lists the bugs as open.

// MARK: Stacks below `..`

// Nothing can interrupt this loop, and there may be several hundred thousand calls, so it inspects
// each of them without a function call.
bool guards_joins_unguarded(lua_State *L, ptrdiff_t *used) {
  const char *top = beginning(L)->top;
  bool isGuarded = false, joins = false;
  for (const Call *call = beginning(L)->call; call; call = call->previous) {
    if (top < call->top) top = call->top;
    if (call->status & CALL_OF_C) {
      isGuarded = concat_is_guard(function_of(call));
      continue;
    }
    // While the metamethod's own call is being prepared, the `..` is the innermost one.
    if (!isGuarded && (call->code[-1] & OPERATION) == CONCATENATE) joins = true;
    isGuarded = false;
  }
  *used = (top - beginning(L)->stack) / VALUE_BYTES + 1;
  return joins;
}

/// Whether the collector would shrink a stack that a `..` relies on: that of the running coroutine,
/// or of one that has resumed it.
static bool relies_on_stacks(const TideState *state) {
  ptrdiff_t used;
  if (guards_joins_unguarded(state->current, &used)) return true;
  for (const TideResumer *resumer = state->coroutines.resumer; resumer; resumer = resumer->outer)
    if (guards_joins_unguarded(resumer->thread, &used)) return true;
  return false;
}

/// Whether a block is a new stack of the given size for a coroutine whose `..` relies on its
/// current one.
static bool moves_stack(const TideState *state, ptrdiff_t size) {
  lua_State *L = state->current;
  const Beginning *fields = beginning(L);
  // During a collection, only smaller stacks are requested.
  if (fields->shared->isCollecting) return relies_on_stacks(state);
  ptrdiff_t used = (fields->top - fields->stack) / VALUE_BYTES;
  ptrdiff_t now = (fields->stackEnd - fields->stack) / VALUE_BYTES;
  // A stack at least doubles when it grows, and a caught error leaves it at twice the used size.
  // Other blocks rarely have such a size, so they skip the loop over all calls.
  bool isLarger = size >= 2 * now || size >= LUAI_MAXSTACK;
  bool isSmaller = size < now && (size >= 2 * used || size == LUAI_MAXSTACK);
  if (!isLarger && !isSmaller) return false;
  return guards_joins_unguarded(L, &used) && (isLarger || size == 2 * used || size == LUAI_MAXSTACK);
}

bool guards_admit_array(const TideState *state, size_t size) {
  return !guardsStacks || !state->main || size % VALUE_BYTES ||
         !moves_stack(state, (ptrdiff_t)(size / VALUE_BYTES) - SPARE_VALUES);
}

// MARK: Metatables

/// Makes the collector visit a table again that it has already visited, as after an assignment to
/// it.
static void visit_again(Shared *shared, Table *table) {
  if (!(table->marks & BLACK)) return;
  table->marks &= (uint8_t)~BLACK;
  table->listed = shared->grayAgain;
  shared->grayAgain = (Object *)table;
}

static void visit_metatables_again(TideState *state) {
  Shared *shared = state->guards.shared;
  if (shared->phase > REACHED) return;
  size_t number = 0;
  for (Table *metatable; (metatable = next_key(state->guards.metatables, &number));)
    visit_again(shared, metatable);
}

bool guards_admit_collection(TideState *state) {
  if (!concat_allows_collecting(state)) return false;
  if (!state->guards.metatables) return true;
  visit_metatables_again(state);
  state->guards.debt = guardsNoDebt;
  return true;
}

void guards_notice_step(TideState *state) {
  if (!state->guards.metatables || *state->guards.isCollecting) return;
  visit_metatables_again(state);
  state->guards.debt = *state->guards.collectorDebt;
}

void guards_make_metatables_strong(TideState *state) {
  if (!state->guards.metatables) return;
  state->guards.areStrong = true;
  size_t number = 0;
  for (Table *metatable; (metatable = next_key(state->guards.metatables, &number));)
    if (metatable->metatable) metatable->metatable->flags |= NO_MODE;
}

/// Without the flag, the collector looks up the mode itself.
void guards_let_metatables_be_weak(TideState *state) {
  state->guards.areStrong = false;
  size_t number = 0;
  for (Table *metatable; (metatable = next_key(state->guards.metatables, &number));)
    metatable->flags &= (uint8_t)~NO_MODE;
}

// MARK: States

lua_Alloc guards_allocator(void) {
  return tide_interpreter_is_guarded() ? memory_allocate_guarded : memory_allocate;
}

void guards_leave(TideState *state) {
  static const int64_t noDebt;
  static const uint8_t never;
  state->guards = (TideGuards){.collectorDebt = &noDebt, .isCollecting = &never};
}

void guards_open(lua_State *L) {
  if (!tide_interpreter_is_guarded()) return;
  TideState *state = state_of(L);
  lua_createtable(L, 0, 16);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  Table *metatables = table_at(L, -1);
  lua_rawseti(L, -2, PRIVATE_METATABLES);
  Shared *shared = shared_of(L);
  state->guards = (TideGuards){
      .shared = shared,
      .collectorDebt = &shared->debt,
      .isCollecting = &shared->isCollecting,
      .metatables = metatables,
      .debt = guardsNoDebt,
  };
}

void guards_note(lua_State *L, int index) {
  TideState *state = state_of(L);
  Table *metatable = table_at(L, index);
  if (likely(metatable == state->guards.latest) || !state->guards.metatables) return;
  int at = lua_absindex(L, index);
  private_get(L, state, PRIVATE_METATABLES);
  lua_pushvalue(L, at);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    lua_pushvalue(L, at);
    lua_pushboolean(L, true);
    lua_rawset(L, -4);
    if (state->guards.shared->phase <= REACHED) visit_again(state->guards.shared, metatable);
  }
  lua_pop(L, 2);
  state->guards.latest = metatable;
}
