#include "code.h"
#include "concat.h"
#include "guards.h"
#include "interpreter.h"
#include "layout.h"
#include "memory.h"

// Releases before 5.4.9 have faults that no function of the library can keep scripts from, because
// what leads to them are fields of metatables, which may be set at any time. But on the way to each
// of them the interpreter asks for memory, or gives some back:
//
//   before 5.4.5  `..` goes on with the old address of a stack that its metamethod has made move.
//                 What has a guard (concat.c) does not move it. Below what has none, because
//                 `__concat` was set after `setmetatable`, the interpreter gets no other stack:
//                 where it needs a larger one, its memory is at an end.
//   before 5.4.8  a key is put into a table that nothing but a weak metatable's `__newindex` holds,
//                 for want of memory all garbage is collected, and that table with it. So in such
//                 a collection no metatable is weak.
//   before 5.4.9  what is assigned to the `__newindex` of a metatable through that very field is
//                 not shown to the collector, which may have passed by the metatable in this cycle.
//                 So the collector visits every metatable again at the cycle's end. It never takes
//                 two steps without a request in between, which is when it is told.
//
// All of that is done in the interpreter's own structures (layout.h), since it must not be called
// meanwhile. A trial finds out whether they lie as layout.h says (guards_trial.c). If the
// trial fails, the guards stay off, and `doctor` lists the faults as open.

// MARK: Stacks below `..`

// Nothing can stop it, and there may be several hundred thousand calls, so each is looked at without
// another call.
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

/// Whether the collector would make a stack smaller that `..` relies upon: of the coroutine that
/// runs, or of one that waits for it.
static bool relies_on_stacks(const TideState *state) {
  ptrdiff_t used;
  if (guards_joins_unguarded(state->current, &used)) return true;
  for (const TideResumer *resumer = state->coroutines.resumer; resumer; resumer = resumer->outer)
    if (guards_joins_unguarded(resumer->thread, &used)) return true;
  return false;
}

/// Whether a block is another stack of so many values for a coroutine whose `..` relies on its own.
static bool moves_stack(const TideState *state, ptrdiff_t size) {
  lua_State *L = state->current;
  const Beginning *fields = beginning(L);
  // Nothing but smaller stacks is asked for then.
  if (fields->shared->isCollecting) return relies_on_stacks(state);
  ptrdiff_t used = (fields->top - fields->stack) / VALUE_BYTES;
  ptrdiff_t now = (fields->stackEnd - fields->stack) / VALUE_BYTES;
  // A stack grows to twice its size at least, and an error that is caught leaves twice of what is
  // used. Other blocks seldom look like that, which spares them the way through all calls.
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

/// Has the collector visit a table again that it has passed by, as after an assignment to it.
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

/// Without the flag the collector looks for itself.
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
